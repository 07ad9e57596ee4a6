// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"fmt"
	"slices"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

// Report is why things went as they did in one test.
type Report struct {
	Case     string   `json:"case"`
	Place    string   `json:"place"`
	Turns    []Turn   `json:"turns"`
	Failures []string `json:"failures,omitempty"` // what the test expected otherwise
}

// Turn is one turn of it.
type Turn struct {
	User    string   `json:"user,omitempty"`
	Answer  string   `json:"answer,omitempty"`
	Rules   []Rule   `json:"rules"`
	Outcome []string `json:"outcome"`
}

// Rule is one judgement of a rule on one trigger.
type Rule struct {
	ID      string      `json:"rule"`
	Type    rules.Type  `json:"type"`
	Trigger string      `json:"trigger"` // a call, or the reply
	Why     string      `json:"why"`     // in one line
	On      []Condition `json:"on,omitempty"`
	Matches []Match     `json:"matches,omitempty"`
	State   []State     `json:"state,omitempty"`
}

// Match is the judgement for one item of the wildcard.
type Match struct {
	Item       string      `json:"item,omitempty"`
	Truth      string      `json:"truth"`
	Kept       string      `json:"kept,omitempty"` // of a rule that asks for something
	Conditions []Condition `json:"conditions,omitempty"`
	Effect     []Condition `json:"effect,omitempty"` // what need, must or where ask for
	Demands    []string    `json:"demands,omitempty"`
}

// Condition is one comparison with what it found.
type Condition struct {
	Key   string        `json:"key"`
	Text  string        `json:"text"`
	Truth string        `json:"truth"`
	Value vehicle.Value `json:"value"`
	From  string        `json:"from"` // observed, projected, or why there is no value
}

// State is a signal that the rule looks at.
type State struct {
	Signal string `json:"signal"`
	Seen   string `json:"seen"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// Case explains one test of the set. With a rule id only that rule is
// explained.
func Case(set *rules.Set, cat *vehicle.Catalog, c *rules.Case, only string) Report {
	rep := Report{Case: c.Name, Place: c.Pos.String(), Turns: make([]Turn, len(c.Turns))}
	looks := make([]looks, len(c.Turns))
	for i, t := range c.Turns {
		rep.Turns[i] = Turn{User: t.User, Answer: t.Answer, Outcome: []string{}}
	}
	played := rulestest.Play(set, cat, rulestest.Plain{Watch: func(l rulestest.Look) {
		if only == "" || l.Rule.ID == only {
			looks[l.Turn-1].add(l.Env.Trigger(), explain(set, l))
		}
	}}, c)
	for i := range looks {
		rep.Turns[i].Rules = looks[i].list()
	}
	for i := range played.Turns {
		rep.Turns[i].Outcome = append(rep.Turns[i].Outcome, played.Turns[i].Lines()...)
	}
	for _, f := range played.Failures {
		rep.Failures = append(rep.Failures, f.Error())
	}
	return rep
}

func explain(set *rules.Set, l rulestest.Look) Rule {
	e := l.Rule.Explain(l.Env)
	out := Rule{ID: l.Rule.ID, Type: l.Rule.Type, Trigger: "the reply", On: conditions(e.When)}
	if call := l.Env.Trigger(); call != nil {
		out.Trigger = call.Canonical()
	}
	if e.Triggered == rules.False {
		out.Why = "does not wait for this"
		return out
	}
	for _, m := range e.Matches {
		x := Match{Item: m.Item, Truth: m.Truth.String(), Conditions: conditions(m.Conditions), Effect: conditions(m.Asked)}
		if len(m.Asked) > 0 || m.Chosen != nil || l.Rule.AtMost > 0 {
			x.Kept = m.Kept.String()
		}
		if m.Truth == rules.True {
			x.Demands = demands(set, l, &m)
		}
		out.Matches = append(out.Matches, x)
		out.State = state(out.State, l, m.Item)
	}
	out.Why = why(&e)
	return out
}

func conditions(cs []rules.Condition) []Condition {
	var out []Condition
	for _, c := range cs {
		ev := c.Evidence
		x := Condition{Key: c.Key, Text: c.Text, Truth: ev.Truth.String(), Value: ev.Value, From: ev.Why.String()}
		if c.Key == "at_most" {
			x.Text, x.From = fmt.Sprintf("%s %s %s", ev.Left, ev.Op, ev.Right), "counted"
		}
		out = append(out, x)
	}
	return out
}

// state adds the signals that the rule looks at for an item.
func state(have []State, l rulestest.Look, item string) []State {
	profile := l.Env.Catalog().Profile
	l.Rule.Walk(func(left rules.Left) {
		f, ok := left.(*rules.FieldLeft)
		if !ok {
			return
		}
		ids := []vehicle.SignalID{f.Signal(item)}
		if ids[0] == vehicle.NoSignal {
			ids = nil
			for _, m := range f.Signals() { // gathered, or counted
				ids = append(ids, m.Signal)
			}
		}
		for _, id := range ids {
			name := profile.Signals[id].Name
			if slices.ContainsFunc(have, func(s State) bool { return s.Signal == name }) {
				continue
			}
			at := func(a rules.At) string { return factText(l.Env.Field(id, a)) }
			have = append(have, State{Signal: name, Seen: at(rules.Seen), Before: at(rules.Before), After: at(rules.After)})
		}
	})
	return have
}

func factText(f rules.Fact) string {
	if f.Known() {
		return f.Value.String()
	}
	return f.Why.String()
}
