// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"slices"
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// owes reports whether a rule owes a call of one tool for calls of another.
func (m *mutant) owes(trigger, companion string) bool {
	return slices.ContainsFunc(m.k.Rules.On(trigger), func(r *rules.Rule) bool {
		return r.Type == rules.AutoAction && slices.ContainsFunc(r.Owe, func(o *rules.Owe) bool { return o.Call == companion })
	})
}

// companion is the first call of a step that is owed for another of it and
// changes something, or -1.
func (m *mutant) companion() int {
	return m.find(func(c *vehicle.Call) bool {
		return m.writes(c) && slices.ContainsFunc(m.at().Calls, func(o vehicle.Call) bool { return m.owes(o.Tool, c.Tool) }) && m.changes(c)
	})
}

// without takes a call out of the step looked at.
func (m *mutant) without(i int) {
	s := m.at()
	s.Calls, s.Results = slices.Delete(s.Calls, i, i+1), slices.Delete(s.Results, i, i+1)
}

var ruleMutations = []mutation{
	{gate: "obligation", what: "a companion call dropped", change: func(m *mutant) bool {
		i := m.companion()
		if i < 0 {
			return false
		}
		m.without(i)
		return m.cut() // the rule stays owed
	}},
	{gate: "owed-on-reply", what: "a companion call dropped before the reply", change: func(m *mutant) bool {
		reply := m.step
		if !m.at().Speaks() || reply == 0 || m.Steps[reply-1].Turn != m.at().Turn {
			return false
		}
		m.step--
		i := m.companion()
		if i < 0 {
			return false
		}
		m.without(i)
		m.step = reply
		return m.cut()
	}},
	{gate: "excess", what: "a companion call for all items", change: func(m *mutant) bool {
		i := m.find(func(c *vehicle.Call) bool {
			return c.Tool == "open_close_window" && !is(c, "window", `"ALL"`) && is(c, "percentage", "0")
		})
		if i < 0 || m.find(toolIs("set_air_conditioning")) < 0 || strings.Contains(m.driver(), "window") {
			return false
		}
		m.at().Calls[i].Args = m.at().Calls[i].Args.With("window", vehicle.TextOf("ALL"))
		return m.cut()
	}},
	{gate: "precondition", what: "the sunshade left shut", change: func(m *mutant) bool {
		i := m.find(func(c *vehicle.Call) bool { return c.Tool == "open_close_sunroof" && !is(c, "percentage", "0") })
		return i >= 0 && m.count(toolIs("open_close_sunroof")) == 1 && m.find(toolIs("open_close_sunshade")) < 0 && m.drop(m.step, toolIs("open_close_sunshade"))
	}},
	{gate: "prohibition", what: "a new route while one is driven", change: func(m *mutant) bool {
		i := m.find(toolIs("navigation_replace_final_destination"))
		if i < 0 || !m.earlier(toolIs("get_current_navigation_state")) {
			return false
		}
		c := &m.at().Calls[i]
		route, ok := c.Args.Member("route_id_leading_to_new_destination")
		c.Tool, c.Args = "set_new_navigation", vehicle.ObjectOf(vehicle.Field{Name: "route_ids", Value: vehicle.ListOf(route)})
		return ok
	}},
	{gate: "constraint", what: "the weather of another day", change: func(m *mutant) bool {
		i := m.find(toolIs("get_weather"))
		if i < 0 {
			return false
		}
		c := &m.at().Calls[i]
		day, _ := c.Args.Member("day")
		f, ok := day.Float()
		c.Args = c.Args.With("day", vehicle.NumberOf(f+1))
		return ok && f < 28
	}},
	{gate: "selection", what: "a slower route", rule: `
- id: fastest
  type: selection
  policy: The fastest route is taken.
  on: [{call: navigation_replace_final_destination}]
  choose: {arg: route_id_leading_to_new_destination, peers: [start_id, destination_id], where: [{candidate: alias, has: fastest}]}
  say: {en: There is a faster one., de: Es gibt eine schnellere.}
`, change: func(m *mutant) bool {
		i := m.find(toolIs("navigation_replace_final_destination"))
		if i < 0 {
			return false
		}
		c := &m.at().Calls[i]
		taken, _ := c.Args.Member("route_id_leading_to_new_destination")
		for _, peer := range m.peers(taken) {
			if !peer.Equal(taken) {
				c.Args = c.Args.With("route_id_leading_to_new_destination", peer)
				return true
			}
		}
		return false
	}},
	{gate: "missing-capability", what: "the remedy's tool not offered", change: func(m *mutant) bool {
		i := m.companion()
		if i < 0 || m.writeSteps() > 1 {
			return false
		}
		gone := m.at().Calls[i].Tool
		if slices.ContainsFunc(m.Steps[:m.step], func(s Step) bool { return m.k.Tongue.MentionsTool(s.Text, gone) }) {
			return false // a reply that holds it out is wrong by itself
		}
		m.Task.Removed = append(m.Task.Removed, gone)
		m.without(i)
		return m.cut()
	}},
	{gate: "confirmation", what: "a confirmation removed", change: func(m *mutant) bool {
		i := m.find(toolIs("send_email"))
		if i < 0 || m.at().Turn == 0 || m.count(toolIs("send_email")) > 1 {
			return false
		}
		m.turn().Text = "How long will it take us to get there?"
		return true
	}},
	{gate: "disclosure", what: "the difference between the zones not told", change: func(m *mutant) bool {
		if !m.at().Speaks() || !m.earlier(toolIs("set_climate_temperature")) || m.Steps[m.step-1].Turn != m.at().Turn {
			return false
		}
		zone := slices.IndexFunc(m.Steps[m.step-1].Calls, func(c vehicle.Call) bool {
			return c.Tool == "set_climate_temperature" && !is(&c, "seat_zone", `"ALL_ZONES"`)
		})
		if zone < 0 || !strings.Contains(strings.ToLower(m.at().Text), "differ") {
			return false
		}
		m.at().Text = "All right, that is set."
		return m.cut()
	}},
}

// peers are the identifiers that a result listed together with one.
func (m *mutant) peers(id vehicle.Value) (out []vehicle.Value) {
	for i := range m.step {
		for _, r := range m.Steps[i].Results {
			list := r.Value
			if l, ok := r.Value.Member("routes"); ok {
				list = l
			}
			var ids []vehicle.Value
			for _, it := range list.Items() {
				if v, ok := it.Member("route_id"); ok {
					ids = append(ids, v)
				}
			}
			if slices.ContainsFunc(ids, id.Equal) {
				out = ids
			}
		}
	}
	return out
}
