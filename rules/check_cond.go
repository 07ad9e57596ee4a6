// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

func (c *checker) tests(ts []*Test) {
	for _, t := range ts {
		c.test(t)
	}
}

func (c *checker) test(t *Test) {
	if t.Any != nil {
		c.tests(t.Any)
		return
	}
	outer := c.gather
	c.gather = t.Quant != Whole
	left := t.Left.check(c)
	c.gather = outer
	if t.Quant != Whole {
		if left.kind != vehicle.List && left.kind != vehicle.Unknown {
			c.bad(t.Pos, "leave "+t.Quant.String()+" out", "%s is %s, no list", t.Left.Label(""), left.describe())
			return
		}
		if left.elem == nil {
			left = typ{}
		} else {
			left = *left.elem
		}
	}
	c.operands(t, left)
}

// operands checks the comparison and brings the right side into the unit of
// the left.
func (c *checker) operands(t *Test, left typ) {
	if left.counted {
		if called, ok := t.Left.(*CalledLeft); ok && (t.Op.orders() || t.Right.Const.Kind() == vehicle.Number) {
			called.counts, left = true, typ{kind: vehicle.Number, integer: true}
		}
	}
	t.left, t.unit = left, left.unit
	if t.unit == "" {
		t.unit = t.Unit
	}
	if t.Unit != "" && !left.numeric() {
		c.bad(t.Pos, "leave unit out", "%s is %s and has no unit", t.Left.Label(""), left.describe())
	}
	right := typ{}
	switch {
	case t.Right.Left != nil:
		outer := c.gather
		c.gather = t.Op == In || t.Op == NotIn
		right = t.Right.Left.check(c)
		c.gather = outer
		c.leftRight(t, left, right)
	case t.Right.Item:
		c.useItem(t.Right.Pos)
		if t.Op != Is && t.Op != Not {
			c.bad(t.Pos, "use is or not", "%s compares {item}", t.Op)
		}
	default:
		c.constant(t, left)
	}
}

// leftRight checks a comparison of two left sides.
func (c *checker) leftRight(t *Test, left, right typ) {
	from := right.unit
	if from == "" {
		from = t.Unit
	}
	t.scale, t.off = c.convert(from, t.unit, left.delta, t.Pos)
	a, b := left, right
	switch t.Op {
	case Known:
		c.bad(t.Right.Pos, "", "known takes true or false")
		return
	case In, NotIn:
		if right.kind != vehicle.List && right.kind != vehicle.Unknown {
			c.bad(t.Right.Pos, "use is", "%s is no list", t.Right.Left.Label(""))
			return
		}
		if b = (typ{}); right.elem != nil {
			b = *right.elem
		}
	case Has, Lacks:
		if left.kind == vehicle.List {
			if a = (typ{}); left.elem != nil {
				a = *left.elem
			}
		}
	}
	if t.Op.orders() {
		for _, s := range []struct {
			l Left
			t typ
		}{{t.Left, left}, {t.Right.Left, right}} {
			if !s.t.numeric() {
				c.bad(s.l.Pos(), "", "%s is %s, no number", s.l.Label(""), s.t.describe())
			}
		}
		return
	}
	if a.kind != b.kind && a.kind != vehicle.Unknown && b.kind != vehicle.Unknown &&
		!(a.numeric() && b.numeric()) {
		c.bad(t.Pos, "", "%s is %s, %s is %s", t.Left.Label(""), a.describe(), t.Right.Left.Label(""), b.describe())
	}
}

