// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// ToldLeft is whether a value or a lexicon word was said to the driver.
// Exactly one of Value and Word is used.
type ToldLeft struct {
	leftBase
	Value Left
	Word  string

	entry *Entry
}

func (r *reader) told(n *vehicle.Node) *ToldLeft {
	l := &ToldLeft{leftBase: leftBase{n.Pos}}
	if w := n.Member("word"); w != nil {
		r.keys(n, "word")
		l.Word = r.text(w, "word")
	} else {
		l.Value = r.left(n)
	}
	return l
}

// Label implements [Left].
func (l *ToldLeft) Label(item string) string {
	if l.Value == nil {
		return "told " + l.Word
	}
	return "told " + l.Value.Label(item)
}

func (l *ToldLeft) check(c *checker) typ {
	if l.Value != nil {
		l.Value.check(c)
	} else {
		l.entry = c.word(l.Word, l.pos)
	}
	return typ{kind: vehicle.Bool}
}

func (l *ToldLeft) value(e *eval) Fact {
	var texts []string
	if l.Value == nil {
		texts = l.entry.Words(e.language())
	} else {
		v := e.left(l.Value)
		if !v.Known() {
			return Fact{Why: v.Why, CallID: v.CallID}
		}
		texts = spoken(v.Value)
	}
	return truthFact(e.env.Told(texts))
}

func truthFact(t Truth) Fact {
	if t == Unknown {
		return Fact{Why: Null}
	}
	return Fact{Value: vehicle.BoolOf(t == True), Why: Observed}
}
