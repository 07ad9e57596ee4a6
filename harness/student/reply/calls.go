// SPDX-License-Identifier: Apache-2.0

package reply

import (
	"encoding/json"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// The names under which models write the parts of a call as JSON.
var (
	nameKeys = []string{"name", "tool", "tool_name", "function", "function_name", "action"}
	argKeys  = []string{"arguments", "args", "parameters", "params", "input", "action_input", "tool_input"}
	listKeys = []string{"tool_calls", "calls", "tools", "function_calls"}
)

// known tells whether there is a tool of that name.
type known func(name string) bool

// inDocument reads the calls that a JSON document states. It returns nil when
// it states none.
func (k known) inDocument(doc []byte, depth int) []vehicle.Call {
	if depth > 4 {
		return nil
	}
	fields, list := document(doc)
	var out []vehicle.Call
	for _, d := range list {
		out = append(out, k.inDocument(d, depth+1)...)
	}
	for _, key := range listKeys {
		if l := fields[key]; len(l) > 0 {
			out = append(out, k.inDocument(l, depth+1)...)
		}
	}
	if len(out) > 0 || fields == nil {
		return out
	}
	if c, ok := k.object(fields); ok {
		return []vehicle.Call{c}
	}
	if f := fields["function"]; len(f) > 0 && f[0] == '{' {
		out = k.inDocument(f, depth+1)
		if id := text(fields["id"]); len(out) == 1 {
			out[0].ID = id
		}
	}
	return out
}

// object reads one call from the members of an object.
func (k known) object(fields map[string]json.RawMessage) (vehicle.Call, bool) {
	args, hasArgs := pick(fields, argKeys)
	for _, key := range nameKeys {
		name := Name(text(fields[key]))
		if name == "" || !hasArgs && !k(name) {
			continue
		}
		c := New(text(fields["id"]), name, args)
		return c, true
	}
	if len(fields) == 1 {
		for name, args := range fields { // {"set_fan_speed": {"level": 1}}
			if k(Name(name)) && len(args) > 0 && args[0] == '{' {
				return New("", Name(name), args), true
			}
		}
	}
	return vehicle.Call{}, false
}

func pick(fields map[string]json.RawMessage, keys []string) (json.RawMessage, bool) {
	for _, key := range keys {
		if v, ok := fields[key]; ok {
			return v, true
		}
	}
	return nil, false
}

// New makes a call from its written parts.
func New(id, tool string, args []byte) vehicle.Call {
	c := vehicle.Call{ID: id, Tool: Name(tool)}
	c.Args, c.Raw = Arguments(args)
	return c
}

// Name takes off what models put around the name of a tool: blanks, quotes,
// the empty parentheses of a call, the namespace "functions.".
func Name(s string) string {
	s = strings.Trim(strings.TrimSpace(s), "`'\"")
	s = strings.TrimSuffix(s, "()")
	s = strings.TrimPrefix(s, "functions.")
	if len(s) > 256 {
		s = s[:256]
	}
	return strings.ToValidUTF8(strings.TrimSpace(s), "\uFFFD")
}
