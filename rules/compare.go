// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"math"
	"strings"
	"unicode"

	"github.com/carguardd/carguardd/vehicle"
)

// epsilon absorbs what unit conversion does to the last digits.
const epsilon = 1e-9

// compare applies the operator to two values, numbers in the unit. Unknown
// values, and values that the operator cannot take, give Unknown.
func compare(op Op, l, r vehicle.Value, unit vehicle.Unit) Truth {
	if op == Known {
		want, _ := r.Truth()
		return TruthOf(l.Known() == want)
	}
	if !l.Known() || !r.Known() {
		return Unknown
	}
	switch op {
	case Is:
		return same(l, r, unit)
	case Not:
		return same(l, r, unit).Not()
	case In:
		return among(l, r, unit)
	case NotIn:
		return among(l, r, unit).Not()
	case Has:
		return holds(l, r, unit)
	case Lacks:
		return holds(l, r, unit).Not()
	}
	a, ok1 := number(l, unit)
	b, ok2 := number(r, unit)
	if !ok1 || !ok2 {
		return Unknown
	}
	d := a - b
	if near(a, b) {
		d = 0
	}
	switch op {
	case Gt:
		return TruthOf(d > 0)
	case Ge:
		return TruthOf(d >= 0)
	case Lt:
		return TruthOf(d < 0)
	}
	return TruthOf(d <= 0)
}

func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= epsilon*max(1, math.Abs(b))
}

// same is equality: numbers within the unit, truths however they are spelt,
// lists element by element.
func same(l, r vehicle.Value, unit vehicle.Unit) Truth {
	if l.Kind() == r.Kind() {
		switch l.Kind() { // what nearly every test compares
		case vehicle.Bool:
			a, _ := l.Truth()
			b, _ := r.Truth()
			return TruthOf(a == b)
		case vehicle.Number:
			a, _ := l.Float()
			b, _ := r.Float()
			return TruthOf(near(a, b))
		}
	}
	if !l.Known() || !r.Known() {
		return Unknown
	}
	switch {
	case l.Kind() == vehicle.Number || r.Kind() == vehicle.Number:
		a, ok1 := number(l, unit)
		b, ok2 := number(r, unit)
		return TruthOf(ok1 && ok2 && near(a, b))
	case l.Kind() == vehicle.Bool || r.Kind() == vehicle.Bool:
		a, ok1 := truthOf(l)
		b, ok2 := truthOf(r)
		return TruthOf(ok1 && ok2 && a == b)
	case l.Kind() == vehicle.List && r.Kind() == vehicle.List:
		if l.Len() != r.Len() {
			return False
		}
		out := True
		for i := range l.Len() {
			out = out.And(same(l.At(i), r.At(i), unit))
		}
		return out
	}
	return TruthOf(l.Equal(r))
}

// truthOf reads a truth as buses and services spell it.
func truthOf(v vehicle.Value) (b, ok bool) {
	if s, isText := v.Text(); isText {
		switch {
		case strings.EqualFold(s, "on"), strings.EqualFold(s, "true"), strings.EqualFold(s, "yes"):
			return true, true
		case strings.EqualFold(s, "off"), strings.EqualFold(s, "false"), strings.EqualFold(s, "no"):
			return false, true
		}
		return false, false
	}
	return v.Truth()
}

func among(l, list vehicle.Value, unit vehicle.Unit) Truth {
	if list.Kind() != vehicle.List {
		return Unknown
	}
	out := False
	for _, m := range list.Items() {
		if out = out.Or(same(l, m, unit)); out == True {
			break
		}
	}
	return out
}

// holds is the paper's ∋: a list has a member; a text has the part between
// underscores, or all parts of a longer one.
func holds(l, r vehicle.Value, unit vehicle.Unit) Truth {
	switch l.Kind() {
	case vehicle.List:
		return among(r, l, unit)
	case vehicle.String:
		part, ok := r.Text()
		if !ok {
			return Unknown
		}
		return TruthOf(hasParts(l.String(), part))
	}
	return Unknown
}

func hasParts(whole, parts string) bool {
	for parts != "" {
		var p string
		p, parts, _ = strings.Cut(parts, "_")
		if !hasPart(whole, p) {
			return false
		}
	}
	return true
}

func hasPart(whole, part string) bool {
	sign := part != "" && !strings.ContainsFunc(part, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) })
	for whole != "" {
		var p string
		if p, whole, _ = strings.Cut(whole, "_"); p == part || sign && strings.Contains(p, part) {
			return true
		}
	}
	return false
}
