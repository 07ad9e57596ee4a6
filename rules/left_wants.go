// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// WantsLeft is whether an open ask or a stored preference names a lexicon
// word.
type WantsLeft struct {
	leftBase
	Word string

	entry *Entry
}

func (r *reader) wanted(n *vehicle.Node) *WantsLeft {
	return &WantsLeft{leftBase: leftBase{n.Pos}, Word: r.text(n, "wants")}
}

// Label implements [Left].
func (l *WantsLeft) Label(string) string { return "wants " + l.Word }

func (l *WantsLeft) check(c *checker) typ {
	l.entry = c.word(l.Word, l.pos)
	return typ{kind: vehicle.Bool}
}

// The driver may have asked in any language, and preferences are stored in
// the one they were learned in: all words of the entry count.
func (l *WantsLeft) value(e *eval) Fact { return truthFact(e.env.Wants(l.entry.all)) }
