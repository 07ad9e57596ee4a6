// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

func TestKleene(t *testing.T) {
	truth := rapid.SampledFrom([]rules.Truth{rules.False, rules.Unknown, rules.True})
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := truth.Draw(t, "a"), truth.Draw(t, "b"), truth.Draw(t, "c")
		for _, law := range []struct {
			name string
			x, y rules.Truth
		}{
			{"double negation", a.Not().Not(), a},
			{"commutative and", a.And(b), b.And(a)},
			{"commutative or", a.Or(b), b.Or(a)},
			{"associative and", a.And(b).And(c), a.And(b.And(c))},
			{"associative or", a.Or(b).Or(c), a.Or(b.Or(c))},
			{"distributive", a.And(b.Or(c)), a.And(b).Or(a.And(c))},
			{"absorption", a.And(a.Or(b)), a},
			{"de morgan", a.And(b).Not(), a.Not().Or(b.Not())},
			{"false decides and", a.And(rules.False), rules.False},
			{"true decides or", a.Or(rules.True), rules.True},
			{"unknown is its own negation", rules.Unknown.Not(), rules.Unknown},
		} {
			if law.x != law.y {
				t.Errorf("%s: %v is not %v", law.name, law.x, law.y)
			}
		}
		// Learning a value never turns a known answer round.
		if a == rules.Unknown {
			for _, learned := range []rules.Truth{rules.True, rules.False} {
				if before := a.And(b); before != rules.Unknown && before != learned.And(b) {
					t.Errorf("and: %v became %v", before, learned.And(b))
				}
				if before := a.Or(b); before != rules.Unknown && before != learned.Or(b) {
					t.Errorf("or: %v became %v", before, learned.Or(b))
				}
			}
		}
	})
}

// TestOperatorsAgree compares each operator with its opposite.
func TestOperatorsAgree(t *testing.T) {
	cat := car(t)
	set := load(t, cat, `
- {id: is, type: prohibition, on: [{call: set_ac}], forbid: {}, if: [{field: fan_speed, is: 2}]}
- {id: not, type: prohibition, on: [{call: set_ac}], forbid: {}, if: [{field: fan_speed, not: 2}]}
- {id: gt, type: prohibition, on: [{call: set_ac}], forbid: {}, if: [{field: fan_speed, gt: 2}]}
- {id: le, type: prohibition, on: [{call: set_ac}], forbid: {}, if: [{field: fan_speed, le: 2}]}
- {id: ge, type: prohibition, on: [{call: set_ac}], forbid: {}, if: [{field: fan_speed, ge: 2}]}
- {id: lt, type: prohibition, on: [{call: set_ac}], forbid: {}, if: [{field: fan_speed, lt: 2}]}
- {id: in, type: prohibition, on: [{call: set_ac}], forbid: {}, if: [{field: fan_speed, in: [1, 2]}]}
- {id: not_in, type: prohibition, on: [{call: set_ac}], forbid: {}, if: [{field: fan_speed, not_in: [1, 2]}]}
- {id: unless, type: prohibition, on: [{call: set_ac}], forbid: {}, unless: [{field: fan_speed, is: 2}]}
`)
	value := rapid.OneOf(rapid.Map(rapid.Float64Range(-1, 6), vehicle.NumberOf), rapid.Map(rapid.IntRange(0, 5), func(i int) vehicle.Value { return vehicle.NumberOf(float64(i)) }),
		rapid.Just(vehicle.Value{}), rapid.Just(vehicle.TextOf("unknown")))
	rapid.Check(t, func(t *rapid.T) {
		v := value.Draw(t, "value")
		e := &rulestest.Env{Cat: cat, Call: call("set_ac", `{"on":true}`), Fields: func(vehicle.SignalID, rules.At) rules.Fact {
			return rules.Fact{Value: v, Why: rules.Observed}
		}}
		truth := func(id string) rules.Truth {
			m := set.Rule(id).Matches(e)
			if len(m) == 0 {
				return rules.False
			}
			return m[0].Truth
		}
		for a, b := range map[string]string{"is": "not", "gt": "le", "ge": "lt", "in": "not_in", "not": "is", "unless": "is"} {
			if truth(a) != truth(b).Not() {
				t.Errorf("%v: %s is %v, %s is %v", v, a, truth(a), b, truth(b))
			}
		}
	})
}

// drawValue draws a value of a signal, now and then an unknown one.
func drawValue(t *rapid.T, s *vehicle.Signal, unknown bool) vehicle.Value {
	if unknown && rapid.IntRange(0, 9).Draw(t, s.Name+" unknown") == 0 {
		return vehicle.Value{}
	}
	switch s.Type {
	case vehicle.TypeBool:
		return vehicle.BoolOf(rapid.Bool().Draw(t, s.Name))
	case vehicle.TypeEnum:
		return vehicle.TextOf(rapid.SampledFrom(s.Allowed).Draw(t, s.Name))
	case vehicle.TypeText:
		return vehicle.TextOf("x")
	case vehicle.TypeList:
		return vehicle.ListOf()
	}
	return vehicle.NumberOf(float64(rapid.IntRange(int(s.Min), int(s.Max)).Draw(t, s.Name)))
}

// drawArgs draws arguments that the tool's schema allows.
func drawArgs(t *rapid.T, tool *vehicle.Tool) vehicle.Value {
	var fields []vehicle.Field
	for _, p := range tool.Input.Properties {
		if !tool.Input.Requires(p.Name) && rapid.Bool().Draw(t, p.Name+" left out") {
			continue
		}
		fields = append(fields, vehicle.Field{Name: p.Name, Value: drawArg(t, p.Name, p.Schema)})
	}
	return vehicle.ObjectOf(fields...)
}

