// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

// Limits of what a reduced schema states. Beyond them the keyword is left out.
const (
	maxDepth    = 12
	maxNumber   = 1000 // minLength, maxLength, minItems, maxItems
	maxInteger  = 1e15 // bounds of integers
	maxMembers  = 128  // properties of one object, alternatives of one choice
	maxEnum     = 512
	maxNodes    = 2000 // schemas in a schema
	maxEnumText = 200  // bytes
)

// Any is the schema of a value of any kind. It says so by naming all kinds,
// because servers read an empty schema as an object.
var Any = vehicle.MustJSON(`{"type": ["object", "array", "string", "number", "boolean", "null"]}`)

// Reduce returns a schema that allows all that doc allows, in keywords that
// every server understands: type, enum, const, properties, required,
// additionalProperties: false, items, anyOf, bounds of lengths and of
// integers, and simple patterns. Descriptions are kept.
func Reduce(doc vehicle.Value) vehicle.Value {
	r := reducer{root: doc, left: maxNodes}
	return r.reduce(doc, 0)
}

type reducer struct {
	root vehicle.Value
	left int // nodes that may still be made: references multiply
}

func (r *reducer) reduce(doc vehicle.Value, depth int) vehicle.Value {
	if r.left--; r.left < 0 || depth > maxDepth || doc.Kind() != vehicle.Object {
		return Any
	}
	if ref, ok := doc.Member("$ref"); ok {
		return r.reduce(r.resolve(ref), depth+1)
	}
	out := vehicle.ObjectOf()
	if d, ok := doc.Member("description"); ok && d.Kind() == vehicle.String {
		out = out.With("description", d)
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if alt, ok := doc.Member(key); ok && alt.Len() > 0 && alt.Len() <= maxMembers {
			l := make([]vehicle.Value, alt.Len())
			for i, a := range alt.Items() {
				l[i] = r.reduce(a, depth+1)
			}
			return out.With("anyOf", vehicle.ListOf(l...))
		}
	}
	if c, ok := doc.Member("const"); ok {
		return typed(out, doc).With("const", c)
	}
	if e, ok := doc.Member("enum"); ok && enumFits(e) {
		return typed(out, doc).With("enum", e)
	}
	t, ok := doc.Member("type")
	if !ok || t.Kind() == vehicle.List {
		t = types(doc, t)
	}
	if t.Kind() == vehicle.List {
		return out.With("type", t) // a keyword beside several types may be read for each of them
	}
	out = out.With("type", t)
	switch t.String() {
	case "object":
		return r.object(out, doc, depth)
	case "array":
		out = out.With("items", r.member(doc, "items", depth))
		return r.bounds(out, doc, "minItems", "maxItems")
	case "string":
		if p, ok := doc.Member("pattern"); ok && safePattern(p.String()) {
			return out.With("pattern", p) // lengths beside a pattern are not read
		}
		return r.bounds(out, doc, "minLength", "maxLength")
	case "integer":
		return integer(out, doc)
	case "number", "boolean", "null":
		return out
	}
	return Any
}

func (r *reducer) object(out, doc vehicle.Value, depth int) vehicle.Value {
	props, ok := doc.Member("properties")
	if !ok || props.Kind() != vehicle.Object || props.Len() > maxMembers {
		return out
	}
	reduced := vehicle.ObjectOf()
	for i := range props.Len() {
		if props.At(i).Kind() == vehicle.Object { // misplaced keywords are no properties
			reduced = reduced.With(props.NameAt(i), r.reduce(props.At(i), depth+1))
		}
	}
	out = out.With("properties", reduced)
	if req, ok := doc.Member("required"); ok {
		var l []vehicle.Value
		for _, n := range req.Items() {
			if _, ok := reduced.Member(n.String()); ok {
				l = append(l, n)
			}
		}
		out = out.With("required", vehicle.ListOf(l...))
	}
	if a, ok := doc.Member("additionalProperties"); ok {
		if b, isBool := a.Truth(); isBool && !b {
			out = out.With("additionalProperties", a)
		}
	}
	return out
}

func (r *reducer) member(doc vehicle.Value, name string, depth int) vehicle.Value {
	m, _ := doc.Member(name)
	return r.reduce(m, depth+1)
}

// bounds copies a lower and an upper bound of a length, each clipped to what
// servers survive.
func (r *reducer) bounds(out, doc vehicle.Value, lower, upper string) vehicle.Value {
	if m, ok := doc.Member(lower); ok {
		if f, ok := m.Float(); ok && f >= 1 {
			out = out.With(lower, vehicle.NumberOf(float64(int(min(f, maxNumber)))))
		}
	}
	if m, ok := doc.Member(upper); ok {
		if f, ok := m.Float(); ok && f >= 0 && f <= maxNumber {
			out = out.With(upper, vehicle.NumberOf(float64(int(f))))
		}
	}
	return out
}

// integer copies the bounds of an integer when they are integers themselves.
func integer(out, doc vehicle.Value) vehicle.Value {
	for _, key := range []string{"minimum", "maximum"} {
		m, _ := doc.Member(key)
		if f, ok := m.Float(); ok && f == float64(int64(f)) && f >= -maxInteger && f <= maxInteger {
			out = out.With(key, vehicle.NumberOf(f))
		}
	}
	return out
}

// typed copies a single type that stands beside an enum or a const: some
// servers demand it, and several make them forget the members.
func typed(out, doc vehicle.Value) vehicle.Value {
	if t, ok := doc.Member("type"); ok && t.Kind() == vehicle.String && slices.Contains(kinds, t.String()) {
		return out.With("type", t)
	}
	return out
}

var kinds = []string{"object", "array", "string", "number", "integer", "boolean", "null"}

// types returns the single type that a schema's other keywords imply, or the
// list of those it names, or all.
func types(doc, list vehicle.Value) vehicle.Value {
	var l []vehicle.Value
	for _, t := range list.Items() {
		if slices.Contains(kinds, t.String()) {
			l = append(l, t)
		}
	}
	if len(l) == 1 {
		return l[0]
	}
	if len(l) > 1 {
		return vehicle.ListOf(l...)
	}
	if _, ok := doc.Member("properties"); ok {
		return vehicle.TextOf("object")
	}
	t, _ := Any.Member("type")
	return t
}

func enumFits(e vehicle.Value) bool {
	if e.Len() == 0 || e.Len() > maxEnum {
		return false
	}
	for _, v := range e.Items() {
		if len(v.String()) > maxEnumText {
			return false
		}
	}
	return true
}

// resolve follows a reference into the schema itself.
func (r *reducer) resolve(ref vehicle.Value) vehicle.Value {
	path, ok := pointer(ref.String())
	if !ok {
		return vehicle.Value{}
	}
	v := r.root
	for _, name := range path {
		if v, ok = v.Member(name); !ok {
			return vehicle.Value{}
		}
	}
	return v
}
