// SPDX-License-Identifier: Apache-2.0

package region_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundletest"
	"github.com/carguardd/carguardd/rules/region"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// has reports whether the value is in the set, the slow and plain way.
func has(s region.Set, v vehicle.Value) bool {
	if !v.Known() {
		return s.Unknown
	}
	if f, ok := v.Float(); ok {
		return slices.ContainsFunc(s.Spans, func(p region.Span) bool {
			return !(s.Integer && f != math.Trunc(f)) && (f > p.Low || f == p.Low && !p.LowOpen) && (f < p.High || f == p.High && !p.HighOpen)
		})
	}
	return slices.Contains(s.Words, v.String()) != s.Not
}

func drawSpan(t *rapid.T) region.Span {
	a, b := rapid.IntRange(-4, 4).Draw(t, "low"), rapid.IntRange(-4, 4).Draw(t, "high")
	return region.Span{Low: float64(min(a, b)) / 2, High: float64(max(a, b)) / 2, LowOpen: a != b && rapid.Bool().Draw(t, "low open"), HighOpen: a != b && rapid.Bool().Draw(t, "high open")}
}

func drawSet(t *rapid.T) region.Set {
	return region.Set{Unknown: rapid.Bool().Draw(t, "unknown"), Integer: rapid.Bool().Draw(t, "integer"), Not: rapid.Bool().Draw(t, "not"),
		Words: rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 3, rapid.ID[string]).Draw(t, "words"),
		Spans: rapid.SliceOfN(rapid.Custom(drawSpan), 0, 2).Draw(t, "spans")}
}

// TestSets compares sets with membership, value by value.
func TestSets(t *testing.T) {
	values := []vehicle.Value{{}}
	for _, w := range []string{"a", "b", "c", "d"} {
		values = append(values, vehicle.TextOf(w))
	}
	for f := -3.0; f <= 3; f += 0.25 {
		values = append(values, vehicle.NumberOf(f))
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawSet(t), drawSet(t)
		both := a.And(b)
		within := a.Within(b)
		some := false
		for _, v := range values {
			if has(both, v) != (has(a, v) && has(b, v)) && a.Integer == b.Integer {
				t.Fatalf("%v in %v and %v is %v", v, a, b, both)
			}
			if within && has(a, v) && !has(b, v) && !b.Integer {
				t.Fatalf("%v is within %v, but %v is not", a, b, v)
			}
			some = some || has(both, v)
		}
		if some && both.Empty() {
			t.Fatalf("%v and %v have something in common, %v", a, b, both)
		}
	})
}

func TestSpans(t *testing.T) {
	for _, c := range []struct {
		name  string
		set   region.Set
		empty bool
		text  string
	}{
		{"one value", region.Set{Spans: []region.Span{{Low: 1, High: 1}}}, false, "[1, 1]"},
		{"nothing", region.Set{}, true, "nothing"},
		{"half open", region.Set{Spans: []region.Span{{Low: 1, High: math.Inf(1), LowOpen: true}}}, false, "(1, +Inf)"},
		{"everything", region.Everything(), false, "(-Inf, +Inf) or unknown"},
		{"words", region.Word("a", "b"), false, "a, b"},
		{"any but", region.Set{Not: true, Words: []string{"a"}}, false, "any but a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.set.Empty() != c.empty || c.set.String() != c.text {
				t.Errorf("empty %v, %s", c.set.Empty(), c.set)
			}
		})
	}
}

func drawValue(t *rapid.T, s *vehicle.Signal) vehicle.Value {
	switch s.Type {
	case vehicle.TypeBool:
		return vehicle.BoolOf(rapid.Bool().Draw(t, s.Name))
	case vehicle.TypeEnum:
		return vehicle.TextOf(rapid.SampledFrom(s.Allowed).Draw(t, s.Name))
	case vehicle.TypeText, vehicle.TypeList:
		return vehicle.Value{}
	}
	edges := []float64{s.Min, s.Min + 1, 20, 21, 25, 26, 50, 51, s.Max}
	return vehicle.NumberOf(min(max(rapid.SampledFrom(edges).Draw(t, s.Name), s.Min), s.Max))
}

