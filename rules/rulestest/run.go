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
	Cases    []CaseReport // in the order of the tests
	Passed   int
	Failures vehicle.Problems // each at its test, one for every difference
	Inert    vehicle.Problems // rules that no test fires, or none leaves silent
	Fired    map[string]int   // tests that make a rule fire, by its id
	Silent   map[string]int   // tests in which it looks and stays silent
}

// CaseReport is what came of one test.
type CaseReport struct {
	Case     *rules.Case
	Failures vehicle.Problems
	Turns    []Outcome // as far as it was played
	Fired    []string  // the rules that fired in some turn
	Silent   []string  // those that looked in some turn and did not
}

// Err returns everything that is wrong, or nil.
func (r Report) Err() error { return slices.Concat(r.Failures, r.Inert).Err() }

// Run plays every test of the set to the judge.
func Run(set *rules.Set, cat *vehicle.Catalog, j Judge) Report {
	played := make([]CaseReport, len(set.Cases))
	for i, c := range set.Cases {
		played[i] = Play(set, cat, j, c)
	}
	return Sum(set, played)
}

// Sum makes the report of tests that were played.
func Sum(set *rules.Set, played []CaseReport) Report {
	rep := Report{Cases: played, Fired: map[string]int{}, Silent: map[string]int{}}
	for _, c := range played {
		if len(c.Failures) == 0 {
			rep.Passed++
		}
		rep.Failures = append(rep.Failures, c.Failures...)
		for _, id := range c.Fired {
			rep.Fired[id]++
		}
		for _, id := range c.Silent {
			rep.Silent[id]++
		}
	}
	for _, r := range set.Rules {
		if rep.Fired[r.ID] == 0 {
			rep.Inert = append(rep.Inert, vehicle.Problem{Pos: r.Pos, Text: "no test makes rule " + r.ID + " fire", Hint: "add one to its test file"})
		}
		if rep.Silent[r.ID] == 0 {
			rep.Inert = append(rep.Inert, vehicle.Problem{Pos: r.Pos, Text: "no test makes rule " + r.ID + " look and stay silent", Hint: "add one to its test file"})
		}
	}
	return rep
}

// Play plays one test, which need not be one of the set's own.
func Play(set *rules.Set, cat *vehicle.Catalog, j Judge, c *rules.Case) CaseReport {
	rep := CaseReport{Case: c}
	fail := func(pos vehicle.Pos, format string, args ...any) {
		rep.Failures = append(rep.Failures, vehicle.Problem{Pos: pos, Text: fmt.Sprintf("test %q", c.Name) + fmt.Sprintf(format, args...)})
	}
	offered, err := offer(cat, c.Without)
	if err != nil {
		fail(c.Pos, ": %v", err)
		return rep
	}
	talk, err := j.Begin(set, offered, c)
	if err != nil {
		fail(c.Pos, ": %v", err)
		return rep
	}
	for i, turn := range c.Turns {
		out, err := talk.Turn(turn)
		if err != nil {
			fail(turn.Pos, ", turn %d: %v", i+1, err)
			return rep
		}
		rep.Turns = append(rep.Turns, out)
		for _, d := range differences(set, &turn.Want, &out) {
			fail(turn.Want.Pos, ", turn %d: %s", i+1, d)
		}
		for _, id := range out.Fired {
			rep.Fired = add(rep.Fired, id)
		}
		for _, id := range out.Looked {
			if !slices.Contains(out.Fired, id) {
				rep.Silent = add(rep.Silent, id)
			}
		}
	}
	return rep
}

func add(l []string, id string) []string {
	if slices.Contains(l, id) {
		return l
	}
	return append(l, id)
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
