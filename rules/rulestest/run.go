// SPDX-License-Identifier: Apache-2.0

package rulestest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// Report is what came of a bundle's tests.
type Report struct {
	Passed   int
	Failures vehicle.Problems // each at its test, one for every difference
	Inert    vehicle.Problems // rules that no test fires, or none leaves silent
}

// Err returns everything that is wrong, or nil.
func (r Report) Err() error { return slices.Concat(r.Failures, r.Inert).Err() }

// Run plays every test of the set to the judge.
func Run(set *rules.Set, cat *vehicle.Catalog, j Judge) Report {
	var rep Report
	fired, silent := map[string]bool{}, map[string]bool{}
	for _, c := range set.Cases {
		bad := runCase(set, cat, j, c, fired, silent)
		if len(bad) == 0 {
			rep.Passed++
		}
		rep.Failures = append(rep.Failures, bad...)
	}
	for _, r := range set.Rules {
		if !fired[r.ID] {
			rep.Inert = append(rep.Inert, vehicle.Problem{Pos: r.Pos, Text: "no test makes rule " + r.ID + " fire", Hint: "add one to its test file"})
		}
		if !silent[r.ID] {
			rep.Inert = append(rep.Inert, vehicle.Problem{Pos: r.Pos, Text: "no test makes rule " + r.ID + " look and stay silent", Hint: "add one to its test file"})
		}
	}
	return rep
}

func runCase(set *rules.Set, cat *vehicle.Catalog, j Judge, c *rules.Case, fired, silent map[string]bool) (bad vehicle.Problems) {
	offered, err := offer(cat, c.Without)
	if err != nil {
		return vehicle.Problems{{Pos: c.Pos, Text: fmt.Sprintf("test %q: %v", c.Name, err)}}
	}
	talk, err := j.Begin(set, offered, c)
	if err != nil {
		return vehicle.Problems{{Pos: c.Pos, Text: fmt.Sprintf("test %q: %v", c.Name, err)}}
	}
	for i, turn := range c.Turns {
		out, err := talk.Turn(turn)
		if err != nil {
			return append(bad, vehicle.Problem{Pos: turn.Pos, Text: fmt.Sprintf("test %q, turn %d: %v", c.Name, i+1, err)})
		}
		for _, d := range differences(set, &turn.Want, &out) {
			bad = append(bad, vehicle.Problem{Pos: turn.Want.Pos, Text: fmt.Sprintf("test %q, turn %d: %s", c.Name, i+1, d)})
		}
		for _, id := range out.Fired {
			fired[id] = true
		}
		for _, id := range out.Looked {
			silent[id] = silent[id] || !slices.Contains(out.Fired, id)
		}
	}
	return bad
}

// differences compares what a turn should have come to with what it did.
func differences(set *rules.Set, want *rules.CaseWant, out *Outcome) []string {
	var d []string
	if w, g := sorted(want.Fires), sorted(out.Fired); !slices.Equal(w, g) {
		d = append(d, fmt.Sprintf("rules that fire: want %s, got %s", list(w), list(g)))
	}
	for _, id := range want.Silent {
		switch {
		case !slices.Contains(out.Looked, id):
			d = append(d, fmt.Sprintf("rule %s was to look and stay silent: it did not look", id))
		case slices.Contains(out.Fired, id):
			d = append(d, fmt.Sprintf("rule %s was to stay silent: it fired", id))
		}
	}
	if want.Calls != nil {
		d = compareLists(d, "calls", caseCalls(want.Calls), callTexts(out.Calls))
	}
	if want.Reads != nil {
		d = compareLists(d, "reads", caseCalls(want.Reads), callTexts(out.Reads))
	}
	d = compareVerdicts(d, "held", want.Held, len(out.Held), func(v *rules.Verdict, i int) bool {
		return text(v.By, out.Held[i].By) && text(v.Call, out.Held[i].Call.Tool)
	}, func(i int) string { return out.Held[i].By + " " + callText(out.Held[i].Call) + ": " + out.Held[i].Why })
	d = compareVerdicts(d, "asked", want.Asked, len(out.Asked), func(v *rules.Verdict, i int) bool {
		a := &out.Asked[i]
		return text(v.By, a.By) && text(v.Call, a.Call.Tool) && value(v.Naming, vehicle.ObjectOf(a.Naming...)) && (v.Warn == nil || slices.Equal(v.Warn, a.Warn))
	}, func(i int) string {
		a := &out.Asked[i]
		return fmt.Sprintf("%s %s naming %s warning of %s", a.By, callText(a.Call), vehicle.ObjectOf(a.Naming...), list(a.Warn))
	})
	return compareVerdicts(d, "told", want.Told, len(out.Told), func(v *rules.Verdict, i int) bool {
		return text(v.By, out.Told[i].By) && text(v.Word, out.Told[i].Word) && value(v.Value, out.Told[i].Value)
	}, func(i int) string {
		t := &out.Told[i]
		if t.Word != "" {
			return t.By + " " + t.Word
		}
		return t.By + " " + t.Value.String()
	})
}

// compareVerdicts pairs each wanted verdict with one that came.
func compareVerdicts(d []string, what string, want []rules.Verdict, n int, same func(*rules.Verdict, int) bool, print func(int) string) []string {
	if want == nil {
		return d
	}
	used := make([]bool, n)
	for i := range want {
		found := false
		for j := range n {
			if !used[j] && !found && same(&want[i], j) {
				used[j], found = true, true
			}
		}
		if !found {
			d = append(d, fmt.Sprintf("%s: %s is missing", what, verdict(&want[i])))
		}
	}
	for j := range n {
		if !used[j] {
			d = append(d, fmt.Sprintf("%s: %s was not wanted", what, print(j)))
		}
	}
	return d
}

func verdict(v *rules.Verdict) string {
	s := strings.TrimSpace(strings.Join([]string{v.By, v.Call, v.Word}, " "))
	if v.Naming.Known() {
		s += " naming " + v.Naming.String()
	}
	if v.Warn != nil {
		s += " warning of " + list(v.Warn)
	}
	if v.Value.Known() {
		s += " " + v.Value.String()
	}
	return s
}

func compareLists(d []string, what string, want, got []string) []string {
	if slices.Equal(want, got) {
		return d
	}
	return append(d, fmt.Sprintf("%s: want %s, got %s", what, list(want), list(got)))
}

func text(want, got string) bool { return want == "" || want == got }

func value(want, got vehicle.Value) bool { return !want.Known() || want.Equal(got) }

func caseCalls(l []rules.CaseCall) []string {
	out := make([]string, len(l))
	for i, c := range l {
		out[i] = callText(vehicle.Call{Tool: c.Call, Args: c.Args})
	}
	return out
}

func callTexts(l []vehicle.Call) []string {
	out := make([]string, len(l))
	for i, c := range l {
		out[i] = callText(c)
	}
	return out
}

func callText(c vehicle.Call) string { return c.Canonical() }

func sorted(l []string) []string {
	l = slices.Clone(l)
	slices.Sort(l)
	return l
}

func list(l []string) string {
	if len(l) == 0 {
		return "none"
	}
	return strings.Join(l, ", ")
}
