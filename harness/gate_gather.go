// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// gather demands the reads that a rule triggered by the draft needs and that
// nobody made. It adds the exact reads, each once, and its subjects wait one
// step for them. It never demands a read that was tried in this turn, nor one
// of a state that only the draft's own writes left open, nor any for a
// trigger of an earlier step.
func gather(v *View) []Finding {
	if !v.writes() {
		return nil
	}
	var out []Finding
	for _, w := range v.plan().waits {
		out = append(out, v.demand(w.trigger, w.rule, w.evidence, w.wants)...)
	}
	for i := range v.Draft.Calls {
		c, t := &v.Draft.Calls[i], v.p.tools[i]
		if t == nil {
			continue
		}
		for _, r := range v.set.On(c.Tool) {
			if owes(r) {
				continue // the plan has judged it
			}
			e := v.envFor(i)
			if truth, ev, wants := r.Triggered(e); truth == rules.Unknown {
				out = append(out, v.demand(c.ID, r, ev, wants)...)
				continue
			} else if truth == rules.False {
				continue
			}
			for _, m := range r.Matches(e) {
				if m.Truth == rules.True && demands(r) {
					m = unmet(r, e, m)
				}
				if m.Truth == rules.Unknown {
					out = append(out, v.demand(c.ID, r, m.Evidence, m.Wants)...)
				}
			}
		}
	}
	return out
}

// demand returns a finding that makes the reads, or none when no read of the
// wants is left to make.
func (v *View) demand(subject string, r *rules.Rule, ev []rules.Evidence, wants []rules.Want) []Finding {
	var add []Placed
	note := "read first: "
	for _, w := range wants {
		if w.Impossible || w.Why == rules.OwnWrite || v.readTried(w) {
			continue
		}
		c, ok := v.readFor(w)
		if !ok {
			continue
		}
		c.ID, c.Origin = v.newID(), vehicle.ByRead
		add = append(add, Placed{Call: c, Before: subject})
		note += c.Canonical() + " "
	}
	if len(add) == 0 {
		return nil
	}
	return []Finding{{Action: DemandRead, Rule: r.ID, Subjects: []string{subject}, Evidence: ev,
		Remedy: Remedy{Add: add}, Note: note}}
}
