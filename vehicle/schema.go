// SPDX-License-Identifier: Apache-2.0

package vehicle

import "slices"

// Schema is the view of a JSON Schema that the harness works with: the
// keywords that tool declarations use. Raw holds the whole document, which is
// what the student sees and what validation uses.
type Schema struct {
	Type        string // the one JSON Schema type besides null, or empty
	Description string
	Enum        []Value // without null
	Const       Value
	Min, Max    *float64
	MultipleOf  float64 // 0: none
	Default     Value
	Format      string
	Required    []string
	Closed      bool // additionalProperties: false
	Properties  []Property
	Items       *Schema
	Raw         Value

	validate validator // set by ParseSchema
	quick    *acceptor // of a simple schema, or nil
}

// Property is one named member of an object schema.
type Property struct {
	Name   string
	Schema *Schema
}

// Property returns the schema of a member, or nil.
func (s *Schema) Property(name string) *Schema {
	if s == nil {
		return nil
	}
	for _, p := range s.Properties {
		if p.Name == name {
			return p.Schema
		}
	}
	return nil
}

// At returns the schema of the value at a path, or nil.
func (s *Schema) At(p Path) *Schema {
	for _, st := range p {
		switch {
		case s == nil:
			return nil
		case st.Name != "":
			s = s.Property(st.Name)
		default:
			s = s.Items
		}
	}
	return s
}

// Requires reports whether the member must be present.
func (s *Schema) Requires(name string) bool { return slices.Contains(s.Required, name) }

// EnumText returns the enum members as strings.
func (s *Schema) EnumText() []string {
	var l []string
	for _, v := range s.Enum {
		l = append(l, v.String())
	}
	return l
}
