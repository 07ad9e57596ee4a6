// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Kind is the type of a [Value].
type Kind uint8

// The kinds of a value. Unknown is the zero kind: a value nobody has read.
const (
	Unknown Kind = iota
	Bool
	Number
	String
	List
	Object
)

var kindNames = [...]string{"unknown", "boolean", "number", "string", "list", "object"}

func (k Kind) String() string { return kindNames[k] }

// Value is one immutable piece of data: a signal's value, an argument, a tool
// result. The zero Value is unknown. Values share their inner parts when
// copied; nothing changes a Value after it was made.
type Value struct {
	kind Kind
	num  float64 // number, or 0/1 of a boolean
	str  string  // string, or the literal of a number that float64 cannot carry
	comp *compound
}

type compound struct {
	names []string // member names of an object, in the order they were read
	items []Value  // elements of a list, member values of an object
}

// Field is one member of an object value.
type Field struct {
	Name  string
	Value Value
}

// BoolOf, NumberOf, TextOf, ListOf and ObjectOf make values.
func BoolOf(b bool) Value {
	v := Value{kind: Bool}
	if b {
		v.num = 1
	}
	return v
}

// NumberOf makes a number. NaN and the infinities are no numbers: they give
// unknown.
func NumberOf(f float64) Value {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Value{}
	}
	return Value{kind: Number, num: f}
}

// TextOf makes a string value.
func TextOf(s string) Value { return Value{kind: String, str: s} }

// ListOf makes a list value.
func ListOf(items ...Value) Value { return Value{kind: List, comp: &compound{items: items}} }

// ObjectOf makes an object value, its members in the given order.
func ObjectOf(fields ...Field) Value {
	c := &compound{names: make([]string, len(fields)), items: make([]Value, len(fields))}
	for i, f := range fields {
		c.names[i], c.items[i] = f.Name, f.Value
	}
	return Value{kind: Object, comp: c}
}

// Kind returns the value's kind.
func (v Value) Kind() Kind { return v.kind }

// Known reports whether the value says anything: null and the string
// "unknown" in any case do not.
func (v Value) Known() bool {
	return v.kind != Unknown && !(v.kind == String && strings.EqualFold(v.str, "unknown"))
}

// Truth returns the boolean, and whether the value is one.
func (v Value) Truth() (b, ok bool) { return v.num != 0, v.kind == Bool }

// Float returns the number, and whether the value is one.
func (v Value) Float() (f float64, ok bool) { return v.num, v.kind == Number }

// Text returns the string, and whether the value is one.
func (v Value) Text() (s string, ok bool) {
	if v.kind != String {
		return "", false
	}
	return v.str, true
}

// Len is the number of elements of a list or members of an object, else 0.
func (v Value) Len() int {
	if v.comp == nil {
		return 0
	}
	return len(v.comp.items)
}

// At returns element or member value i. It panics when i is out of range.
func (v Value) At(i int) Value { return v.comp.items[i] }

// NameAt returns the name of member i of an object.
func (v Value) NameAt(i int) string { return v.comp.names[i] }

// Items returns the elements of a list. The caller must not change them.
func (v Value) Items() []Value {
	if v.kind != List {
		return nil
	}
	return v.comp.items
}

// Member returns the named member of an object, and whether it has one.
func (v Value) Member(name string) (Value, bool) {
	if v.kind != Object {
		return Value{}, false
	}
	if i := slices.Index(v.comp.names, name); i >= 0 {
		return v.comp.items[i], true
	}
	return Value{}, false
}

// With returns the object with the member set to m, keeping its place when
// it exists. On anything but an object it returns a new object.
func (v Value) With(name string, m Value) Value {
	c := &compound{}
	if v.kind == Object {
		c.names, c.items = slices.Clone(v.comp.names), slices.Clone(v.comp.items)
	}
	if i := slices.Index(c.names, name); i >= 0 {
		c.items[i] = m
	} else {
		c.names, c.items = append(c.names, name), append(c.items, m)
	}
	return Value{kind: Object, comp: c}
}

// Without returns the object without the member.
func (v Value) Without(name string) Value {
	if _, ok := v.Member(name); !ok {
		return v
	}
	c := &compound{}
	for i, n := range v.comp.names {
		if n != name {
			c.names, c.items = append(c.names, n), append(c.items, v.comp.items[i])
		}
	}
	return Value{kind: Object, comp: c}
}

// Append returns the list with m added at its end; an unknown value stays
// unknown, since a list nobody read cannot be extended.
func (v Value) Append(m Value) Value {
	if v.kind != List {
		return Value{}
	}
	return ListOf(append(slices.Clip(v.comp.items), m)...)
}

// Equal compares two values: numbers by value, objects without regard to the
// order of members. Two unknown values are equal here; whether unknown equals
// anything is for the rules to say.
func (v Value) Equal(o Value) bool {
	if v.kind != o.kind {
		return false
	}
	switch v.kind {
	case Bool:
		return v.num == o.num
	case Number:
		if v.str != "" || o.str != "" {
			return v.literal() == o.literal()
		}
		return v.num == o.num
	case String:
		return v.str == o.str
	case List:
		return slices.EqualFunc(v.comp.items, o.comp.items, Value.Equal)
	case Object:
		if v.Len() != o.Len() {
			return false
		}
		for i, n := range v.comp.names {
			if m, ok := o.Member(n); !ok || !m.Equal(v.comp.items[i]) {
				return false
			}
		}
	}
	return true
}

// literal writes a number as short as it can be read back.
func (v Value) literal() string {
	if v.str != "" {
		return v.str
	}
	if v.num == math.Trunc(v.num) && math.Abs(v.num) < 1<<53 {
		return strconv.FormatInt(int64(v.num), 10)
	}
	return strconv.FormatFloat(v.num, 'g', -1, 64)
}

// String prints the value for people: text bare, everything else as JSON.
func (v Value) String() string {
	if v.kind == String {
		return v.str
	}
	if v.kind == Unknown {
		return "unknown"
	}
	return string(v.AppendJSON(nil))
}