// constant checks the constant of a comparison and converts it.
func (c *checker) constant(t *Test, left typ) {
	v := t.Right.Const
	switch t.Op {
	case Known:
		if v.Kind() != vehicle.Bool {
			c.bad(t.Right.Pos, "", "known takes true or false")
		}
		return
	case In, NotIn:
		if v.Kind() != vehicle.List || v.Len() == 0 {
			c.bad(t.Right.Pos, "such as [a, b]", "%s needs a list", t.Op)
			return
		}
		var l []vehicle.Value
		for _, m := range v.Items() {
			l = append(l, c.constValue(t, left, m))
		}
		t.Right.Const = vehicle.ListOf(l...)
		return
	case Has, Lacks:
		c.part(t, left)
		return
	}
	if t.Op.orders() && !left.numeric() {
		c.bad(t.Pos, "", "%s is %s, no number", t.Left.Label(""), left.describe())
		return
	}
	if v.Kind() == vehicle.List && left.kind != vehicle.List {
		c.bad(t.Right.Pos, "use in, or not_in", "%s is compared with a list", t.Left.Label(""))
		return
	}
	if t.Op.orders() {
		if _, ok := number(v, t.unit); !ok {
			c.bad(t.Right.Pos, "", "%s is no number", v)
			return
		}
	}
	t.Right.Const = c.constValue(t, left, v)
}

// constValue checks one constant against the left side's type and returns it
// as the left side would carry it.
func (c *checker) constValue(t *Test, left typ, v vehicle.Value) vehicle.Value {
	wrong := func() {
		c.bad(t.Right.Pos, "", "%s is %s, %s is a %s", t.Left.Label(""), left.describe(), v, v.Kind())
	}
	switch left.kind {
	case vehicle.Bool:
		b, ok := truthOf(v)
		if !ok {
			wrong()
			return v
		}
		return vehicle.BoolOf(b)
	case vehicle.Number:
		from := t.Unit
		if _, text := v.Text(); text && from == "" {
			from = t.unit
		}
		f, ok := number(v, from)
		if !ok || v.Kind() == vehicle.Bool {
			wrong()
			return v
		}
		scale, off := c.convert(from, t.unit, left.delta, t.Right.Pos)
		return vehicle.NumberOf(f*scale + off)
	case vehicle.String:
		return c.textConst(t, left, v)
	case vehicle.List:
		if v.Kind() != vehicle.List {
			c.bad(t.Right.Pos, "use has, or each or some", "%s is a list", t.Left.Label(""))
		}
	case vehicle.Object:
		c.bad(t.Right.Pos, "name a member", "%s is an object", t.Left.Label(""))
	}
	return v
}

func (c *checker) textConst(t *Test, left typ, v vehicle.Value) vehicle.Value {
	if b, ok := v.Truth(); ok { // on: true for a member ON
		for _, m := range left.enum {
			if mb, isTruth := truthOf(vehicle.TextOf(m)); isTruth && mb == b {
				return vehicle.TextOf(m)
			}
		}
	}
	if v.Kind() == vehicle.Number && left.enum == nil {
		return v // a text may carry a number with its unit
	}
	s, ok := v.Text()
	switch {
	case !ok:
		c.bad(t.Right.Pos, "", "%s is %s, %s is a %s", t.Left.Label(""), left.describe(), v, v.Kind())
	case left.enum != nil && !contains(left.enum, s):
		c.bad(t.Right.Pos, didYouMean(s, left.enum), "%s is never %q", t.Left.Label(""), s)
	}
	return v
}

// part checks the right side of has and lacks.
func (c *checker) part(t *Test, left typ) {
	v := t.Right.Const
	if v.Kind() == vehicle.List {
		c.bad(t.Right.Pos, "write one test for each", "%s takes one value", t.Op)
		return
	}
	switch left.kind {
	case vehicle.List:
		if left.elem != nil {
			t.Right.Const = c.constValue(t, *left.elem, v)
		}
	case vehicle.String:
		s, ok := v.Text()
		if !ok {
			c.bad(t.Right.Pos, "", "%s looks for a part of a text, %s is a %s", t.Op, v, v.Kind())
			return
		}
		if left.enum == nil {
			return
		}
		var parts []string
		for _, m := range left.enum {
			if hasParts(m, s) {
				return
			}
			parts = appendNew(parts, strings.Split(m, "_")...)
		}
		c.bad(t.Right.Pos, didYouMean(s, parts), "no value of %s has the part %q", t.Left.Label(""), s)
	case vehicle.Unknown:
	default:
		c.bad(t.Pos, "use is", "%s is %s, neither a list nor a text", t.Left.Label(""), left.describe())
	}
}
