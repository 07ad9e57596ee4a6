// SPDX-License-Identifier: Apache-2.0

package fields

import (
	"slices"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// maxDepth bounds how deep results and arguments are listed.
const maxDepth = 6

func tool(cat *vehicle.Catalog, t *vehicle.Tool) Tool {
	out := Tool{Name: t.Name, Access: t.Access.String(), Description: t.Description}
	for _, tag := range t.Tags {
		out.Tags = append(out.Tags, "@"+tag)
	}
	for _, tag := range rules.ImpliedTags() {
		if rules.Tagged(t, tag) && !slices.Contains(out.Tags, "@"+tag) {
			out.Tags = append(out.Tags, "@"+tag)
		}
	}
	if t.Items != nil {
		for _, n := range t.Items.Names {
			out.Items = append(out.Items, Item{Item: n.Item, Spelling: n.Value})
		}
	}
	if t.Input != nil {
		out.Arguments = schema(nil, t.Input, nil, func(p vehicle.Path) vehicle.Unit { return rules.ArgumentUnit(cat.Profile, t, p) })
	}
	out.Result = result(cat, t)
	return out
}

// result lists what a tool's result holds: the signals that it returns, and
// what its schema adds.
func result(cat *vehicle.Catalog, t *vehicle.Tool) []Value {
	var out []Value
	units := map[string]vehicle.Unit{}
	for _, r := range t.Returns {
		s := cat.Profile.Signals[r.Signal]
		v := signal(cat, s).Value
		v.Name, v.Required = r.Path.String(), false
		if r.Unit != "" && r.Unit != s.Unit {
			v.Unit, v.Min, v.Max = string(r.Unit), nil, nil
		}
		units[v.Name] = vehicle.Unit(v.Unit)
		out = append(out, v)
	}
	if t.Output == nil {
		return out
	}
	for _, v := range schema(nil, t.Output, nil, func(p vehicle.Path) vehicle.Unit { return units[p.String()] }) {
		if !slices.ContainsFunc(out, func(o Value) bool { return o.Name == v.Name }) {
			v.Required = false
			out = append(out, v)
		}
	}
	return out
}

// schema lists the places of a value that a JSON Schema describes.
func schema(out []Value, s *vehicle.Schema, at vehicle.Path, unit func(vehicle.Path) vehicle.Unit) []Value {
	if s == nil || len(at) > maxDepth {
		return out
	}
	for _, p := range s.Properties {
		path := append(slices.Clone(at), vehicle.Step{Name: p.Name})
		v := Value{Name: path.String(), Type: p.Schema.Type, Unit: string(unit(path)), Min: p.Schema.Min, Max: p.Schema.Max,
			Members: p.Schema.EnumText(), Description: p.Schema.Description, Required: s.Requires(p.Name)}
		if p.Schema.Default.Kind() != vehicle.Unknown {
			v.Default = p.Schema.Default.String()
		}
		out = schema(append(out, v), p.Schema, path, unit)
	}
	if s.Items != nil && !slices.Contains(at, vehicle.Step{Index: vehicle.Each}) { // a path has one [*]
		path := append(slices.Clone(at), vehicle.Step{Index: vehicle.Each})
		if len(s.Items.Properties) == 0 && s.Items.Type != "" {
			out = append(out, Value{Name: path.String(), Type: s.Items.Type, Members: s.Items.EnumText()})
		}
		out = schema(out, s.Items, path, unit)
	}
	return out
}
