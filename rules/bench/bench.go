// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"io/fs"
	"time"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

// The budgets of DESIGN.md for 200 rules.
const (
	loadBudget  = 50 * time.Millisecond
	draftBudget = 100 * time.Microsecond
)

// calls is the length of the drafts that are judged.
const calls = 4

// Report is what rules cost.
type Report struct {
	Bundle  []Figure `json:"bundle"`
	Set200  []Figure `json:"rules_200"`
	Rules   []Figure `json:"growth_rules"`   // with the number of rules
	History []Figure `json:"growth_history"` // with the calls of the session
}

// Run measures the bundle in a directory and generated sets, each figure
// count times.
func Run(now Clock, count int, fsys fs.FS, dir string, cat *vehicle.Catalog) (Report, error) {
	m := measurer{now: now, count: count, cat: cat}
	var rep Report
	set := m.load(&rep.Bundle, "load", fsys, dir, 0)
	m.draft(&rep.Bundle, Figure{Name: "draft", N: size(set)}, set, 0)
	for _, n := range []int{25, 50, 100, 200, 400} {
		into, budget := &rep.Rules, [2]time.Duration{}
		if n == 200 {
			budget = [2]time.Duration{loadBudget, draftBudget}
		}
		all := m.generated(into, n, budget)
		m.draft(into, Figure{Name: "draft", N: n, Budget: budget[1]}, all, 0)
		waiting := m.loaded(n, m.triggers(all)...)
		m.draft(into, Figure{Name: "draft, all rules wait for it", N: n}, waiting, 0)
		if n == 200 {
			rep.Set200 = append(rep.Set200, (*into)[max(0, len(*into)-3):]...)
			for _, past := range []int{0, 10, 100, 1000, 10000} {
				m.draft(&rep.History, Figure{Name: "draft", N: past}, all, past)
			}
		}
	}
	return rep, m.err
}

type measurer struct {
	now   Clock
	count int
	cat   *vehicle.Catalog
	err   error
}

func (m *measurer) load(into *[]Figure, name string, fsys fs.FS, dir string, budget time.Duration) *rules.Set {
	if m.err != nil {
		return nil
	}
	var set *rules.Set
	median, p95, err := sample(m.now, m.count, func() (err error) {
		set, err = rules.Load(fsys, dir, m.cat)
		return err
	})
	if m.err = err; err != nil {
		return nil
	}
	*into = append(*into, Figure{Name: name, N: len(set.Rules), Median: median, P95: p95, Budget: budget})
	return set
}

func (m *measurer) generated(into *[]Figure, n int, budget [2]time.Duration) *rules.Set {
	fsys, err := Generate(m.cat, n)
	if err != nil && m.err == nil {
		m.err = err
	}
	return m.load(into, "load", fsys, Dir, budget[0])
}

// loaded is a generated set that only waits for some tools.
func (m *measurer) loaded(n int, tools ...string) *rules.Set {
	if m.err != nil {
		return nil
	}
	fsys, err := Generate(m.cat, n, tools...)
	if err != nil {
		m.err = err
		return nil
	}
	set, err := rules.Load(fsys, Dir, m.cat)
	m.err = err
	return set
}

// triggers are the tools of the draft that is judged on a set.
func (m *measurer) triggers(set *rules.Set) []string {
	if m.err != nil {
		return nil
	}
	var out []string
	for _, c := range draft(m.cat, set) {
		out = append(out, c.Tool)
	}
	return out
}

// draft measures judging a draft: every rule on every call of it, all state
// known. past is the number of calls that were made before.
func (m *measurer) draft(into *[]Figure, f Figure, set *rules.Set, past int) {
	if m.err != nil {
		return
	}
	env := scene(m.cat, draft(m.cat, set), past)
	f.Median, f.P95, m.err = sample(m.now, m.count, func() error {
		judge(set, env)
		return nil
	})
	*into = append(*into, f)
}

func size(set *rules.Set) int {
	if set == nil {
		return 0
	}
	return len(set.Rules)
}

// judge does what the harness does with every rule on every call of a draft.
func judge(set *rules.Set, env *rulestest.Env) (found int) {
	for _, c := range env.Draft {
		env.Call = c
		for _, r := range set.On(c.Tool) {
			if truth, _, _ := r.Triggered(env); truth == rules.False {
				continue
			}
			for _, m := range r.Matches(env) {
				if truth, _, _ := r.Needs(env, &m); truth != rules.True {
					found++
				}
				if calls, err := r.Owed(env, &m); err == nil {
					found += len(calls)
				}
			}
		}
	}
	return found
}
