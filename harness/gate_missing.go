// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"

	"github.com/carguardd/carguardd/harness/words"
)

// missingCapability holds a trigger whose rule cannot be kept: its remedy, or
// an argument of it, is not offered; two rules want different values of one
// signal; or an item stays unknown although it was read. The driver is told
// which part is missing, or asked, as the rule says. Other calls of the draft
// go on. It never puts a call for all items in place of one that is unknown.
//
// What the driver commands may be missing too. A write that a command names by
// its own name, that the profile has and that is not offered is missing, unless
// the same command names an offered write, or another command an offered write
// of the same signals. A reply that neither
// refuses nor admits a limit, after none in this turn that did, gets a sentence
// that says so, and so does one that tells of something asked about which no
// offered tool reads. A write of the student that changes the same signals and that
// the words do not name is a workaround and is blocked. So is a write that is
// offered without an argument that its profile requires.
func missingCapability(v *View) []Finding {
	out := v.missingWanted()
	if v.speaks() && len(out) == 0 {
		return v.missingOffered()
	}
	if !v.writes() {
		return out
	}
	pl := v.plan()
	for _, h := range pl.holds {
		c := v.callByID(v.root(pl, h.trigger))
		if c == nil {
			continue
		}
		switch h.kind {
		case holdUnknown:
			if i := indexCall(pl.calls, h.trigger); i >= 0 {
				c = &pl.calls[i]
			}
			out = append(out, v.unknownClass(c, h.rule, h.evidence)...)
		case holdMissing:
			out = append(out, v.absentClass(c, h.rule, h.evidence, h.missing)...)
		case holdClash:
			out = append(out, Finding{Action: Block, Rule: h.rule.ID, Subjects: []string{c.ID}, Evidence: h.evidence,
				Note:   fmt.Sprintf("rules %s and %s want different things of one signal", h.rule.ID, h.other.ID),
				Driver: v.lang.Phrase(words.RulesConflict, v.lang.Speak(*c), v.lang.List([]string{h.rule.ID, h.other.ID}))})
		case holdError:
			out = append(out, v.broken(c, h.rule, h.evidence)...)
		}
	}
	return out
}
