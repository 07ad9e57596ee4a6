// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"slices"
	"strings"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

var speechMutations = []mutation{
	{gate: "output-integrity", what: "a reply that breaks off", change: func(m *mutant) bool {
		words := strings.Fields(m.at().Text)
		if !m.at().Speaks() || len(words) < 12 {
			return false
		}
		m.at().Text = strings.Join(words[:9], " ") + " and the"
		return true
	}},
	{gate: "completion", what: "the act dropped, the claim kept", change: func(m *mutant) bool {
		if !m.at().Speaks() || !m.claims(m.step) || slices.ContainsFunc(m.Steps[:m.step], func(s Step) bool { return s.Speaks() }) {
			return false
		}
		return m.drop(m.step, m.writes) && m.cut()
	}},
	{gate: "plan-unfinished", what: "a step of the plan left", change: func(m *mutant) bool {
		if !m.at().Speaks() || !m.claims(m.step) || m.k.Tongue.ReplyIs(m.at().Text, rules.ReplyQuestion) || m.count(toolIs("planning_tool")) > 0 || !m.earlier(m.writes) {
			return false
		}
		plan := vehicle.MustJSON(`{"plan_details":{"steps":[{"step_description":"Turn on the steering wheel heating","status":"unresolved_and_not_started"}]}}`)
		if m.count(toolIs("set_steering_wheel_heating")) > 0 {
			return false
		}
		m.insert(m.step, callStep("planning_tool", `{"command":"get"}`, plan))
		return m.cut()
	}},
	{gate: "unknown-hidden", what: "a reading that became unknown", change: func(m *mutant) bool {
		if !m.at().Speaks() || !m.claims(m.step) || m.k.Tongue.Says(m.at().Text, words.Limit) {
			return false
		}
		for s := range m.step {
			for j := range m.Steps[s].Calls {
				c := &m.Steps[s].Calls[j]
				t := m.tool(c)
				if t == nil || t.Access != vehicle.Write || !m.Steps[s].Results[j].OK() {
					continue
				}
				as, _ := t.Effects(c.Args, nil)
				for _, a := range as {
					if m.forget(s, a.Signal) {
						return m.cut()
					}
				}
			}
		}
		return false
	}},
	{gate: "refusal-read", what: "a refusal in place of the first read", change: func(m *mutant) bool {
		if m.step != 0 || m.at().Speaks() || !m.aboutUnread() {
			return false
		}
		*m.at() = Step{Message: m.at().Message, Text: "I'm sorry, but I cannot do that."}
		return m.cut()
	}},
}

// claims reports whether a reply claims an effect.
func (m *mutant) claims(step int) bool {
	return m.k.Tongue.ReplyIs(m.Steps[step].Text, rules.ReplyClaim)
}

// forget makes a signal unknown in the reads before a step, and reports whether
// one told it.
func (m *mutant) forget(before int, s vehicle.SignalID) bool {
	hit := false
	for i := range before {
		for j := range m.Steps[i].Calls {
			t := m.tool(&m.Steps[i].Calls[j])
			if t == nil || t.Access != vehicle.Read || !m.Steps[i].Results[j].OK() {
				continue
			}
			for _, ret := range t.Returns {
				if v, ok := m.Steps[i].Results[j].Value.Get(ret.Path); ret.Signal == s && ok && v.Known() && len(ret.Path) == 1 {
					m.Steps[i].Results[j].Value = m.Steps[i].Results[j].Value.With(ret.Path[0].Name, vehicle.TextOf("unknown"))
					hit = true
				}
			}
		}
	}
	return hit
}

// aboutUnread reports whether the driver's first words command a write of
// which the state can be read without arguments.
func (m *mutant) aboutUnread() bool {
	for _, w := range m.k.Tongue.Wishes(m.Turns[0].Text) {
		tools, _ := m.k.Tongue.Named(w.Text, m.k.Profile)
		for _, name := range tools {
			t := m.k.Profile.Tool(name)
			if t == nil || t.Access != vehicle.Write || w.Later {
				continue
			}
			for _, r := range m.k.Profile.Tools {
				if r.Access == vehicle.Read && r.ArgumentFree() && slices.ContainsFunc(r.Returns, func(ret vehicle.Return) bool {
					return slices.ContainsFunc(t.Touches(nil), func(a vehicle.Assignment) bool { return a.Signal == ret.Signal })
				}) {
					return true
				}
			}
		}
	}
	return false
}

var askMutations = []mutation{
	{gate: "question-not-command", what: "a question in place of the command", change: func(m *mutant) bool {
		if m.find(m.writes) < 0 || m.at().Turn != 0 || m.writeSteps() > 1 {
			return false
		}
		m.turn().Text = "How warm is it in here?"
		return true
	}},
	{gate: "deferred-by-driver", what: "the command put off", change: func(m *mutant) bool {
		i := m.find(m.writes)
		if i < 0 || m.at().Turn != 0 || m.writeSteps() > 1 || !m.k.Tongue.MentionsTool(m.turn().Text, m.at().Calls[i].Tool) {
			return false
		}
		m.turn().Text += " But don't do it yet, wait until I tell you."
		return true
	}},
	{gate: "future-condition", what: "a filter by this moment for a later one", change: func(m *mutant) bool {
		i := m.find(toolIs("search_poi_at_location", "search_poi_along_the_route"))
		if i < 0 || m.count(toolIs("search_poi_at_location", "search_poi_along_the_route")) > 1 || m.at().Turn != 0 || m.k.Tongue.Says(m.turn().Text, words.Present) {
			return false
		}
		c := &m.at().Calls[i]
		c.Args = c.Args.With("filters", vehicle.ListOf(vehicle.TextOf("any::currently_open")))
		m.turn().Text += " It should be open when we arrive there."
		return true
	}},
	{gate: "ask-before-reading", what: "a choice in place of the first read", change: func(m *mutant) bool {
		if m.step != 0 || m.at().Speaks() || !m.aboutUnread() {
			return false
		}
		*m.at() = Step{Message: m.at().Message, Text: "Which setting would you like, and how much of it?"}
		return m.cut()
	}},
	{gate: "asked-twice", what: "the same question once more", change: func(m *mutant) bool {
		if !m.at().Speaks() || m.at().Turn == 0 {
			return false
		}
		last := m.Turns[m.at().Turn-1].Last - 1
		if last < 0 || !m.Steps[last].Speaks() || m.Steps[last].Turn != m.at().Turn-1 {
			return false
		}
		if !slices.ContainsFunc(m.k.Tongue.Queries(m.Steps[last].Text), func(q words.Query) bool { return q.Choice && len(strings.Fields(q.Sentence)) > 7 }) {
			return false
		}
		m.at().Text = m.Steps[last].Text
		return m.cut()
	}},
}
