// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// Describe returns the schema with what [Reduce] and the servers' own types
// drop put into the descriptions: bounds, steps, formats, defaults. It keeps
// everything else.
func Describe(doc vehicle.Value) vehicle.Value { return describe(doc, 0) }

func describe(doc vehicle.Value, depth int) vehicle.Value {
	if doc.Kind() != vehicle.Object || depth > maxDepth {
		return doc
	}
	if words := limits(doc); words != "" {
		d, _ := doc.Member("description")
		text, _ := d.Text()
		if text != "" {
			words = strings.TrimSuffix(text, ".") + " (" + words + ")"
		}
		doc = doc.With("description", vehicle.TextOf(words))
	}
	if props, ok := doc.Member("properties"); ok && props.Kind() == vehicle.Object {
		for i := range props.Len() {
			props = props.With(props.NameAt(i), describe(props.At(i), depth+1))
		}
		doc = doc.With("properties", props)
	}
	if items, ok := doc.Member("items"); ok {
		doc = doc.With("items", describe(items, depth+1))
	}
	return doc
}

// limits says in words what a schema's keywords demand.
func limits(doc vehicle.Value) string {
	get := func(key string) string {
		m, ok := doc.Member(key)
		if !ok {
			return ""
		}
		return m.String()
	}
	var l []string
	add := func(before, key, after string) {
		if v := get(key); v != "" {
			l = append(l, before+v+after)
		}
	}
	if lo, hi := get("minimum"), get("maximum"); lo != "" && hi != "" {
		l = append(l, lo+" to "+hi)
	} else {
		add("at least ", "minimum", "")
		add("at most ", "maximum", "")
	}
	add("above ", "exclusiveMinimum", "")
	add("below ", "exclusiveMaximum", "")
	add("in steps of ", "multipleOf", "")
	add("format ", "format", "")
	add("pattern ", "pattern", "")
	add("at least ", "minItems", " elements")
	add("at most ", "maxItems", " elements")
	add("default ", "default", "")
	return strings.Join(l, ", ")
}
