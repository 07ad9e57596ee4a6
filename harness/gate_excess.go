// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// excessGate looks at companion calls that the student drafted itself: a call
// of a tool that an active auto-action owes, which the driver's words do not
// name. The draft is planned again without that call; whatever the call
// changes beyond what is then owed is excess. It is replaced by the exact
// calls. A collective call that leaves every exempt item as it is, is none.
func excessGate(v *View) []Finding {
	var out []Finding
	for i := range v.Draft.Calls {
		c, t := &v.Draft.Calls[i], v.p.tools[i]
		if t == nil || t.Access != vehicle.Write || !t.Declared || c.Origin != vehicle.ByStudent {
			continue
		}
		r := v.companionOf(i)
		if r == nil || v.requested(c) {
			continue
		}
		out = append(out, v.excessOf(i, r)...)
	}
	return out
}

// companionOf returns an auto-action that is triggered by another call of the
// draft, or by one that ran in this turn, and owes calls of this call's tool.
func (v *View) companionOf(i int) *rules.Rule {
	tool := v.Draft.Calls[i].Tool
	for j := range v.Draft.Calls {
		if j == i || v.p.tools[j] == nil {
			continue
		}
		for _, r := range v.set.On(v.Draft.Calls[j].Tool) {
			if r.Type != rules.AutoAction || !owesTool(r, tool) {
				continue
			}
			if truth, _, _ := r.Triggered(v.envFor(j)); truth == rules.True {
				return r
			}
		}
	}
	for _, b := range v.bound {
		if owesTool(b.rule, tool) && b.active(v.facts) {
			return b.rule
		}
	}
	return nil
}

// contents reports whether the draft as it stands owes nothing on a signal.
func (v *View) contents(s vehicle.SignalID) bool {
	for _, a := range v.plan().added {
		for _, as := range assigns(v.cat.Tool(a.call.Tool), &a.call, nil) {
			if as.Signal == s {
				return false
			}
		}
	}
	return true
}

// excessOf compares what the call changes with what is owed without it.
func (v *View) excessOf(i int, r *rules.Rule) []Finding {
	c, t := &v.Draft.Calls[i], v.p.tools[i]
	rest := slices.Delete(slices.Clone(v.Draft.Calls), i, i+1)
	pl := v.makePlan(rest)
	if len(pl.waits) > 0 { // judged once the state was read
		var reads []Finding
		for _, w := range pl.waits {
			reads = append(reads, v.demand(c.ID, w.rule, w.evidence, w.wants)...)
		}
		return reads
	}
	own := assigns(t, c, nil)
	owed := map[vehicle.SignalID]vehicle.Value{}
	var exact []Placed
	for _, a := range pl.added {
		for _, as := range assigns(v.cat.Tool(a.call.Tool), &a.call, nil) {
			owed[as.Signal] = as.Value
		}
		if a.call.Tool == c.Tool {
			exact = append(exact, a.placed())
		}
	}
	before := v.p.states[i]
	var evidence []rules.Evidence
	for _, a := range own {
		if a.Op != vehicle.Set || before[a.Signal].Known() && before[a.Signal].Equal(a.Value) {
			continue
		}
		if want, ok := owed[a.Signal]; ok && (want.Equal(a.Value) || v.contents(a.Signal)) {
			continue // another value than the rule's own, and the rule is content with it
		}
		if !before[a.Signal].Known() {
			return nil
		}
		evidence = append(evidence, rules.Evidence{Left: v.cat.Profile.Signals[a.Signal].Name, Value: before[a.Signal],
			Op: "not required to become", Right: a.Value, Truth: rules.True})
	}
	if len(evidence) == 0 {
		return nil
	}
	return []Finding{{Action: Repair, Rule: r.ID, Subjects: []string{c.ID}, Evidence: evidence,
		Remedy: Remedy{Remove: []string{c.ID}, Add: exact},
		Note:   c.Canonical() + " changes more than rule " + r.ID + " requires, and the driver did not ask for it"}}
}
