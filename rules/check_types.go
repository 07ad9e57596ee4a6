// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// signalTypes is the common type of the signals that fit a pattern.
func (c *checker) signalTypes(matched []vehicle.Matched, pos vehicle.Pos) typ {
	var t typ
	for i, m := range matched {
		sig := c.cat.Profile.Signals[m.Signal]
		c.readable(sig, pos)
		s := signalType(sig)
		switch {
		case i == 0:
			t = s
		case t.kind != s.kind || t.unit != s.unit:
			first := c.cat.Profile.Signals[matched[0].Signal]
			c.bad(pos, "make the pattern narrower", "%s and %s fit one pattern but have different types", first.Name, sig.Name)
			return typ{}
		default:
			t = t.join(s)
		}
	}
	return t
}

// readable reports a signal whose value nothing can ever tell.
func (c *checker) readable(s *vehicle.Signal, pos vehicle.Pos) {
	c.require(Requirement{Field: s.Name, signal: s.ID})
	if s.Status != nil {
		return
	}
	for _, t := range c.allTools() {
		for _, r := range t.Returns {
			if t.Access == vehicle.Read && r.Signal == s.ID {
				return
			}
		}
	}
	c.bad(pos, "let a read return it", "no tool returns %s", s.Name)
}

// argument is the type of a tool's argument, with the unit of the signal that
// the argument sets.
func (c *checker) argument(t *vehicle.Tool, p vehicle.Path, pos vehicle.Pos) typ {
	if t.Input == nil {
		c.bad(pos, "", "%s takes no arguments", t.Name)
		return typ{}
	}
	at, near, ok := schemaAt(t.Input.Raw, p)
	if !ok {
		c.bad(pos, didYouMean(p.String(), near), "%s has no argument %s", t.Name, p)
		return typ{}
	}
	out := schemaType(at)
	out.unit = ArgumentUnit(c.cat.Profile, t, p)
	return out
}

// resultPath is the type at a path of a read's result.
func (c *checker) resultPath(t *vehicle.Tool, p vehicle.Path, pos vehicle.Pos) typ {
	for _, r := range t.Returns {
		if r.Path.String() == p.String() {
			out := signalType(c.cat.Profile.Signals[r.Signal])
			if r.Unit != "" {
				out.unit = r.Unit
			}
			return out
		}
	}
	if t.Output == nil || t.Output.Raw.Kind() != vehicle.Object {
		var paths []string
		for _, r := range t.Returns {
			paths = append(paths, r.Path.String())
		}
		if paths == nil {
			c.bad(pos, "declare its output in the profile", "%s declares no result", t.Name)
		} else {
			c.bad(pos, didYouMean(p.String(), paths), "the result of %s has no %s", t.Name, p)
		}
		return typ{}
	}
	at, near, ok := schemaAt(t.Output.Raw, p)
	if !ok {
		c.bad(pos, didYouMean(lastName(p), near), "the result of %s has no %s", t.Name, p)
		return typ{}
	}
	return schemaType(at)
}

// objectPath is the type of a member of an observed object: one that some
// tool's result holds.
func (c *checker) objectPath(p vehicle.Path, pos vehicle.Pos) typ {
	var near []string
	var out typ
	found := false
	for _, o := range c.objects {
		at, n, ok := schemaAt(o, p)
		if !ok {
			near = appendNew(near, n...)
			continue
		}
		t := schemaType(at)
		if found {
			t = out.join(t)
		}
		out, found = t, true
	}
	if !found {
		c.bad(pos, didYouMean(lastName(p), near), "no result holds an object with %s", p)
	}
	return out
}

func lastName(p vehicle.Path) string {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i].Name != "" {
			return p[i].Name
		}
	}
	return ""
}

// convert is [conversion] with its error reported.
func (c *checker) convert(from, to vehicle.Unit, delta bool, pos vehicle.Pos) (scale, off float64) {
	scale, off, err := conversion(from, to, delta)
	if err != nil {
		c.bad(pos, "", "units do not fit: %v", err)
	}
	return scale, off
}

// describe names a type for people.
func (t typ) describe() string {
	switch {
	case t.enum != nil:
		return "one of " + strings.Join(t.enum, ", ")
	case t.unit != "":
		return fmt.Sprintf("a %s in %s", t.kind, t.unit)
	case t.kind == vehicle.Object:
		return "an object"
	}
	return "a " + t.kind.String()
}
