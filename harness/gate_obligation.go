// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// obligationGate adds what auto-actions owe for a draft with calls: exactly
// the violations of the state that the car would have after the draft, each
// remedy before its trigger, chains included, and what the draft has behind the
// trigger of it moved in front. One finding per trigger and
// rule quotes the exact calls. It asks when the same utterance wants the
// opposite of what a rule owes: both are held and one question offers the two
// exact packages. A draft of reads alone is not judged.
func obligationGate(v *View) []Finding {
	if !v.writes() {
		return nil
	}
	pl := v.plan()
	out := append(v.owedFindings(pl, rules.AutoAction), grouped(pl.ahead)...)
	for _, c := range pl.conflicts {
		out = append(out, v.packages(pl, c)...)
	}
	for _, d := range pl.defers {
		out = append(out, v.later(d.trigger, d.rule, d.evidence))
	}
	if len(pl.dropped) > 0 {
		out = append(out, Finding{Action: Repair, Subjects: pl.dropped, Remedy: Remedy{Remove: pl.dropped},
			Note: "nobody asked for these calls, and a rule owes the opposite"})
	}
	return out
}

// owedFindings groups the plan's additions by trigger and rule.
func (v *View) owedFindings(pl *plan, kind rules.Type) []Finding {
	return grouped(slices.DeleteFunc(slices.Clone(pl.added), func(a addition) bool { return a.rule.Type != kind }))
}

// grouped makes one finding of the additions to each trigger by one rule.
func grouped(added []addition) []Finding {
	var out []Finding
	for i := range added {
		a := &added[i]
		p := a.placed()
		if n := len(out); n > 0 && out[n-1].Rule == a.rule.ID && subject(&out[n-1]) == a.trigger {
			out[n-1].Remedy.Add = append(out[n-1].Remedy.Add, p)
			out[n-1].Note += ", " + a.call.Canonical()
			continue
		}
		f := Finding{Action: Repair, Rule: a.rule.ID, Evidence: a.evidence,
			Remedy: Remedy{Add: []Placed{p}},
			Note:   "rule " + a.rule.ID + " requires: " + a.call.Canonical()}
		if a.trigger != "" {
			f.Subjects = []string{a.trigger}
		}
		if a.moved {
			f.Note += " (earlier in the draft)"
		}
		out = append(out, f)
	}
	return out
}

// placed says where in the draft the addition belongs.
func (a *addition) placed() Placed {
	if a.with {
		return Placed{Call: a.call, After: a.trigger}
	}
	return Placed{Call: a.call, Before: a.trigger}
}

func subject(f *Finding) string {
	if len(f.Subjects) == 0 {
		return ""
	}
	return f.Subjects[0]
}

// packages builds the question that a conflict asks: what the rule wants with
// its trigger, or what else was asked without it. Each package is planned on
// its own, so that it holds exactly what is owed without the other; the reads
// that this takes come first.
func (v *View) packages(pl *plan, c conflict) []Finding {
	root := v.root(pl, c.trigger)
	if v.callByID(root) == nil { // it ran already: what it took goes before what would undo that
		return []Finding{{Action: Block, Rule: c.rule.ID, Subjects: c.against,
			Note:   fmt.Sprintf("rule %s requires %s since an earlier call; this call would undo it", c.rule.ID, strings.TrimSpace(canonicals(c.owed))),
			Driver: v.sayOf(c.rule, c.trigger)}}
	}
	owners := map[string]string{}
	with, reads := v.partOf(root, owners, func(id string) bool { return !contains(c.against, id) })
	var without []vehicle.Call
	subjects := []string{root}
	if !c.ran { // what ran already is done; only the trigger is still open
		subjects = append(subjects, c.against...)
		for _, id := range c.against {
			part, more := v.partOf(id, owners, func(o string) bool { return v.root(pl, o) != root })
			without, reads = append(without, part...), append(reads, more...)
		}
	}
	if len(reads) > 0 {
		return reads
	}
	q := &Question{Rules: []string{c.rule.ID}, Options: []Option{
		{Label: v.lang.SpeakAll(with), Calls: with, For: owners},
		{Label: v.lang.Without(without, v.callByID(root)), Calls: without, For: owners},
	}}
	q.Text = v.lang.Phrase(words.AskTwoBecause, q.Options[0].Label, q.Options[1].Label, withoutQuestion(v.sayOf(c.rule, c.trigger)))
	return []Finding{{Action: AskFirst, Rule: c.rule.ID, Subjects: subjects, Question: q,
		Note: fmt.Sprintf("rule %s requires %s, which undoes what was asked in the same breath; the driver decides",
			c.rule.ID, strings.TrimSpace(canonicals(c.owed)))}}
}

// partOf plans the calls of the draft that keep allows and returns those that
// belong to the root, or the reads it takes to know them. What is owed for
// what goes into owners.
func (v *View) partOf(root string, owners map[string]string, keep func(id string) bool) (out []vehicle.Call, reads []Finding) {
	var calls []vehicle.Call
	for _, c := range v.Draft.Calls {
		if keep(c.ID) && (c.Origin == vehicle.ByStudent || c.Origin == vehicle.ByConsent) {
			calls = append(calls, c)
		}
	}
	pl := v.makePlan(calls)
	for _, w := range pl.waits {
		reads = append(reads, v.demand(w.trigger, w.rule, w.evidence, w.wants)...)
	}
	for _, c := range pl.calls {
		if v.root(pl, c.ID) == root {
			out = append(out, c)
		}
	}
	for _, a := range pl.added {
		owners[a.call.ID] = a.trigger
	}
	return out, reads
}

func canonicals(calls []vehicle.Call) string {
	var b strings.Builder
	for i := range calls {
		b.WriteString(calls[i].Canonical() + " ")
	}
	return b.String()
}

// root is the call that the given call is owed for in the end.
func (v *View) root(pl *plan, id string) string {
	for range maxOwed {
		next := v.owner[id]
		for i := range pl.added {
			if a := &pl.added[i]; a.call.ID == id && !a.moved {
				next = a.trigger
			}
		}
		if next == "" {
			break
		}
		id = next
	}
	return id
}

func (v *View) callByID(id string) *vehicle.Call {
	for i := range v.Draft.Calls {
		if v.Draft.Calls[i].ID == id {
			return &v.Draft.Calls[i]
		}
	}
	return nil
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
