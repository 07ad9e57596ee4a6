// SPDX-License-Identifier: Apache-2.0

package region

import (
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// reading says how the values of a test are named.
type reading struct {
	cat     *vehicle.Catalog
	rule    *rules.Rule
	item    string
	loose   bool // names do not matter
	moments bool // values just before and after the draft are two
}

// tests is the conjunction of tests, as alternatives. ok is false when there
// are too many.
func (r *reading) tests(ts []*rules.Test, holds bool) (out []Conj, ok bool) {
	out = []Conj{{}}
	for _, t := range ts {
		if out, ok = product(out, r.test(t, holds)); !ok {
			return nil, false
		}
	}
	return out, true
}

// test is a test that holds, or one that is false.
func (r *reading) test(t *rules.Test, holds bool) []Conj {
	if t.Any == nil {
		name, s := r.condition(t, holds)
		return []Conj{Conj{}.And(name, s)}
	}
	if !holds { // none of the alternatives
		if out, ok := r.tests(t.Any, false); ok {
			return out
		}
		return []Conj{{}} // too many to tell: nothing is concluded from them
	}
	var out []Conj
	for _, a := range t.Any {
		out = append(out, r.test(a, true)...)
	}
	return out
}

// condition is what a comparison leaves of its left side.
func (r *reading) condition(t *rules.Test, holds bool) (name string, s Set) {
	op, name := t.Op, r.name(t.Left)
	if op == rules.Known {
		want, _ := t.Right.Const.Truth()
		return name, knownness(Domain(t), want == holds)
	}
	if !holds {
		op = Opposite(op)
	}
	c := t.Right.Const
	d := t.Domain()
	if t.Right.Left != nil || t.Right.Item || t.Quant != rules.Whole {
		return r.opaque(t, holds)
	}
	switch {
	case d.Kind == vehicle.Number, d.Kind != vehicle.Bool && orders(op):
		if d.Kind != vehicle.Number {
			name += " as a number"
		}
		return name, Domain(t).And(numbers(op, c))
	case d.Kind == vehicle.Bool || d.Kind == vehicle.String && op != rules.Has && op != rules.Lacks:
		return name, Domain(t).And(words(op, c))
	case d.Kind == vehicle.String && d.Members != nil:
		return name, parts(d.Members, c.String(), op == rules.Has)
	}
	return r.opaque(t, holds)
}

// opaque makes the whole comparison a word. Opposites share it.
func (r *reading) opaque(t *rules.Test, holds bool) (string, Set) {
	flip := *t
	switch t.Op {
	case rules.Not, rules.NotIn, rules.Lacks, rules.Le, rules.Lt:
		flip.Op = Opposite(t.Op)
		holds = !holds
		if t.Quant != rules.Whole {
			flip.Quant = rules.Each + rules.Some - t.Quant
		}
	}
	name := flip.String()
	if f, ok := t.Left.(*rules.FieldLeft); ok && t.Quant == rules.Whole {
		name = r.name(f) + strings.TrimPrefix(name, "{"+rules.Text(f))
	}
	if t.Right.Item {
		name += " for " + r.item
	}
	word := "false"
	if holds {
		word = "true"
	}
	return name, Word(word)
}

// name names a left side so that equal names mean equal values.
func (r *reading) name(l rules.Left) string {
	f, ok := l.(*rules.FieldLeft)
	if !ok || r.loose {
		name := rules.Text(l)
		if r.rule.ByElement() && strings.Contains(name, "[*]") {
			name += " in rule " + r.rule.ID // two rules may look at two elements
		}
		return name
	}
	sig := f.Signal(r.item)
	if sig == vehicle.NoSignal {
		return rules.Text(l)
	}
	name := r.cat.Profile.Signals[sig].Name
	if r.moments {
		name += " " + f.At.String()
	}
	return Field(name)
}

// Field names a signal in a [Conj] that does not tell moments apart.
func Field(signal string) string { return "field " + signal }

// Arg names an argument of the trigger in a [Conj].
func Arg(path string) string { return "arg: " + path }

// Opposite is the comparison that is true where the other is false.
func Opposite(op rules.Op) rules.Op {
	return map[rules.Op]rules.Op{rules.Is: rules.Not, rules.Not: rules.Is, rules.In: rules.NotIn, rules.NotIn: rules.In, rules.Has: rules.Lacks,
		rules.Lacks: rules.Has, rules.Gt: rules.Le, rules.Le: rules.Gt, rules.Lt: rules.Ge, rules.Ge: rules.Lt, rules.Known: rules.Known}[op]
}

func orders(op rules.Op) bool { return op >= rules.Gt && op <= rules.Le }
