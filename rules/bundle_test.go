// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"slices"
	"testing"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundletest"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// bundles are the bundles of the repository, with the profile each is for.
var bundles = map[string]string{"in-car": "demo-ev", "greenhouse": "greenhouse"}

func loadBundle(tb testing.TB, name string) (*rules.Set, *vehicle.Catalog) {
	tb.Helper()
	return bundletest.Load(tb, testdata.FS, "bundles/"+name, "profiles/"+bundles[name]+"/profile.yaml")
}

func TestBundles(t *testing.T) {
	for name := range bundles {
		t.Run(name, func(t *testing.T) {
			set, cat := loadBundle(t, name)
			rep := rulestest.Run(set, cat, rulestest.Plain{})
			if err := rep.Err(); err != nil {
				t.Error(err)
			}
			if rep.Passed != len(set.Cases) {
				t.Errorf("%d of %d tests passed", rep.Passed, len(set.Cases))
			}
			for _, r := range set.Rules {
				if r.Policy == "" {
					t.Errorf("%s: rule %s does not quote its sentence", r.Pos, r.ID)
				}
				if missing := r.Missing(cat); len(missing) > 0 {
					t.Errorf("%s: the full catalog does not offer %v", r.ID, missing)
				}
			}
		})
	}
}

// opposite is a comparison that is true where the other is false.
var opposite = map[rules.Op]rules.Op{
	rules.Is: rules.Not, rules.Not: rules.Is, rules.In: rules.NotIn, rules.NotIn: rules.In, rules.Has: rules.Lacks,
	rules.Lacks: rules.Has, rules.Gt: rules.Le, rules.Le: rules.Gt, rules.Lt: rules.Ge, rules.Ge: rules.Lt, rules.Known: rules.Known,
}

// neighbour is a comparison that differs at one value only.
var neighbour = map[rules.Op]rules.Op{rules.Gt: rules.Ge, rules.Ge: rules.Gt, rules.Lt: rules.Le, rules.Le: rules.Lt}

// TestBundlesPinTheirRules takes each rule away, and turns each of its tests
// round or moves its threshold by one: some test of the bundle must fail.
func TestBundlesPinTheirRules(t *testing.T) {
	for name := range bundles {
		set, cat := loadBundle(t, name)
		fails := func(s *rules.Set) bool { return len(rulestest.Run(s, cat, rulestest.Plain{}).Failures) > 0 }
		for _, r := range set.Rules {
			t.Run(name+"/"+r.ID, func(t *testing.T) {
				less := set.Without(r.ID)
				less.Cases = set.Cases
				if !fails(less) {
					t.Error("no test misses the rule")
				}
				for _, x := range allTests(r) {
					was := x.Op
					for _, op := range []rules.Op{opposite[was], neighbour[was]} {
						if op == was || op == rules.Is && was != rules.Not {
							continue
						}
						x.Op = op
						if !fails(set) {
							t.Errorf("%s: no test notices %s in place of %s", x.Pos, op, was)
						}
					}
					x.Op = was
				}
				for what, change := range effects(r) {
					undo := change()
					if !fails(set) {
						t.Errorf("no test notices %s", what)
					}
					undo()
				}
			})
		}
	}
}

// effects are changes of what a rule does, each with how to undo it: one call
// more, a word of a question less, something not said, a call not owed.
func effects(r *rules.Rule) map[string]func() func() {
	out := map[string]func() func(){}
	if r.AtMost > 0 {
		out["one call more"] = func() func() { r.AtMost++; return func() { r.AtMost-- } }
	}
	if a := r.Ask; a != nil {
		for i, w := range a.Warn {
			out["no warning of "+w] = less(&a.Warn, i)
		}
	}
	for i, x := range r.Tell {
		out["that "+x.Word+" is not told"] = less(&r.Tell, i)
	}
	for i, x := range r.Withhold {
		out["that "+x.Word+" is told"] = less(&r.Withhold, i)
	}
	for i, o := range r.Owe {
		out[o.Call+" is not owed"] = less(&r.Owe, i)
	}
	return out
}

// less takes the i-th element out of a list.
func less[T any](list *[]T, i int) func() func() {
	return func() func() {
		was := *list
		*list = slices.Delete(slices.Clone(was), i, i+1)
		return func() { *list = was }
	}
}

func allTests(r *rules.Rule) []*rules.Test {
	var out []*rules.Test
	var walk func(ts []*rules.Test)
	walk = func(ts []*rules.Test) {
		for _, x := range ts {
			if x.Any != nil {
				walk(x.Any)
				continue
			}
			out = append(out, x)
			switch l := x.Left.(type) {
			case *rules.CountLeft:
				walk(l.Where)
			case *rules.CalledLeft:
				walk(l.When)
			}
		}
	}
	for _, o := range r.On {
		walk(o.When)
	}
	walk(r.If)
	walk(r.Unless)
	walk(r.Need)
	walk(r.Must)
	if r.Choose != nil {
		walk(r.Choose.Where)
	}
	return out
}