func drawArgs(t *rapid.T, tool *vehicle.Tool) vehicle.Value {
	var fields []vehicle.Field
	for _, p := range tool.Input.Properties {
		v := vehicle.TextOf("x")
		switch {
		case len(p.Schema.Enum) > 0:
			v = rapid.SampledFrom(p.Schema.Enum).Draw(t, p.Name)
		case p.Schema.Type == "boolean":
			v = vehicle.BoolOf(rapid.Bool().Draw(t, p.Name))
		case p.Schema.Type == "number", p.Schema.Type == "integer":
			v = vehicle.NumberOf(float64(rapid.SampledFrom([]int{0, 1, 2, 3, 20, 21, 25, 26, 49, 50, 80, 81, 100}).Draw(t, p.Name)))
		case p.Schema.Type == "array":
			v = vehicle.ListOf(vehicle.TextOf("x"))
		}
		fields = append(fields, vehicle.Field{Name: p.Name, Value: v})
	}
	return vehicle.ObjectOf(fields...)
}

// TestAgreesWithJudging: in random states a rule of the bundles matches only
// where one of its ways holds, and where one holds that speaks of nothing but
// signals and arguments the rule does match.
func TestAgreesWithJudging(t *testing.T) {
	for bundle, profile := range map[string]string{testdata.InCarBundle: testdata.DemoEV, testdata.GreenhouseBundle: testdata.Greenhouse} {
		set, cat := bundletest.Load(t, testdata.FS, bundle, profile)
		for _, r := range set.Rules {
			if r.JudgesReply() || r.JudgesResult() {
				continue
			}
			ways, ok := region.Of(cat, r, region.TwoMoments)
			if !ok || len(ways) == 0 {
				t.Fatalf("%s: nothing is decided", r.ID)
			}
			t.Run(r.ID, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) { agree(t, cat, r, ways) })
			})
		}
	}
}

func agree(t *rapid.T, cat *vehicle.Catalog, r *rules.Rule, ways []region.Way) {
	state := make([]vehicle.Value, len(cat.Profile.Signals))
	for i, s := range cat.Profile.Signals {
		state[i] = drawValue(t, s)
	}
	tool := cat.Tool(rapid.SampledFrom(r.Triggers()).Draw(t, "tool"))
	call := &vehicle.Call{ID: "c", Tool: tool.Name, Args: drawArgs(t, tool)}
	env := &rulestest.Env{Cat: cat, Call: call, Draft: []*vehicle.Call{call}, Fields: func(s vehicle.SignalID, _ rules.At) rules.Fact {
		return rules.Fact{Value: state[s], Why: rules.Observed}
	}}
	matches := map[string]bool{}
	if truth, _, _ := r.Triggered(env); truth == rules.True {
		for _, m := range r.Matches(env) {
			if m.Truth != rules.True {
				continue
			}
			// An element of a list in the arguments is none of the rule's items: the
			// way without one stands for all of them.
			if item := m.Item; slices.Contains(r.Items(), item) {
				matches[item] = true
			} else {
				matches[""] = true
			}
		}
	}
	holds, sure := map[string]bool{}, map[string]bool{}
	for _, w := range region.Call(ways, call.Tool) {
		for _, c := range w.Where {
			all, plain := true, true
			for name, s := range c {
				v, ok := value(cat, state, call.Args, name)
				plain = plain && ok
				all = all && (!ok || has(s, v))
			}
			holds[w.Item] = holds[w.Item] || all
			sure[w.Item] = sure[w.Item] || all && plain
		}
	}
	for item := range matches {
		if !holds[item] {
			t.Fatalf("%s matches %q on %s, but no way of it does: %v", r.ID, item, call.Canonical(), ways)
		}
	}
	for item, is := range sure {
		if is && !matches[item] {
			t.Fatalf("%s must match %q on %s: %v", r.ID, item, call.Canonical(), ways)
		}
	}
}

// value is what a name of a conjunction stands for; ok is false when it is
// neither a signal nor an argument.
func value(cat *vehicle.Catalog, state []vehicle.Value, args vehicle.Value, name string) (vehicle.Value, bool) {
	if path, ok := strings.CutPrefix(name, "arg: "); ok {
		v, _ := args.Get(vehicle.MustPath(path))
		return v, true
	}
	if sig, ok := strings.CutPrefix(name, "field "); ok {
		if sig, _, _ = strings.Cut(sig, " "); cat.Profile.Signal(sig) != nil && !strings.ContainsAny(name, ",{") {
			return state[cat.Profile.Signal(sig).ID], true
		}
	}
	return vehicle.Value{}, false
}
