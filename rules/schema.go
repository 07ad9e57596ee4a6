// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// The functions here read the parts of a JSON Schema that say which members a
// value has. They look through allOf, anyOf and oneOf, where an outer schema
// usually only adds null.

func schemaVariants(s vehicle.Value) []vehicle.Value {
	out := []vehicle.Value{s}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		if l, ok := s.Member(key); ok {
			for _, v := range l.Items() {
				out = append(out, schemaVariants(v)...)
			}
		}
	}
	return out
}

// schemaAt follows a path. When it leads nowhere, near lists the members of
// the last object that it reached.
func schemaAt(s vehicle.Value, p vehicle.Path) (at vehicle.Value, near []string, ok bool) {
	for _, step := range p {
		next, found, open := vehicle.Value{}, false, true
		for _, v := range schemaVariants(s) {
			n, f, o := schemaStep(v, step)
			if f && !found {
				next, found = n, true
			}
			open = open && o
		}
		if !found {
			if open {
				return vehicle.Value{}, nil, true // nothing is said about it
			}
			return vehicle.Value{}, schemaMembers(s), false
		}
		s = next
	}
	return s, nil, true
}

// schemaStep takes one step; open means that the schema says nothing that
// the step could contradict.
func schemaStep(s vehicle.Value, step vehicle.Step) (next vehicle.Value, found, open bool) {
	if step.Name == "" {
		items, has := s.Member("items")
		return items, has && items.Kind() == vehicle.Object, schemaSilent(s, "array")
	}
	props, has := s.Member("properties")
	if has {
		if m, ok := props.Member(step.Name); ok && m.Kind() == vehicle.Object {
			return m, true, false
		}
	}
	if extra, ok := s.Member("additionalProperties"); ok && extra.Kind() == vehicle.Object {
		return extra, true, false
	}
	return vehicle.Value{}, false, !has && schemaSilent(s, "object")
}

// schemaSilent reports whether the schema allows the type and closes nothing.
func schemaSilent(s vehicle.Value, want string) bool {
	if extra, ok := s.Member("additionalProperties"); ok {
		if b, isBool := extra.Truth(); isBool && !b {
			return false
		}
	}
	names := schemaTypes(s)
	return len(names) == 0 || contains(names, want)
}

func schemaTypes(s vehicle.Value) []string {
	t, _ := s.Member("type")
	if t.Kind() == vehicle.String {
		return []string{t.String()}
	}
	var l []string
	for _, v := range t.Items() {
		l = append(l, v.String())
	}
	return l
}

func schemaMembers(s vehicle.Value) []string {
	var l []string
	for _, v := range schemaVariants(s) {
		props, _ := v.Member("properties")
		if props.Kind() != vehicle.Object {
			continue
		}
		for i := range props.Len() {
			l = appendNew(l, props.NameAt(i))
		}
	}
	return l
}

// schemaType is the type of the values that the schema describes.
func schemaType(s vehicle.Value) typ {
	var t typ
	for _, v := range schemaVariants(s) {
		if e, ok := v.Member("enum"); ok && t.enum == nil {
			for _, m := range e.Items() {
				if m.Kind() == vehicle.String {
					t.kind = vehicle.String
					t.enum = append(t.enum, m.String())
				}
			}
		}
		for _, name := range schemaTypes(v) {
			switch name {
			case "number", "integer":
				t.kind, t.integer = vehicle.Number, name == "integer"
				t.between(v)
			case "string":
				t.kind = vehicle.String
			case "boolean":
				t.kind = vehicle.Bool
			case "array":
				t.kind = vehicle.List
				if items, ok := v.Member("items"); ok && items.Kind() == vehicle.Object {
					e := schemaType(items)
					t.elem = &e
				}
			case "object":
				t.kind = vehicle.Object
			case "null":
				continue
			}
		}
	}
	if len(kindsOf(s)) > 1 {
		return typ{} // a number or a text: any
	}
	t.schema = s
	return t
}

// between takes over the bounds that a schema gives a number.
func (t *typ) between(s vehicle.Value) {
	low, _ := s.Member("minimum")
	high, _ := s.Member("maximum")
	a, ok1 := low.Float()
	b, ok2 := high.Float()
	t.bounded, t.min, t.max = ok1 && ok2, a, b
}

func kindsOf(s vehicle.Value) []string {
	var l []string
	for _, v := range schemaVariants(s) {
		for _, n := range schemaTypes(v) {
			switch n {
			case "null":
			case "integer":
				l = appendNew(l, "number")
			default:
				l = appendNew(l, n)
			}
		}
	}
	return l
}

// schemaObjects calls yield for every object schema inside.
func schemaObjects(s vehicle.Value, yield func(vehicle.Value)) {
	for _, v := range schemaVariants(s) {
		if props, ok := v.Member("properties"); ok && props.Kind() == vehicle.Object {
			yield(v)
			for i := range props.Len() {
				schemaObjects(props.At(i), yield)
			}
		}
		if items, ok := v.Member("items"); ok {
			schemaObjects(items, yield)
		}
	}
}
