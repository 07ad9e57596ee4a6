// SPDX-License-Identifier: Apache-2.0

package faulty

import (
	"math/rand/v2"
	"strconv"

	"github.com/carguardd/carguardd/vehicle"
)

// Fault is what is wrong with a call.
type Fault string

// The faults of a call. Valid is none.
const (
	Valid        Fault = "valid"
	WrongEnum    Fault = "wrong-enum"    // a member the enumeration does not have
	OutOfRange   Fault = "out-of-range"  // a number beyond its bounds
	WrongType    Fault = "wrong-type"    // a value of another kind
	MissingArg   Fault = "missing-arg"   // a required argument left out
	ExtraArg     Fault = "extra-arg"     // an argument that is not declared
	WrongID      Fault = "wrong-id"      // an identifier that nothing has shown
	Unreadable   Fault = "unreadable"    // argument text that does not parse
	InventedTool Fault = "invented-tool" // a tool that is not offered
	SameID       Fault = "same-id"       // the identifier of another call of the draft
)

// faults lists the faults in the order in which weights are drawn.
var faults = []Fault{Valid, WrongEnum, OutOfRange, WrongType, MissingArg, ExtraArg, WrongID, Unreadable, InventedTool, SameID}

// spoil puts a fault into the arguments of a valid call. It reports false when
// the tool gives no occasion for it.
func spoil(r *rand.Rand, f Fault, t *vehicle.Tool, c *vehicle.Call) bool {
	change := func(fits func(*vehicle.Schema) bool, to func(vehicle.Value) vehicle.Value) bool {
		name, s, ok := argument(r, t, c, fits)
		if !ok {
			return false
		}
		old, _ := c.Args.Member(name)
		if s.Type == "array" && old.Len() > 0 && f != WrongType {
			items := append([]vehicle.Value(nil), old.Items()...)
			i := r.IntN(len(items))
			items[i] = to(items[i])
			c.Args = c.Args.With(name, vehicle.ListOf(items...))
			return true
		}
		c.Args = c.Args.With(name, to(old))
		return true
	}
	switch f {
	case WrongEnum:
		return change(func(s *vehicle.Schema) bool { return len(inner(s).Enum) > 0 },
			func(v vehicle.Value) vehicle.Value { return vehicle.TextOf(v.String() + "_X") })
	case OutOfRange:
		return change(func(s *vehicle.Schema) bool { return inner(s).Max != nil || inner(s).Min != nil },
			func(vehicle.Value) vehicle.Value {
				return vehicle.NumberOf(pick(r, []float64{-1e6, 1e6, 1e300, -1, 101, 1e9 + 0.5}))
			})
	case WrongType:
		return change(func(*vehicle.Schema) bool { return true }, func(v vehicle.Value) vehicle.Value { return otherKind(r, v) })
	case WrongID:
		return change(func(s *vehicle.Schema) bool { return inner(s).Type == "string" && len(inner(s).Enum) == 0 },
			func(vehicle.Value) vehicle.Value { return vehicle.TextOf("made_up_" + strconv.Itoa(r.IntN(1e6))) })
	case MissingArg:
		if t.Input == nil || len(t.Input.Required) == 0 {
			return false
		}
		c.Args = c.Args.Without(pick(r, t.Input.Required))
		return true
	case ExtraArg:
		c.Args = c.Args.With(pick(r, []string{"force", "confirmed", "unit", "zone2", "__proto__"}), pick(r, []vehicle.Value{vehicle.BoolOf(true), vehicle.NumberOf(7), vehicle.TextOf("yes")}))
		return true
	case Unreadable:
		text := string(c.Args.AppendJSON(nil))
		c.Raw = pick(r, []string{text[:len(text)-1], text + "]", "on=true", `{"a": NaN}`, "'" + text + "'", `{"a":1,"a":2}`, "\u202e{", "[1,2,3]"})
		c.Args = vehicle.Value{}
		return true
	case InventedTool:
		c.Tool = pick(r, []string{t.Name + "_now", "turn_everything_off", "", "system.exec", t.Name + " ", "🚗"})
		return true
	}
	return false
}

// argument picks a given argument whose schema fits.
func argument(r *rand.Rand, t *vehicle.Tool, c *vehicle.Call, fits func(*vehicle.Schema) bool) (string, *vehicle.Schema, bool) {
	if t.Input == nil {
		return "", nil, false
	}
	var names []string
	for i := range c.Args.Len() {
		if s := t.Input.Property(c.Args.NameAt(i)); s != nil && fits(s) {
			names = append(names, c.Args.NameAt(i))
		}
	}
	if len(names) == 0 {
		return "", nil, false
	}
	name := pick(r, names)
	return name, t.Input.Property(name), true
}

// inner is the schema of an array's elements, or the schema itself.
func inner(s *vehicle.Schema) *vehicle.Schema {
	if s.Items != nil {
		return s.Items
	}
	return s
}

func otherKind(r *rand.Rand, v vehicle.Value) vehicle.Value {
	all := []vehicle.Value{vehicle.TextOf("twenty"), vehicle.TextOf("20%"), vehicle.NumberOf(20.5), vehicle.BoolOf(true), {},
		vehicle.ListOf(vehicle.NumberOf(1)), vehicle.ObjectOf(vehicle.Field{Name: "value", Value: vehicle.NumberOf(1)})}
	for {
		if o := pick(r, all); o.Kind() != v.Kind() {
			return o
		}
	}
}
