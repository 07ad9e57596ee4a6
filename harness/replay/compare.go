// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"cmp"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// Decision is one thing that was decided in a turn.
type Decision struct {
	Rule string `json:"rule,omitempty"` // that decided it; empty: a gate, or nobody objected
	What string `json:"what"`
}

func (d Decision) String() string {
	if d.Rule == "" {
		return d.What
	}
	return "rule " + d.Rule + " " + d.What
}

// Shift is a turn in which something else is decided.
type Shift struct {
	Turn      string     `json:"turn"`
	Utterance string     `json:"utterance"`
	Rules     string     `json:"rules"`          // that were in force then
	Gone      []Decision `json:"gone,omitempty"` // decided then and not now
	Come      []Decision `json:"come,omitempty"` // decided now and not then
}

// Count is in how many turns a rule decided something.
type Count struct {
	Rule string `json:"rule"`
	Then int    `json:"then"`
	Now  int    `json:"now"`
	Gone int    `json:"gone"` // turns in which it no longer does what it did
	Come int    `json:"come"` // turns in which it does what it did not
}

// Report is what a replay comes to.
type Report struct {
	Turns  int     `json:"turns"`
	Bare   int     `json:"bare"` // turns whose journal does not say what they began with
	Rules  []Count `json:"rules"`
	Shifts []Shift `json:"shifts"`
}

// Compare holds turns as they were against what came of them again, pair by
// pair.
func Compare(then, now []*harness.Turn, cat *vehicle.Catalog) Report {
	rep := Report{Turns: len(then), Rules: []Count{}, Shifts: []Shift{}}
	counts := map[string]*Count{}
	count := func(list []Decision, add func(*Count)) {
		seen := map[string]bool{}
		for _, d := range list {
			if d.Rule == "" || seen[d.Rule] {
				continue
			}
			seen[d.Rule] = true
			if counts[d.Rule] == nil {
				counts[d.Rule] = &Count{Rule: d.Rule}
			}
			add(counts[d.Rule])
		}
	}
	for i := range then {
		if then[i].Setting == nil {
			rep.Bare++
		}
		a, b := Decisions(then[i], cat), Decisions(now[i], cat)
		s := Shift{Turn: then[i].ID, Utterance: then[i].Utterance, Rules: then[i].Rules, Gone: less(a, b), Come: less(b, a)}
		count(a, func(c *Count) { c.Then++ })
		count(b, func(c *Count) { c.Now++ })
		count(s.Gone, func(c *Count) { c.Gone++ })
		count(s.Come, func(c *Count) { c.Come++ })
		if s.Gone != nil || s.Come != nil {
			rep.Shifts = append(rep.Shifts, s)
		}
	}
	for _, c := range counts {
		rep.Rules = append(rep.Rules, *c)
	}
	slices.SortFunc(rep.Rules, func(a, b Count) int { return cmp.Compare(a.Rule, b.Rule) })
	return rep
}

// Decisions are those of a turn, each once: what rules and gates found that
// changed something, what went out, what was kept back and what was asked.
// Reads are none: they change nothing.
func Decisions(t *harness.Turn, cat *vehicle.Catalog) []Decision {
	var out []Decision
	add := func(rule, what string) {
		if d := (Decision{rule, what}); !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	for _, st := range t.Steps {
		for i := range st.Checks {
			for k := range st.Checks[i].Findings {
				if f := &st.Checks[i].Findings[k]; f.Rule != "" && f.Action != harness.DemandRead {
					add(f.Rule, string(f.Action)+" "+subjects(st, &st.Checks[i], f))
				}
			}
		}
		for i := range st.Released {
			c := &st.Released[i]
			if tool := cat.Tool(c.Tool); (tool == nil || tool.Access == vehicle.Write) && i < len(st.Results) && st.Results[i].OK() {
				add("", "does "+c.Canonical())
			}
		}
	}
	for _, h := range t.Withheld {
		by := "withholds "
		if h.Rule == "" {
			by = h.Gate + " withholds "
		}
		add(h.Rule, by+h.Call.Canonical())
	}
	if t.Question != nil {
		for i := range t.Question.About {
			a := &t.Question.About[i]
			add(a.Rule, "asks about "+a.Call.Canonical())
		}
	}
	return out
}

// subjects names what a finding is about, by tool: arguments may have been
// repaired in between.
func subjects(st *harness.Step, c *harness.Check, f *harness.Finding) string {
	calls := c.Draft
	if calls == nil {
		calls = st.Draft.Calls
	}
	var out []string
	for _, id := range f.Subjects {
		i := slices.IndexFunc(calls, func(c vehicle.Call) bool { return c.ID == id })
		if i >= 0 && !slices.Contains(out, calls[i].Tool) {
			out = append(out, calls[i].Tool)
		}
	}
	if out == nil {
		return "reply"
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

func less(a, b []Decision) []Decision {
	var out []Decision
	for _, d := range a {
		if !slices.Contains(b, d) {
			out = append(out, d)
		}
	}
	return out
}
