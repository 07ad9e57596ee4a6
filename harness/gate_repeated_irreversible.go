// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// repeatedIrreversible asks before a call that reaches somebody outside and
// cannot be taken back goes out again: one that was carried out in this
// conversation with equal arguments, or that stands twice in the draft. A yes
// to exactly this call lets it go. A message to somebody else, or with another
// text, is another message.
func repeatedIrreversible(v *View) []Finding {
	var out []Finding
	for i := range v.Draft.Calls {
		c, t := &v.Draft.Calls[i], v.p.tools[i]
		if t == nil || !t.Outward || !v.sent(i) || v.consented(c) {
			continue
		}
		calls := []vehicle.Call{*c}
		label := v.lang.SpeakAll(calls)
		out = append(out, Finding{Action: AskFirst, Subjects: []string{c.ID},
			Note: c.Tool + " went out with exactly these arguments already: ask the driver before it goes out again",
			Question: &Question{Text: v.lang.Phrase(words.AskYesNo, label), About: []Asking{{Call: *c}},
				Options: []Option{{Label: label, Calls: calls}}}})
	}
	return out
}

// sent reports whether the call was carried out before, or stands before
// itself in the draft.
func (v *View) sent(i int) bool {
	key := v.Draft.Calls[i].Canonical()
	for j := range i {
		if v.Draft.Calls[j].Canonical() == key {
			return true
		}
	}
	for k := range v.facts.done {
		d := &v.facts.done[k]
		if d.write && d.result.OK() && d.call.Canonical() == key {
			return true
		}
	}
	return false
}
