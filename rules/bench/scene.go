// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"
	"time"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

// draft is a draft of calls that most rules of the set wait for.
func draft(cat *vehicle.Catalog, set *rules.Set) []*vehicle.Call {
	var out []*vehicle.Call
	for len(out) < calls {
		var best *vehicle.Tool
		for _, t := range cat.Tools {
			if t.Access != vehicle.Write || has(out, t.Name) {
				continue
			}
			if best == nil || len(set.On(t.Name)) > len(set.On(best.Name)) {
				best = t
			}
		}
		if best == nil {
			break
		}
		out = append(out, &vehicle.Call{ID: fmt.Sprintf("c%d", len(out)+1), Tool: best.Name, Args: arguments(best)})
	}
	return out
}

func has(l []*vehicle.Call, tool string) bool {
	for _, c := range l {
		if c.Tool == tool {
			return true
		}
	}
	return false
}

// arguments are some that the tool's schema allows.
func arguments(t *vehicle.Tool) vehicle.Value {
	if t.Input == nil {
		return vehicle.ObjectOf()
	}
	var fields []vehicle.Field
	for _, p := range t.Input.Properties {
		fields = append(fields, vehicle.Field{Name: p.Name, Value: some(p.Schema)})
	}
	return vehicle.ObjectOf(fields...)
}

func some(s *vehicle.Schema) vehicle.Value {
	switch {
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Type == "boolean":
		return vehicle.BoolOf(true)
	case s.Type == "array" && s.Items != nil:
		return vehicle.ListOf(some(s.Items))
	case s.Type == "number" || s.Type == "integer":
		if s.Max != nil {
			return vehicle.NumberOf(*s.Max)
		}
		return vehicle.NumberOf(1)
	case s.Type == "object":
		return vehicle.ObjectOf()
	}
	return vehicle.TextOf("text")
}

// scene is a conversation in which every signal is known, in the middle of
// its range, after some calls.
func scene(cat *vehicle.Catalog, d []*vehicle.Call, past int) *rulestest.Env {
	facts := make([]rules.Fact, len(cat.Profile.Signals))
	for i, s := range cat.Profile.Signals {
		facts[i] = rules.Fact{Value: middle(s), Why: rules.Observed}
	}
	number := func(f float64) vehicle.Value { return vehicle.NumberOf(f) }
	clock := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	e := &rulestest.Env{Cat: cat, Draft: d, Clock: clock, Fields: func(s vehicle.SignalID, _ rules.At) rules.Fact { return facts[s] },
		Around: map[string]vehicle.Value{"now.year": number(2026), "now.month": number(3), "now.day": number(14), "now.weekday": number(6),
			"now.hour": number(9), "now.minute": number(0), "here.id": vehicle.TextOf("here"), "here.name": vehicle.TextOf("Here"),
			"here.latitude": number(47), "here.longitude": number(9), "language": vehicle.TextOf("en")}}
	for i := range past {
		c := *d[i%len(d)]
		c.ID = fmt.Sprintf("p%d", i)
		e.Past = append(e.Past, rulestest.Past{Call: c, At: clock})
	}
	return e
}

func middle(s *vehicle.Signal) vehicle.Value {
	switch s.Type {
	case vehicle.TypeBool:
		return vehicle.BoolOf(false)
	case vehicle.TypeEnum:
		return vehicle.TextOf(s.Allowed[0])
	case vehicle.TypeText:
		return vehicle.TextOf("text")
	case vehicle.TypeList:
		return vehicle.ListOf()
	}
	return vehicle.NumberOf(float64(int(s.Min+s.Max) / 2))
}