func drawArg(t *rapid.T, name string, s *vehicle.Schema) vehicle.Value {
	switch {
	case len(s.Enum) > 0:
		return rapid.SampledFrom(s.Enum).Draw(t, name)
	case s.Type == "boolean":
		return vehicle.BoolOf(rapid.Bool().Draw(t, name))
	case s.Type == "array":
		return vehicle.ListOf(drawArg(t, name, s.Items))
	case s.Type == "string":
		return vehicle.TextOf(rapid.SampledFrom([]string{"a", "b"}).Draw(t, name))
	}
	low, high := 0, 100
	if s.Min != nil {
		low = int(*s.Min)
	}
	if s.Max != nil {
		high = int(*s.Max)
	}
	return vehicle.NumberOf(float64(rapid.IntRange(low, high).Draw(t, name)))
}

// TestDemandedThenClean: whatever a rule owes, done before its trigger, leaves
// nothing owed, for every rule of the bundles in every state of the vehicle.
func TestDemandedThenClean(t *testing.T) {
	for name := range bundles {
		set, cat := loadBundle(t, name)
		for _, r := range set.Rules {
			if len(r.Owe) == 0 {
				continue
			}
			t.Run(name+"/"+r.ID, func(t *testing.T) {
				owing := 0
				for tries := 0; owing == 0 && tries < 50; tries++ { // some owe in one state of thirty
					rapid.Check(t, func(t *rapid.T) { owing += demand(t, cat, r) })
				}
				if owing == 0 {
					t.Error("nothing was ever owed")
				}
			})
		}
	}
}

func demand(t *rapid.T, cat *vehicle.Catalog, r *rules.Rule) (n int) {
	state := make(vehicle.State, len(cat.Profile.Signals))
	for i, s := range cat.Profile.Signals {
		state[i] = drawValue(t, s, false)
	}
	tool := cat.Tool(rapid.SampledFrom(r.Triggers()).Draw(t, "trigger"))
	trigger := &vehicle.Call{ID: "c1", Tool: tool.Name, Args: drawArgs(t, tool)}
	var owed []vehicle.Call
	env := &rulestest.Env{Cat: cat, Call: trigger}
	env.Fields = func(s vehicle.SignalID, at rules.At) rules.Fact {
		now := state.Clone()
		for _, c := range owed {
			apply(t, cat, now, &c)
		}
		if at == rules.After {
			apply(t, cat, now, trigger)
		}
		return rules.Fact{Value: now[s], Why: rules.Projected}
	}
	if truth, _, _ := r.Triggered(env); truth != rules.True {
		return 0
	}
	demands := func() (calls []vehicle.Call) {
		for _, m := range r.Matches(env) {
			if truth, _, _ := r.Needs(env, &m); r.Type == rules.Precondition && truth == rules.True || m.Truth != rules.True {
				continue
			}
			l, err := r.Owed(env, &m)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range l {
				calls = append(calls, c.Call)
			}
		}
		return calls
	}
	first := demands()
	for _, c := range first {
		if v := cat.Tool(c.Tool).Input.Validate(c.Args); len(v) > 0 {
			t.Errorf("%s owes an invalid call %s: %v", r.ID, c.Canonical(), v)
		}
	}
	owed = first
	if again := demands(); len(again) > 0 {
		t.Errorf("%s owes %v, and after that %v", r.ID, first, again)
	}
	return len(first)
}

func apply(t *rapid.T, cat *vehicle.Catalog, s vehicle.State, c *vehicle.Call) {
	as, err := cat.Tool(c.Tool).Effects(c.Args, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Apply(as)
}

// TestPlainIsClean plays random drafts to the plain judge: it always ends,
// and the draft that it settles on owes nothing when it is drafted again.
func TestPlainIsClean(t *testing.T) {
	for name := range bundles {
		set, cat := loadBundle(t, name)
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				c := &rules.Case{Name: "random", State: map[string]vehicle.Value{}, Context: map[string]vehicle.Value{
					"here.id": vehicle.TextOf("a"), "now.month": vehicle.NumberOf(3), "now.day": vehicle.NumberOf(14), "now.hour": vehicle.NumberOf(9)}}
				for _, s := range cat.Profile.Signals {
					c.State[s.Name] = drawValue(t, s, true)
				}
				var writes []*vehicle.Tool
				for _, tool := range cat.Tools {
					if tool.Access == vehicle.Write {
						writes = append(writes, tool)
					}
				}
				turn := &rules.CaseTurn{}
				for range rapid.IntRange(1, 4).Draw(t, "calls") {
					tool := rapid.SampledFrom(writes).Draw(t, "tool")
					turn.Draft = append(turn.Draft, rules.CaseCall{Call: tool.Name, Args: drawArgs(t, tool)})
				}
				talk, err := rulestest.Plain{}.Begin(set, cat, c)
				if err != nil {
					t.Fatal(err)
				}
				out, err := talk.Turn(turn)
				if err != nil {
					t.Fatal(err)
				}
				again, err := rulestest.Plain{}.Begin(set, cat, c)
				if err != nil {
					t.Fatal(err)
				}
				settled := &rules.CaseTurn{}
				for _, c := range out.Calls {
					settled.Draft = append(settled.Draft, rules.CaseCall{Call: c.Tool, Args: c.Args})
				}
				second, err := again.Turn(settled)
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range second.Calls {
					if c.Origin == vehicle.ByRule {
						t.Errorf("drafting %v again owes %s", out.Calls, c.Canonical())
					}
				}
			})
		})
	}
}
