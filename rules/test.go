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

	left       typ          // of what is compared
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

func (r *reader) tests(n *vehicle.Node) []*Test {
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

func (r *reader) test(n *vehicle.Node) *Test {
	if !r.isMap(n, "a test") {
		return nil
	}
	t := &Test{Pos: n.Pos, scale: 1}
	if any := n.Member("any"); any != nil {
		r.keys(n, "any")
		if t.Any = r.tests(any); len(t.Any) == 1 {
			r.bad(any.Pos, "leave any out", "any with one test")
		}
		return t
	}
	if t.Left = r.head(n, testKeys()...); t.Left == nil {
		return nil
	}
	r.comparison(t, n)
	if u := n.Member("unit"); u != nil {
		t.Unit = vehicle.Unit(r.text(u, "unit"))
		if !t.Unit.Valid() {
			r.bad(u.Pos, didYouMean(string(t.Unit), vehicle.Units()), "unknown unit %q", t.Unit)
			t.Unit = ""
		}
	}
	return t
}

// comparison reads `OP: RIGHT`, or `each: {OP: RIGHT}`.
func (r *reader) comparison(t *Test, n *vehicle.Node) {
	for q, name := range quantNames[1:] {
		in := n.Member(name)
		if in == nil {
			continue
		}
		if t.Quant != Whole {
			r.bad(in.Pos, "write two tests", "each and some in one test")
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
	for _, f := range n.Members {
		if slices.Contains(opNames(), f.Name) {
			r.bad(f.Pos, "put it inside "+t.Quant.String(), "a comparison beside %s", t.Quant)
		}
	}
}

func (r *reader) op(t *Test, n *vehicle.Node) {
	found := false
	for _, f := range n.Members {
		op, ok := opNamed(f.Name)
		if !ok {
			continue
		}
		if found {
			r.bad(f.Pos, "write two tests", "two comparisons in one test")
			return
		}
		found = true
		t.Op, t.Right = op, r.right(f.Value)
	}
	switch {
	case found:
	case isTruth(t.Left) && t.Quant == Whole:
		t.Op, t.Right = Is, Right{Const: vehicle.BoolOf(true), Pos: n.Pos}
	default:
		r.bad(n.Pos, "add one of "+joined(opNames()), "a test without a comparison")
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
