// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

// Test is one comparison, or alternatives of which one must hold.
type Test struct {
	Any   []*Test // or: the other fields are unused then
	Left  Left
	Quant Quant
	Op    Op
	Right Right
	Unit  vehicle.Unit // of a constant; empty: the left side's own
	Pos   vehicle.Pos

	unit       vehicle.Unit // in which numbers are compared
	scale, off float64      // right side's unit → unit
}

// Quant says how a test looks at a list.
type Quant uint8

// The ways to look at a list.
const (
	Whole Quant = iota // at the list itself
	Each               // the test holds for each element
	Some               // it holds for at least one
)

var quantNames = [...]string{"", "each", "some"}

func (q Quant) String() string { return quantNames[q] }

func (r *reader) tests(n *node) []*Test {
	if n == nil {
		return nil
	}
	var l []*Test
	for _, it := range r.list(n, "a list of tests") {
		if t := r.test(it); t != nil {
			l = append(l, t)
		}
	}
	return l
}

func (r *reader) test(n *node) *Test {
	if !r.isMap(n, "a test") {
		return nil
	}
	t := &Test{Pos: n.pos, scale: 1}
	if any := n.get("any"); any != nil {
		r.keys(n, "any")
		if t.Any = r.tests(any); len(t.Any) == 1 {
			r.bad(any.pos, "leave any out", "any with one test")
		}
		return t
	}
	if t.Left = r.head(n, testKeys()...); t.Left == nil {
		return nil
	}
	r.comparison(t, n)
	if u := n.get("unit"); u != nil {
		t.Unit = vehicle.Unit(r.text(u, "unit"))
		if !t.Unit.Valid() {
			r.bad(u.pos, didYouMean(string(t.Unit), vehicle.Units()), "unknown unit %q", t.Unit)
			t.Unit = ""
		}
	}
	return t
}

// comparison reads `OP: RIGHT`, or `each: {OP: RIGHT}`.
func (r *reader) comparison(t *Test, n *node) {
	for q, name := range quantNames[1:] {
		in := n.get(name)
		if in == nil {
			continue
		}
		if t.Quant != Whole {
			r.bad(in.pos, "write two tests", "each and some in one test")
			return
		}
		t.Quant = Quant(q + 1)
		if !r.isMap(in, name) {
			return
		}
		r.keys(in, opNames()...)
		r.op(t, in)
	}
	if t.Quant == Whole {
		r.op(t, n)
		return
	}
	for _, f := range n.fields {
		if slices.Contains(opNames(), f.name) {
			r.bad(f.pos, "put it inside "+t.Quant.String(), "a comparison beside %s", t.Quant)
		}
	}
}

func (r *reader) op(t *Test, n *node) {
	found := false
	for _, f := range n.fields {
		op, ok := opNamed(f.name)
		if !ok {
			continue
		}
		if found {
			r.bad(f.pos, "write two tests", "two comparisons in one test")
			return
		}
		found = true
		t.Op, t.Right = op, r.right(f.node)
	}
	switch {
	case found:
	case isTruth(t.Left) && t.Quant == Whole:
		t.Op, t.Right = Is, Right{Const: vehicle.BoolOf(true), Pos: n.pos}
	default:
		r.bad(n.pos, "add one of "+joined(opNames()), "a test without a comparison")
	}
}

// testKeys are the keys of a test besides those of its left side.
func testKeys() []string { return append(opNames(), "unit", "each", "some") }

func joined(l []string) string {
	s := ""
	for i, x := range l {
		if i > 0 {
			s += ", "
		}
		s += x
	}
	return s
}
