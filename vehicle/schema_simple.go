// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"math"
	"slices"
)

// jsonTypes are the types of JSON Schema.
var jsonTypes = []string{"object", "array", "string", "number", "integer", "boolean", "null"}

// simple reports whether a schema is certain to compile: it only has the
// keywords below, each with a value of the right kind. Compiling such a
// schema can wait until something is validated with it, which saves most of
// the time it takes to load a profile.
func simple(doc Value, depth int) bool {
	if doc.Kind() == Bool {
		return true
	}
	if doc.Kind() != Object || depth > maxDepth {
		return false
	}
	for i := range doc.Len() {
		if !simpleKeyword(doc.NameAt(i), doc.At(i), depth) {
			return false
		}
	}
	return true
}

func simpleKeyword(name string, v Value, depth int) bool {
	f, number := v.Float()
	switch name {
	case "type":
		return simpleType(v)
	case "enum", "examples":
		return v.Kind() == List && v.Len() > 0
	case "const", "default":
		return true
	case "title", "description":
		return v.Kind() == String
	case "minimum", "maximum":
		return number
	case "multipleOf":
		return number && f > 0
	case "minLength", "maxLength", "minItems", "maxItems":
		return number && f >= 0 && f == math.Trunc(f)
	case "required":
		return simpleNames(v)
	case "items", "additionalProperties":
		return simple(v, depth+1)
	case "properties":
		if v.Kind() != Object {
			return false
		}
		for i := range v.Len() {
			if !simple(v.At(i), depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

func simpleType(v Value) bool {
	if s, ok := v.Text(); ok {
		return slices.Contains(jsonTypes, s)
	}
	for _, it := range v.Items() {
		if s, ok := it.Text(); !ok || !slices.Contains(jsonTypes, s) {
			return false
		}
	}
	return v.Len() > 0 && simpleNames(v)
}

// simpleNames reports whether v is a list of texts, each there once.
func simpleNames(v Value) bool {
	if v.Kind() != List {
		return false
	}
	for i, it := range v.Items() {
		if it.Kind() != String || slices.ContainsFunc(v.Items()[:i], it.Equal) {
			return false
		}
	}
	return true
}
