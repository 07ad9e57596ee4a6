// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// plain executes a tool that only reads or sets signals, by what the profile
// declares: a write carries out its effects, and the result of either is put
// together from its returns.
func (c *Car) plain(t *vehicle.Tool, args vehicle.Value) (vehicle.Value, error) {
	quirk, known := quirks[t.Name]
	if !known {
		for _, v := range t.Input.Validate(args) {
			return vehicle.Value{}, fmt.Errorf("argument %s: %s", v.Path, v.Text)
		}
	}
	for _, k := range quirk.checks {
		if bad := k.violated(args); bad {
			return c.fail(quirk.code+"_"+k.code, className(t.Name)+"_"+k.code+": "+k.text), nil
		}
	}
	if t.Access == vehicle.Read {
		return success(c.result(t, args)), nil
	}
	as, err := t.Effects(args, nil)
	if err != nil {
		return vehicle.Value{}, err
	}
	next := c.state.Clone()
	for _, a := range as {
		if s := c.Profile.Signals[a.Signal]; a.Op == vehicle.Set {
			if err := check(s, a.Value); err != nil {
				return vehicle.Value{}, err
			}
		}
	}
	next.Apply(as)
	c.state = next
	return success(c.result(t, args)), nil
}

// result puts a result together from arguments and state, as the tool declares
// it; what is not known reads "unknown".
func (c *Car) result(t *vehicle.Tool, args vehicle.Value) vehicle.Value {
	return t.Compose(c.Profile, args, func(s *vehicle.Signal) vehicle.Value {
		if v := c.state[s.ID]; v.Kind() != vehicle.Unknown {
			return v
		}
		return vehicle.TextOf("unknown")
	})
}

// check says why the signal cannot have the value. Besides what the signal
// declares, a number must lie on the signal's step.
func check(s *vehicle.Signal, v vehicle.Value) error {
	if err := s.Check(v); err != nil {
		return err
	}
	if f, ok := v.Float(); ok && s.Step > 0 {
		if n := (f - s.Min) / s.Step; math.Abs(n-math.Round(n)) > 1e-9 {
			return fmt.Errorf("%s: %v is no multiple of %g", s.Name, v, s.Step)
		}
	}
	return nil
}

// A quirk is what a tool of the recorded car does beyond its declaration.
type quirk struct {
	code   string // of its errors
	checks []argCheck
}

// argCheck is one check of an argument that ends in an error envelope.
type argCheck struct {
	code, text string
	arg        string
	min, max   float64
	enum       string // members, separated by ", "
	noList     bool
}

func (k argCheck) violated(args vehicle.Value) bool {
	v := member(args, k.arg)
	switch {
	case k.noList:
		return v.Kind() == vehicle.List
	case k.enum != "":
		for _, m := range strings.Split(k.enum, ", ") {
			if s, ok := v.Text(); ok && s == m {
				return false
			}
		}
		return true
	}
	f, ok := v.Float()
	return ok && (f < k.min || f > k.max)
}
