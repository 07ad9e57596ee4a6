// SPDX-License-Identifier: Apache-2.0

package schema

import "github.com/carguardd/carguardd/vehicle"

// Bounds of a constrained answer. A server cannot be asked for more at once
// without risk to it; whoever has more to do does it in the next draft.
const (
	maxDraftCalls = 12
	maxSayLength  = 600 // characters
)

// Draft is the schema of an answer that holds a draft:
//
//	{"calls": [{"tool": "set_fan_speed", "args": {"level": 1}}], "say": "…"}
//
// with the offered tools and their reduced argument schemas as alternatives.
// Without tools, only "say" remains.
func Draft(c *vehicle.Catalog) vehicle.Value {
	say := object(vehicle.Field{Name: "type", Value: vehicle.TextOf("string")},
		vehicle.Field{Name: "maxLength", Value: vehicle.NumberOf(maxSayLength)})
	if c == nil || len(c.Tools) == 0 {
		return closed(vehicle.Field{Name: "say", Value: say})
	}
	var alts []vehicle.Value
	for _, t := range c.Tools {
		name := object(vehicle.Field{Name: "const", Value: vehicle.TextOf(t.Name)})
		alts = append(alts, closed(vehicle.Field{Name: "tool", Value: name}, vehicle.Field{Name: "args", Value: Arguments(t)}))
	}
	calls := object(vehicle.Field{Name: "type", Value: vehicle.TextOf("array")},
		vehicle.Field{Name: "items", Value: object(vehicle.Field{Name: "anyOf", Value: vehicle.ListOf(alts...)})},
		vehicle.Field{Name: "maxItems", Value: vehicle.NumberOf(maxDraftCalls)})
	return closed(vehicle.Field{Name: "calls", Value: calls}, vehicle.Field{Name: "say", Value: say})
}

// Arguments is the reduced schema of a tool's arguments, always of an object.
func Arguments(t *vehicle.Tool) vehicle.Value {
	if t.Input != nil {
		if s := Reduce(t.Input.Raw); isObject(s) {
			if _, ok := s.Member("properties"); ok {
				return s
			}
		}
	}
	return closed()
}

// Declare is the reduced schema of a tool's arguments as it is declared to a
// model, with what the reduction loses put into words.
func Declare(t *vehicle.Tool) vehicle.Value {
	if t.Input == nil {
		return closed()
	}
	described := *t
	described.Input = &vehicle.Schema{Raw: Describe(t.Input.Raw)}
	return Arguments(&described)
}

func isObject(s vehicle.Value) bool {
	t, _ := s.Member("type")
	return t.String() == "object"
}

func object(f ...vehicle.Field) vehicle.Value { return vehicle.ObjectOf(f...) }

// closed is the schema of an object that has exactly these members.
func closed(members ...vehicle.Field) vehicle.Value {
	names := make([]vehicle.Value, len(members))
	for i, m := range members {
		names[i] = vehicle.TextOf(m.Name)
	}
	return object(
		vehicle.Field{Name: "type", Value: vehicle.TextOf("object")},
		vehicle.Field{Name: "properties", Value: vehicle.ObjectOf(members...)},
		vehicle.Field{Name: "required", Value: vehicle.ListOf(names...)},
		vehicle.Field{Name: "additionalProperties", Value: vehicle.BoolOf(false)})
}
