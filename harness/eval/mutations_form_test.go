// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

// mutations are the changes, at least one for each hard gate.
var mutations = slices.Concat(formMutations, originMutations, ruleMutations, speechMutations, askMutations)

func toolIs(tools ...string) func(c *vehicle.Call) bool {
	return func(c *vehicle.Call) bool { return slices.Contains(tools, c.Tool) }
}

func is(c *vehicle.Call, arg, json string) bool {
	v, ok := c.Args.Member(arg)
	return ok && v.Equal(vehicle.MustJSON(json))
}

func anyCall(*vehicle.Call) bool { return true }

var formMutations = []mutation{
	{gate: "argument-format", what: "arguments that break off", change: func(m *mutant) bool {
		i := m.find(anyCall)
		if i < 0 {
			return false
		}
		m.at().Calls[i].Raw, m.at().Calls[i].Args = `{"`, vehicle.Value{}
		return true
	}},
	{gate: "tool-exists", what: "a tool of another name", change: func(m *mutant) bool {
		i := m.find(anyCall)
		if i < 0 {
			return false
		}
		m.at().Calls[i].Tool += "_twice"
		return true
	}},
	{gate: "schema", what: "an argument out of its enumeration", change: func(m *mutant) bool {
		for i := range m.at().Calls {
			c := &m.at().Calls[i]
			t := m.tool(c)
			if t == nil || t.Input == nil {
				continue
			}
			for _, p := range t.Input.Properties {
				if _, has := c.Args.Member(p.Name); has && len(p.Schema.Enum) > 1 {
					c.Args = c.Args.With(p.Name, vehicle.TextOf("NONE_OF_THEM"))
					return true
				}
			}
		}
		return false
	}},
	{gate: "schema", what: "a needed argument dropped", change: func(m *mutant) bool {
		for i := range m.at().Calls {
			c := &m.at().Calls[i]
			if t := m.tool(c); t != nil && t.Input != nil && len(t.Input.Required) > 0 {
				c.Args = c.Args.Without(t.Input.Required[0])
				return true
			}
		}
		return false
	}},
	{gate: "loop", what: "a read made three times", change: func(m *mutant) bool {
		i := m.find(func(c *vehicle.Call) bool { return m.tool(c) != nil && m.tool(c).Access == vehicle.Read })
		if i < 0 || m.count(toolIs(m.at().Calls[i].Tool)) > 1 {
			return false
		}
		for _, id := range []string{"second", "third"} {
			c, r := m.at().Calls[i], m.at().Results[i]
			c.ID, r.CallID = id, id
			m.at().Calls, m.at().Results = append(m.at().Calls, c), append(m.at().Results, r)
		}
		return true
	}},
	{gate: "exclusive-calls", what: "two edits made parallel", change: func(m *mutant) bool {
		i := m.find(func(c *vehicle.Call) bool { t := m.tool(c); return t != nil && t.HasTag("navigation_edit") })
		if i < 0 || m.count(toolIs(m.at().Calls[i].Tool)) > 1 {
			return false
		}
		c, r := m.at().Calls[i], m.at().Results[i]
		c.ID, r.CallID = "second", "second"
		m.at().Calls, m.at().Results = append(m.at().Calls, c), append(m.at().Results, r)
		return true
	}},
	{gate: "repeated-irreversible", what: "a message sent again", change: func(m *mutant) bool {
		i := m.find(toolIs("send_email", "call_phone_by_number"))
		if i < 0 || m.count(toolIs(m.at().Calls[i].Tool)) > 1 || !m.at().Results[i].OK() || m.step+1 >= len(m.Steps) || m.Steps[m.step+1].Turn != m.at().Turn {
			return false
		}
		c, r := m.at().Calls[i], m.at().Results[i]
		c.ID, r.CallID = "second", "second"
		m.step++
		m.insert(m.step, Step{Calls: []vehicle.Call{c}, Results: []vehicle.Result{r}})
		m.step--
		return true
	}},
}
