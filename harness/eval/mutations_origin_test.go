// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"regexp"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// identifier is one that only a system hands out.
var identifier = regexp.MustCompile(`^[a-z]+(_[a-z0-9]+)+_[0-9]{3,}$`)

var originMutations = []mutation{
	{gate: "provenance", what: "an identifier with one letter changed", change: func(m *mutant) bool {
		for i := range m.at().Calls {
			c := &m.at().Calls[i]
			for k := range c.Args.Len() {
				id, ok := c.Args.At(k).Text()
				if !ok || !identifier.MatchString(id) {
					continue
				}
				last := id[len(id)-1]
				c.Args = c.Args.With(c.Args.NameAt(k), vehicle.TextOf(id[:len(id)-1]+string('0'+(last-'0'+1)%10)))
				return true
			}
		}
		return false
	}},
	{gate: "value-grounding", what: "a number that nobody gave", change: func(m *mutant) bool {
		for i := range m.at().Calls {
			c := &m.at().Calls[i]
			t := m.tool(c)
			if t == nil || t.Access != vehicle.Write || !m.changes(c) {
				continue
			}
			for _, p := range t.Input.Properties {
				was, has := c.Args.Member(p.Name)
				if f, ok := was.Float(); !has || !ok || p.Schema.Min == nil || p.Schema.Max == nil || *p.Schema.Max-*p.Schema.Min < 50 || f == *p.Schema.Min || f == *p.Schema.Max {
					continue
				}
				for n := *p.Schema.Min + 13; n < *p.Schema.Max; n++ {
					args := c.Args.With(p.Name, vehicle.NumberOf(n))
					if len(t.Input.Validate(args)) == 0 && !strings.Contains(m.said(), vehicle.NumberOf(n).String()) {
						c.Args = args
						return true
					}
				}
			}
		}
		return false
	}},
	{gate: "preference-conflict", what: "another value than the one preferred", change: func(m *mutant) bool {
		for i := range m.at().Calls {
			c := &m.at().Calls[i]
			t := m.tool(c)
			if t == nil || t.Access != vehicle.Write {
				continue
			}
			for k := range c.Args.Len() {
				name := c.Args.NameAt(k)
				for _, want := range m.preferred(t.Name, name) {
					s := t.Input.Property(name)
					if !want.Equal(c.Args.At(k)) || s == nil || t.Items != nil && t.Items.Arg.String() == name {
						continue
					}
					for _, other := range otherValues(s, want) {
						if args := c.Args.With(name, other); len(t.Input.Validate(args)) == 0 && !m.k.Tongue.Gives(m.said(), t.Name, name, other) {
							c.Args = args
							return true
						}
					}
				}
			}
		}
		return false
	}},
	{gate: "preferences-first", what: "the preferences not read", change: func(m *mutant) bool {
		i := m.find(func(c *vehicle.Call) bool { t := m.tool(c); return m.writes(c) && len(t.Preferences) > 0 })
		return i >= 0 && m.writeSteps() == 1 && m.drop(m.step, toolIs("get_user_preferences"))
	}},
	{gate: "gather", what: "the windows not read", change: func(m *mutant) bool {
		windows := toolIs("open_close_window")
		i := m.find(func(c *vehicle.Call) bool { return c.Tool == "set_air_conditioning" && is(c, "on", "true") })
		return i >= 0 && m.find(windows) < 0 && !m.earlier(windows) && m.writeSteps() == 1 && m.drop(m.step, toolIs("get_vehicle_window_positions"))
	}},
	{gate: "present-before-commit", what: "the alternatives not told", change: func(m *mutant) bool {
		i := m.find(toolIs("navigation_replace_final_destination"))
		if i < 0 || m.at().Turn == 0 || slices.ContainsFunc([]string{"fast", "short", "quick", "toll"}, func(w string) bool { return strings.Contains(m.Turns[0].Text, w) }) {
			return false
		}
		if place, _ := m.at().Calls[i].Args.Member("new_destination_id"); !strings.HasPrefix(place.String(), "loc_") {
			return false // where to is open as well
		}
		m.drop(m.step, toolIs("get_user_preferences"))
		i = m.find(toolIs("navigation_replace_final_destination"))
		taken, _ := m.at().Calls[i].Args.Member("route_id_leading_to_new_destination")
		if len(m.peers(taken)) < 2 {
			return false
		}
		told := false
		for s := range m.step {
			if m.Steps[s].Speaks() {
				m.Steps[s].Text, told = "One moment.", true
			}
		}
		for k := 1; k <= m.at().Turn; k++ {
			m.Turns[k].Text = "Go on, please."
		}
		return told
	}},
	{gate: "unrequested-write", what: "a write that nobody asked for", change: func(m *mutant) bool {
		if m.find(m.writes) < 0 {
			return false
		}
		for _, add := range []string{"set_steering_wheel_heating", "set_ambient_lights", "set_reading_light", "open_close_trunk_door", "set_seat_heating"} {
			t := m.k.Profile.Tool(add)
			if t == nil || m.count(toolIs(add)) > 0 || m.k.Tongue.MentionsTool(m.said(), add) || m.k.Tongue.Hints(m.said(), add) {
				continue
			}
			s := callStep(add, string(mostOf(t.Input).AppendJSON(nil)), vehicle.ObjectOf())
			m.at().Calls, m.at().Results = append(m.at().Calls, s.Calls...), append(m.at().Results, s.Results...)
			return true
		}
		return false
	}},
}

// preferred are the values that preferences which were read before the step
// want for an argument.
func (m *mutant) preferred(tool, arg string) (out []vehicle.Value) {
	for i := range m.step {
		for j, c := range m.Steps[i].Calls {
			if c.Tool != "get_user_preferences" {
				continue
			}
			m.Steps[i].Results[j].Value.Walk(func(_ vehicle.Path, leaf vehicle.Value) {
				text, _ := leaf.Text()
				for _, d := range m.k.Tongue.Dictates(text, tool, arg) {
					if d.If == "" {
						out = append(out, d.Value)
					}
				}
			})
		}
	}
	return out
}

// otherValues are values that a schema might allow besides one.
func otherValues(s *vehicle.Schema, but vehicle.Value) (out []vehicle.Value) {
	for _, v := range s.Enum {
		if !v.Equal(but) {
			out = append(out, v)
		}
	}
	if n, ok := but.Float(); ok {
		out = append(out, vehicle.NumberOf(n+1), vehicle.NumberOf(n-1), vehicle.NumberOf(n+10))
	}
	return out
}

// mostOf is the greatest value of a schema.
func mostOf(s *vehicle.Schema) vehicle.Value {
	switch {
	case len(s.Properties) > 0:
		v := vehicle.ObjectOf()
		for _, p := range s.Properties {
			if s.Requires(p.Name) {
				v = v.With(p.Name, mostOf(p.Schema))
			}
		}
		return v
	case s.Type == "boolean":
		return vehicle.BoolOf(true)
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Max != nil:
		return vehicle.NumberOf(*s.Max)
	}
	return vehicle.TextOf("x")
}
