// SPDX-License-Identifier: Apache-2.0

package faulty

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/carguardd/carguardd/vehicle"
)

// generator makes values from schemas.
type generator struct {
	r     *rand.Rand
	seen  *sightings
	hints map[string][]vehicle.Value
}

// words fill free text.
var words = []string{"home", "work", "window", "warm", "music", "please", "Anna", "the usual", "Rue de la Paix 3", "müde", "42", "left"}

// value makes a value that the schema allows, as far as the keywords that
// tool declarations use can tell. The name is that of the member it fills.
func (g *generator) value(name string, s vehicle.Value, depth int) vehicle.Value {
	if l := g.hints[name]; len(l) > 0 && g.r.IntN(4) > 0 {
		return pick(g.r, l)
	}
	if c, ok := s.Member("const"); ok {
		return c
	}
	if e, ok := s.Member("enum"); ok && e.Len() > 0 {
		return pick(g.r, e.Items())
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if alt, ok := s.Member(key); ok && alt.Len() > 0 {
			return g.value(name, pick(g.r, alt.Items()), depth+1)
		}
	}
	t, _ := s.Member("type")
	kind := t.String()
	if t.Kind() == vehicle.List && t.Len() > 0 {
		kind = pick(g.r, t.Items()).String()
	}
	switch kind {
	case "boolean":
		return vehicle.BoolOf(g.r.IntN(2) == 0)
	case "integer":
		return vehicle.NumberOf(g.number(s, 1))
	case "number":
		return vehicle.NumberOf(g.number(s, 0.5))
	case "null":
		return vehicle.Value{}
	case "array":
		return g.list(name, s, depth)
	case "string":
		return vehicle.TextOf(g.text(name, s))
	}
	if _, ok := s.Member("properties"); ok || kind == "object" {
		return g.object(s, depth)
	}
	return vehicle.TextOf(g.text(name, s))
}

func (g *generator) object(s vehicle.Value, depth int) vehicle.Value {
	out := vehicle.ObjectOf()
	props, _ := s.Member("properties")
	req, _ := s.Member("required")
	for i := range props.Len() {
		name := props.NameAt(i)
		needed := slices.ContainsFunc(req.Items(), func(v vehicle.Value) bool { return v.String() == name })
		if needed || depth < 8 && g.r.IntN(2) == 0 {
			out = out.With(name, g.value(name, props.At(i), depth+1))
		}
	}
	return out
}

func (g *generator) list(name string, s vehicle.Value, depth int) vehicle.Value {
	lo, hi := int(bound(s, "minItems", 0)), int(bound(s, "maxItems", 3))
	n := lo
	if hi = min(hi, lo+3); hi > lo && depth < 8 {
		n += g.r.IntN(hi - lo + 1)
	}
	items, _ := s.Member("items")
	l := make([]vehicle.Value, n)
	for i := range l {
		l[i] = g.value(strings.TrimSuffix(name, "s"), items, depth+1)
	}
	return vehicle.ListOf(l...)
}

// number makes a number within the bounds, often one of them, and a multiple
// of the schema's step or else of step.
func (g *generator) number(s vehicle.Value, step float64) float64 {
	lo, hi := bound(s, "minimum", 0), bound(s, "maximum", 100)
	if m, ok := s.Member("exclusiveMinimum"); ok {
		f, _ := m.Float()
		lo = f + step
	}
	if m, ok := s.Member("exclusiveMaximum"); ok {
		f, _ := m.Float()
		hi = f - step
	}
	if hi < lo {
		hi = lo
	}
	step = bound(s, "multipleOf", step)
	switch g.r.IntN(5) {
	case 0:
		return math.Ceil(lo/step) * step
	case 1:
		return math.Floor(hi/step) * step
	}
	first, last := math.Ceil(lo/step), math.Floor(hi/step)
	if last <= first {
		return first * step
	}
	return (first + float64(g.r.Int64N(int64(min(last-first, 1<<40))+1))) * step
}

// text makes a string: an identifier or a value that was seen, a string of
// the pattern or format, a few words.
func (g *generator) text(name string, s vehicle.Value) string {
	if v, ok := g.seen.pick(g.r, name); ok && g.r.IntN(8) > 0 {
		return v
	}
	if p, ok := s.Member("pattern"); ok {
		if t, ok := matching(g.r, p.String()); ok {
			return t
		}
	}
	if f, ok := s.Member("format"); ok {
		at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(g.r.IntN(365*24*60)) * time.Minute)
		switch f.String() {
		case "date":
			return at.Format(time.DateOnly)
		case "time":
			return at.Format("15:04:05Z")
		case "date-time":
			return at.Format(time.RFC3339)
		case "email":
			return "someone" + strconv.Itoa(g.r.IntN(10)) + "@example.org"
		}
	}
	t := pick(g.r, words)
	for len(t) < int(bound(s, "minLength", 0)) {
		t += " " + pick(g.r, words)
	}
	if most := int(bound(s, "maxLength", 1000)); len(t) > most {
		t = strings.ToValidUTF8(t[:most], "")
	}
	return t
}

// bound returns a numeric keyword, or what holds without it.
func bound(s vehicle.Value, key string, without float64) float64 {
	m, _ := s.Member(key)
	if f, ok := m.Float(); ok {
		return f
	}
	return without
}

func pick[T any](r *rand.Rand, l []T) T { return l[r.IntN(len(l))] }
