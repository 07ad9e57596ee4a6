// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

// Missed is a failed run without a right hard finding.
type Missed struct {
	Run   string   `json:"run"`
	Task  string   `json:"task"`
	Read  bool     `json:"read"`  // a demanded read was right
	Class string   `json:"class"` // how it was lost
	Gates []string `json:"gates"` // of DESIGN.md section 7, that look at such things
	Blame Blame    `json:"blame"`
	Said  string   `json:"said"`  // what the assistant said at the blame step
	Calls []string `json:"calls"` // what it called there
}

// Missed lists the failed runs of a group that no hard finding would have
// changed, by how they were lost.
func (k *Kit) Missed(runs []*Replayed, fits func(*Replayed) bool) []Missed {
	var out []Missed
	for _, r := range runs {
		if !fits(r) || r.Passed || slices.ContainsFunc(r.Found, func(f Found) bool { return f.Verdict == Right && f.acts() }) {
			continue
		}
		m := Missed{Run: r.ID, Task: r.Task, Blame: r.Blame,
			Read: slices.ContainsFunc(r.Found, func(f Found) bool { return f.Verdict == Right })}
		m.Class, m.Gates = k.class(r)
		j := judge{sc: r.scene, blame: r.Blame}
		if i := j.lost(); i >= 0 {
			m.Said = r.scene.Steps[i].Text
			for k := range r.scene.Steps[i].Calls {
				m.Calls = append(m.Calls, r.scene.Steps[i].Calls[k].Canonical())
			}
		}
		out = append(out, m)
	}
	slices.SortStableFunc(out, func(a, b Missed) int {
		switch {
		case a.Class < b.Class:
			return -1
		case a.Class > b.Class:
			return 1
		}
		return 0
	})
	return out
}

// class says how a run was lost, by its earliest fault and what had not been
// read by then, and which gates look at such things.
func (k *Kit) class(r *Replayed) (string, []string) {
	if len(r.Blame.Faults) == 0 {
		return "the record does not say", nil
	}
	var f *Fault
	for i := range r.Blame.Faults {
		if o := &r.Blame.Faults[i]; o.Message == r.Blame.Message && (f == nil || o.Component == ByExecution || f.Component == BySubset) {
			f = o
		}
	}
	j := judge{k: k, sc: r.scene, blame: r.Blame}
	at := j.lost()
	unread, untold := r.unread(at), j.untold(f)
	st := &r.scene.Steps[at]
	switch {
	case f.Component == ByExecution:
		return "a call that errs", []string{"provenance", "precondition", "constraint", "selection"}
	case f.Component == ByPolicy:
		return "an automatic policy check", []string{"gather", "obligation", "precondition"}
	case f.Component == ByJudge && len(f.Calls) > 0:
		return "a call without the confirmation or warning due", []string{"confirmation", "present-before-commit"}
	case f.Component == ByJudge:
		return "a reply without what must be told", []string{"disclosure", "present-before-commit"}
	case r.scene.Task.Category == hallucination:
		return "a missing part not told", []string{"missing-capability", "unknown-hidden", "completion", "promise", "substitution"}
	case len(f.Calls) > 0 && !f.Reply && untold:
		return "a value set before a stored preference about it was read", []string{"preferences-first", "value-grounding"}
	case len(f.Calls) > 0 && !f.Reply && unread:
		return "a value set before what gold reads first", []string{"gather", "selection", "present-before-commit", "value-grounding"}
	case len(f.Calls) > 0 && !f.Reply:
		return "a value that nothing gave", []string{"value-grounding", "preference-conflict", "unrequested-write", "excess", "selection"}
	case st.Speaks() && untold:
		return "asked or spoke before a stored preference about it was read", []string{"ask-before-reading", "preferences-first"}
	case st.Speaks() && unread:
		return "asked or spoke before what gold reads first", []string{"ask-before-reading", "refusal-read"}
	}
	return "spoke too early or never acted", []string{"owed-on-reply", "plan-unfinished", "completion", "present-before-commit"}
}

// unread reports whether a gold read had not been made before the step.
func (r *Replayed) unread(step int) bool {
	return slices.ContainsFunc(r.scene.Task.Gold, func(g vehicle.Call) bool {
		t := r.scene.Profile.Tool(g.Tool)
		return t != nil && t.Access == vehicle.Read && !r.scene.called(&g, step)
	})
}
