// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"math"
	"slices"
)

// checkTarget checks that every value the effect can give is one that the
// signal can have.
func (l *loader) checkTarget(t *Tool, e *fields, s *Signal, out *Effect) {
	p, key := e.pos("to"), "to"
	if out.To.Op == Append {
		p, key = e.pos("append"), "append"
		if s.Type != TypeList {
			l.problemf(p, "use to", "%s: append: %s is no list", e.what, s.Name)
			return
		}
	}
	if out.To.Arg == nil {
		if err := s.Check(out.To.Const); err != nil && out.To.Op == Set {
			l.problemf(p, "", "%s: %s: %v", e.what, key, err)
		}
		return
	}
	arg := t.Input.At(out.To.Arg)
	switch {
	case arg == nil:
		l.problemf(p, suggest(out.To.Arg.String(), argNames(t.Input)), "%s: tool has no argument %s", e.what, out.To.Arg)
		return
	case mayBeAbsent(t.Input, out.To.Arg) && !out.To.Present:
		l.problemf(p, "optional: true when the effect then does not happen; else make it required", "%s: argument %s may be absent", e.what, out.To.Arg)
	}
	for _, k := range sortedKeys(out.To.Map) {
		if !arg.allowsText(k) {
			l.problemf(p, suggest(k, arg.EnumText()), "%s: map: argument %s is never %s", e.what, out.To.Arg, k)
		}
	}
	if out.To.Op == Append {
		return // elements of lists have no type
	}
	c := argCheck{l, e, p, s, out, arg}
	if values := arg.all(); values != nil {
		c.each(values)
		return
	}
	c.kind()
}

// argCheck compares an argument's schema with a signal.
type argCheck struct {
	l   *loader
	e   *fields
	pos Pos
	s   *Signal
	out *Effect
	arg *Schema
}

func (c *argCheck) problem(hint, format string, args ...any) {
	args = append([]any{c.e.what, c.out.To.Arg}, args...)
	c.l.problemf(c.pos, hint, "%s: argument %s: "+format, args...)
}

// each checks every value that the argument can have, mapped where the
// effect maps it.
func (c *argCheck) each(values []Value) {
	for _, v := range values {
		got := v
		if m, ok := c.out.To.Map[v.String()]; ok {
			got = m
		}
		if c.excluded(v) {
			continue
		}
		if err := c.s.Check(got); err != nil {
			c.problem("map it: map: {"+v.String()+": VALUE}", "%v", err)
		}
	}
}

// excluded reports whether the conditions of the effect rule the value out.
func (c *argCheck) excluded(v Value) bool {
	return slices.ContainsFunc(c.out.When, func(w Condition) bool {
		return w.Arg.String() == c.out.To.Arg.String() && !w.Is.Equal(v)
	})
}

// kind checks an argument with unlimited values by its type.
func (c *argCheck) kind() {
	want := map[SignalType][]string{
		TypeNumber: {"number", "integer"}, TypeInteger: {"number", "integer"},
		TypeBool: {"boolean"}, TypeEnum: nil, TypeText: {"string"}, TypeList: {"array"},
	}[c.s.Type]
	if !slices.Contains(want, c.arg.Type) {
		hint := ""
		if c.s.Type == TypeEnum {
			hint = "give the argument an enum"
		}
		c.problem(hint, "a %s is no value of %s, which is %s", typeName(c.arg), c.s.Name, article(c.s.Type))
		return
	}
	if c.s.Type == TypeNumber || c.s.Type == TypeInteger {
		c.number()
	}
}

func article(t SignalType) string {
	if t == TypeInteger || t == TypeEnum {
		return "an " + t.String()
	}
	return "a " + t.String()
}

func typeName(s *Schema) string {
	if s.Type == "" {
		return "value of any type"
	}
	return s.Type
}

// number checks the argument's limits and steps against the signal's.
func (c *argCheck) number() {
	if c.s.HasRange() {
		lo, hi := c.arg.Min, c.arg.Max
		if lo == nil || hi == nil {
			c.problem("minimum and maximum", "has no limits, %s is %g..%g%s", c.s.Name, c.s.Min, c.s.Max, c.s.Unit.Suffix())
		} else if *lo < c.s.Min || *hi > c.s.Max {
			c.problem("narrow the argument", "%g..%g is more than %s, which is %g..%g%s", *lo, *hi, c.s.Name, c.s.Min, c.s.Max, c.s.Unit.Suffix())
		}
	}
	step := c.arg.MultipleOf
	if step == 0 && c.arg.Type == "integer" {
		step = 1
	}
	if c.s.Step == 0 {
		return
	}
	if n := step / c.s.Step; step == 0 || math.Abs(n-math.Round(n)) > 1e-9 || math.Round(n) == 0 {
		c.problem("multipleOf: the step of the signal", "its steps do not fit %s, which has steps of %g", c.s.Name, c.s.Step)
	}
}

// all returns every value the schema allows, when they are few; else nil.
func (s *Schema) all() []Value {
	switch {
	case len(s.Enum) > 0:
		return s.Enum
	case s.Const.Kind() != Unknown:
		return []Value{s.Const}
	case s.Type == "boolean":
		return []Value{BoolOf(false), BoolOf(true)}
	}
	return nil
}

// allows reports whether the schema allows the value, as far as it says.
func (s *Schema) allows(v Value) bool {
	if all := s.all(); all != nil {
		return slices.ContainsFunc(all, v.Equal)
	}
	switch s.Type {
	case "number", "integer":
		f, ok := v.Float()
		return ok && (s.Min == nil || f >= *s.Min) && (s.Max == nil || f <= *s.Max) && (s.Type != "integer" || f == math.Trunc(f))
	case "string":
		return v.Kind() == String
	case "array":
		return v.Kind() == List
	case "object":
		return v.Kind() == Object
	}
	return true
}

// allowsText reports whether a value that prints as text is allowed.
func (s *Schema) allowsText(text string) bool {
	if all := s.all(); all != nil {
		return slices.ContainsFunc(all, func(v Value) bool { return v.String() == text })
	}
	if v, err := ParseJSON([]byte(text)); err == nil && s.allows(v) {
		return true
	}
	return s.allows(TextOf(text))
}

func sortedKeys(m map[string]Value) []string {
	l := make([]string, 0, len(m))
	for k := range m {
		l = append(l, k)
	}
	slices.Sort(l)
	return l
}
