// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"math"

	"github.com/carguardd/carguardd/vehicle"
)

// DiffLeft is the absolute difference of two numbers, in the unit of the
// first.
type DiffLeft struct {
	leftBase
	A, B Left

	unit       vehicle.Unit
	scale, off float64 // B's unit → unit
}

func (r *reader) diff(n *vehicle.Node) *DiffLeft {
	l := &DiffLeft{leftBase: leftBase{n.Pos}, scale: 1}
	if n.Kind != vehicle.List || len(n.Items) != 2 {
		r.bad(n.Pos, "diff: [{field: a}, {field: b}]", "diff needs two values")
		return l
	}
	l.A, l.B = r.left(n.Items[0]), r.left(n.Items[1])
	return l
}

// Label implements [Left].
func (l *DiffLeft) Label(item string) string {
	if l.A == nil || l.B == nil {
		return "difference"
	}
	return "difference of " + l.A.Label(item) + " and " + l.B.Label(item)
}

func (l *DiffLeft) check(c *checker) typ {
	if l.A == nil || l.B == nil {
		return typ{kind: vehicle.Number}
	}
	a, b := l.A.check(c), l.B.check(c)
	for _, s := range []struct {
		l Left
		t typ
	}{{l.A, a}, {l.B, b}} {
		if !s.t.numeric() {
			c.bad(s.l.Pos(), "", "%s is a %s, no number", s.l.Label(""), s.t.kind)
		}
	}
	l.unit = a.unit
	if l.unit == "" {
		l.unit = b.unit
	}
	l.scale, l.off = c.convert(b.unit, l.unit, false, l.pos)
	out := typ{kind: vehicle.Number, unit: l.unit}
	if l.unit != "" {
		// A difference has no zero point: of Celsius it is kelvins.
		out.delta = true
	}
	return out
}

func (l *DiffLeft) value(e *eval) Fact {
	a, b := e.left(l.A), e.left(l.B)
	x, ok1 := number(a.Value, l.unit)
	y, ok2 := number(b.Value, l.unit)
	switch {
	case !a.Known() || !ok1:
		return Fact{Why: a.Why, CallID: a.CallID}
	case !b.Known() || !ok2:
		return Fact{Why: b.Why, CallID: b.CallID}
	}
	if b.Value.Kind() == vehicle.Number {
		y = y*l.scale + l.off
	}
	return Fact{Value: vehicle.NumberOf(math.Abs(x - y)), Why: Observed, CallID: a.CallID, Time: a.Time}
}

func (l *DiffLeft) wants(e *eval) {
	for _, s := range [...]Left{l.A, l.B} {
		if f := e.left(s); !f.Known() {
			e.wantLeft(s, f)
		}
	}
}
