// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"math"
	"unicode/utf8"
)

// acceptor decides for a simple schema, without the library, that a value is
// valid. It is right when it says so; when it does not, the library is asked,
// which also knows how to say what is wrong.
type acceptor struct {
	types      uint8 // set of 1<<Kind; 0: any
	whole      bool  // of numbers only whole ones
	enum       []Value
	min, max   float64
	multiple   float64 // 0: none
	minLen     int     // of texts in code points, and of lists
	maxLen     int
	minItems   int
	maxItems   int
	required   []string
	names      []string // of properties
	properties []*acceptor
	additional *acceptor // nil: none may be there
	items      *acceptor
}

// newAcceptor reads a schema that is [simple]; nil accepts nothing.
func newAcceptor(doc Value) *acceptor {
	a := &acceptor{min: math.Inf(-1), max: math.Inf(1), maxLen: math.MaxInt, maxItems: math.MaxInt, additional: &acceptAny, items: &acceptAny}
	if yes, ok := doc.Truth(); ok {
		if yes {
			return &acceptAny
		}
		return nil
	}
	for i := range doc.Len() {
		if !a.keyword(doc.NameAt(i), doc.At(i)) {
			return nil
		}
	}
	return a
}

var acceptAny = acceptor{min: math.Inf(-1), max: math.Inf(1), maxLen: math.MaxInt, maxItems: math.MaxInt}

func (a *acceptor) keyword(name string, v Value) bool {
	f, _ := v.Float()
	switch name {
	case "type":
		return a.takeTypes(v)
	case "enum", "const":
		// Of both at once, and of an enum of nothing, the library decides.
		if a.enum != nil || name == "enum" && v.Len() == 0 {
			return false
		}
		a.enum = []Value{v}
		if name == "enum" {
			a.enum = v.Items()
		}
	case "minimum":
		a.min = f
	case "maximum":
		a.max = f
	case "multipleOf":
		a.multiple = f
	case "minLength":
		a.minLen = int(f)
	case "maxLength":
		a.maxLen = int(min(f, 1<<30))
	case "minItems":
		a.minItems = int(f)
	case "maxItems":
		a.maxItems = int(min(f, 1<<30))
	case "required":
		for _, it := range v.Items() {
			a.required = append(a.required, it.str)
		}
	case "items":
		a.items = newAcceptor(v)
	case "additionalProperties":
		a.additional = newAcceptor(v)
	case "properties":
		for i := range v.Len() {
			a.names, a.properties = append(a.names, v.NameAt(i)), append(a.properties, newAcceptor(v.At(i)))
		}
	}
	return true
}

func (a *acceptor) takeTypes(v Value) bool {
	list := v.Items()
	if v.Kind() == String {
		list = []Value{v}
	}
	for _, it := range list {
		switch it.str {
		case "object":
			a.types |= 1 << Object
		case "array":
			a.types |= 1 << List
		case "string":
			a.types |= 1 << String
		case "boolean":
			a.types |= 1 << Bool
		case "integer":
			a.whole = a.types&(1<<Number) == 0
			a.types |= 1 << Number
		case "number":
			a.whole = false
			a.types |= 1 << Number
		case "null":
			a.types |= 1 << Unknown // never accepted here, but it is a type
		}
	}
	return true
}

// accepts reports whether the value is certain to be valid.
func (a *acceptor) accepts(v Value) bool {
	if a == nil || v.kind == Unknown || a.types != 0 && a.types&(1<<v.kind) == 0 || a.enum != nil && !a.among(v) {
		return false
	}
	switch v.kind {
	case Number:
		return v.str == "" && v.num >= a.min && v.num <= a.max && (!a.whole || v.num == math.Trunc(v.num)) &&
			(a.multiple == 0 || quarters(a.multiple) && math.Abs(v.num) < 1<<40 && math.Mod(v.num, a.multiple) == 0)
	case String:
		n := utf8.RuneCountInString(v.str)
		return n >= a.minLen && n <= a.maxLen
	case List:
		if n := v.Len(); n < a.minItems || n > a.maxItems {
			return false
		}
		for _, it := range v.Items() {
			if a.items != &acceptAny && !a.items.accepts(it) {
				return false
			}
		}
	case Object:
		return a.acceptsMembers(v)
	}
	return true
}

// quarters reports whether a number is a multiple of ¼. Such numbers, if they are
// not huge, are the same in binary as they are written, so that nothing is rounded.
func quarters(f float64) bool { return f*4 == math.Trunc(f*4) }

// among reports whether a text or a truth value is one of the enumeration.
// Numbers are compared in more than one way, and left to the library.
func (a *acceptor) among(v Value) bool {
	if v.kind != String && v.kind != Bool {
		return false
	}
	for i := range a.enum {
		if e := &a.enum[i]; e.kind == v.kind && e.str == v.str && e.num == v.num {
			return true
		}
	}
	return false
}

func (a *acceptor) acceptsMembers(v Value) bool {
	for _, name := range a.required {
		if _, ok := v.Member(name); !ok {
			return false
		}
	}
members:
	for i, name := range v.comp.names {
		for _, before := range v.comp.names[:i] {
			if before == name {
				return false
			}
		}
		for k, known := range a.names {
			if known == name {
				if !a.properties[k].accepts(v.comp.items[i]) {
					return false
				}
				continue members
			}
		}
		if a.additional != &acceptAny && !a.additional.accepts(v.comp.items[i]) {
			return false
		}
	}
	return true
}
