// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

// typ is what is known at load about the values of a left side. Kind unknown
// means any kind.
type typ struct {
	kind    vehicle.Kind
	enum    []string // members of a text, when it has only those
	unit    vehicle.Unit
	integer bool
	bounded bool    // min and max hold
	min     float64 // in unit
	max     float64
	delta   bool          // a difference: units convert without their zero point
	counted bool          // a truth that may be compared as a number
	elem    *typ          // of a list; nil: any
	schema  vehicle.Value // JSON Schema of an object or list, or unknown
}

// numeric reports whether the values can be compared by size. A free text may
// carry a number with its unit: "30%".
func (t typ) numeric() bool {
	return t.kind == vehicle.Number || t.kind == vehicle.Unknown || t.kind == vehicle.String && t.enum == nil
}

// join is the type of values that are of one type or the other.
func (t typ) join(o typ) typ {
	if t.kind != o.kind {
		return typ{}
	}
	if t.unit != o.unit {
		t.unit = ""
	}
	t.integer = t.integer && o.integer
	t.bounded = t.bounded && o.bounded
	t.min, t.max = min(t.min, o.min), max(t.max, o.max)
	if t.enum == nil || o.enum == nil {
		t.enum = nil
	} else {
		t.enum = appendNew(slices.Clone(t.enum), o.enum...)
	}
	return t
}

// at is the type at a path inside.
func (t typ) at(p vehicle.Path) (typ, bool) {
	if len(p) == 0 || t.kind == vehicle.Unknown {
		return t, true
	}
	if t.schema.Kind() != vehicle.Object {
		return typ{}, t.kind == vehicle.Object || t.kind == vehicle.List
	}
	s, _, ok := schemaAt(t.schema, p)
	return schemaType(s), ok
}

func (t typ) members() []string { return schemaMembers(t.schema) }

func signalType(s *vehicle.Signal) typ {
	t := typ{unit: s.Unit}
	switch s.Type {
	case vehicle.TypeBool:
		t.kind = vehicle.Bool
	case vehicle.TypeEnum:
		t.kind, t.enum = vehicle.String, s.Allowed
	case vehicle.TypeText:
		t.kind = vehicle.String
	case vehicle.TypeList:
		t.kind = vehicle.List
	default:
		t.kind, t.integer = vehicle.Number, s.Type == vehicle.TypeInteger
		t.bounded, t.min, t.max = s.HasRange(), s.Min, s.Max
	}
	return t
}
