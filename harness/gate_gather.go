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
		if v.p.tools[i] == nil {
			continue
		}
		for _, r := range v.set.On(v.Draft.Calls[i].Tool) {
			if !owes(r) { // else the plan has judged it
				out = append(out, v.gatherFor(i, r)...)
			}
		}
	}
	return out
}

// gatherFor demands the reads that one rule on call i needs. One that cannot be
// evaluated needs none: its own gate says what follows.
func (v *View) gatherFor(i int, r *rules.Rule) (out []Finding) {
	defer func() {
		if p := recover(); p != nil {
			v.ruleFailed(r, p)
			out = nil
		}
	}()
	id, e := v.Draft.Calls[i].ID, v.envFor(i)
	truth, ev, wants := r.Triggered(e)
	switch truth {
	case rules.False:
		return nil
	case rules.Unknown:
		return v.demand(id, r, ev, wants)
	}
	for _, m := range r.Matches(e) {
		if m.Truth == rules.True && demands(r) {
			m = unmet(r, e, m)
		}
		switch {
		case m.Truth == rules.Unknown:
			out = append(out, v.demand(id, r, m.Evidence, m.Wants)...)
		case r.Type == rules.Disclosure:
			out = append(out, v.demand(id, r, m.Evidence, r.Unheard(e, &m))...)
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
