// SPDX-License-Identifier: Apache-2.0

package vehicle_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// validArgs draws arguments that the schema allows, for the keywords that the
// embedded profiles use.
func validArgs(t *rapid.T, s *vehicle.Schema, name string) vehicle.Value {
	if len(s.Enum) > 0 {
		return rapid.SampledFrom(s.Enum).Draw(t, name)
	}
	switch s.Type {
	case "boolean":
		return vehicle.BoolOf(rapid.Bool().Draw(t, name))
	case "number", "integer":
		lo, hi, step := 0.0, 1000.0, s.MultipleOf
		if s.Min != nil {
			lo = *s.Min
		}
		if s.Max != nil {
			hi = *s.Max
		}
		if step == 0 {
			step = 1
		}
		return vehicle.NumberOf(lo + step*float64(rapid.IntRange(0, int((hi-lo)/step)).Draw(t, name)))
	case "array":
		var items []vehicle.Value
		for range rapid.IntRange(1, 3).Draw(t, name+" length") {
			items = append(items, validArgs(t, s.Items, name))
		}
		return vehicle.ListOf(items...)
	case "object":
		out := vehicle.ObjectOf()
		for _, p := range s.Properties {
			if s.Requires(p.Name) || rapid.Bool().Draw(t, name+" has "+p.Name) {
				out = out.With(p.Name, validArgs(t, p.Schema, p.Name))
			}
		}
		return out
	}
	return vehicle.TextOf(rapid.StringMatching(`[a-z]{1,8}`).Draw(t, name))
}

// TestEffectsOfValidCalls: whatever valid arguments a write is called with,
// its effects follow, every value is one that its signal can have, and
// nothing changes that the tool does not declare to touch.
func TestEffectsOfValidCalls(t *testing.T) {
	for _, file := range []string{testdata.DemoEV, testdata.Greenhouse} {
		p := loadEmbedded(t, file)
		for _, tool := range p.Tools {
			t.Run(p.Name+"/"+tool.Name, func(t *testing.T) {
				touched := map[vehicle.SignalID]bool{}
				for _, a := range tool.Touches(nil) {
					touched[a.Signal] = true
				}
				rapid.Check(t, func(t *rapid.T) {
					args := validArgs(t, tool.Input, "args")
					if v := tool.Input.Validate(args); len(v) > 0 {
						t.Fatalf("%v is no valid call: %v", args, v)
					}
					as, err := tool.Effects(args, nil)
					if err != nil {
						t.Fatalf("%v: %v", args, err)
					}
					if tool.Access != vehicle.Write && len(as) > 0 {
						t.Fatalf("a %v changes %v", tool.Access, as)
					}
					for _, a := range as {
						s := p.Signals[a.Signal]
						if !touched[a.Signal] {
							t.Errorf("%s is set and not touched", s.Name)
						}
						if err := s.Check(a.Value); a.Op == vehicle.Set && err != nil {
							t.Error(err)
						}
					}
				})
			})
		}
	}
}

// TestEffectsFitTheBus: a value that a tool can set can be said on the bus.
func TestEffectsFitTheBus(t *testing.T) {
	p := loadEmbedded(t, testdata.DemoEV)
	for _, tool := range p.Tools {
		if tool.Access != vehicle.Write || tool.Service != "" {
			continue
		}
		t.Run(tool.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				as, err := tool.Effects(validArgs(t, tool.Input, "args"), nil)
				if err != nil {
					t.Fatal(err)
				}
				for _, a := range as {
					s := p.Signals[a.Signal]
					if s.Command.Bus == "" {
						if got := s.Status.TopicValue(s, s.Command.TopicPayload(a.Value)); !got.Equal(a.Value) {
							t.Errorf("%s: %v reads back as %v", s.Name, a.Value, got)
						}
						continue
					}
					w, err := vehicle.NewWire(s, s.Command, p.Databases()[s.Command.Bus])
					if err != nil {
						t.Fatal(err)
					}
					set, err := w.Setting(a.Value)
					if err != nil {
						t.Fatal(err)
					}
					f, err := w.Message().Encode(w.Message().Blank(), set)
					if err != nil {
						t.Fatal(err)
					}
					vs, err := w.Message().Decode(f, nil)
					if err != nil {
						t.Fatal(err)
					}
					for _, v := range vs {
						if v.Signal == w.DBC && !w.Value(v).Equal(a.Value) {
							t.Errorf("%s: %v reads back as %v", s.Name, a.Value, w.Value(v))
						}
					}
				}
			})
		})
	}
}
