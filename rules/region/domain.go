// SPDX-License-Identifier: Apache-2.0

package region

import (
	"math"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// Domain is every value that the left side of a test can have, the unknown
// included.
func Domain(t *rules.Test) Set {
	d := t.Domain()
	switch d.Kind {
	case vehicle.Bool:
		s := Truths()
		s.Unknown = true
		return s
	case vehicle.Number:
		s := Set{Unknown: true, Integer: d.Integer, Spans: []Span{line()}}
		if d.Bounded {
			s.Spans = []Span{{Low: d.Min, High: d.Max}}
		}
		switch t.Left.(type) {
		case *rules.CalledLeft, *rules.CountLeft, *rules.BatchLeft, *rules.DiffLeft:
			s.Spans[0].Low = 0
		case *rules.ContextLeft:
			s.Spans[0] = clock(t.Left.(*rules.ContextLeft).Name)
		}
		return s
	case vehicle.String:
		if d.Members != nil {
			return Set{Unknown: true, Words: d.Members}
		}
	}
	return Everything()
}

// clock is the range of a number of the surroundings.
func clock(name string) Span {
	switch name {
	case "now.month":
		return Span{Low: 1, High: 12}
	case "now.day":
		return Span{Low: 1, High: 31}
	case "now.weekday":
		return Span{Low: 1, High: 7}
	case "now.hour":
		return Span{Low: 0, High: 23}
	case "now.minute":
		return Span{Low: 0, High: 59}
	case "here.latitude":
		return Span{Low: -90, High: 90}
	case "here.longitude":
		return Span{Low: -180, High: 180}
	}
	return line()
}

func knownness(domain Set, known bool) Set {
	if known {
		return domain.Known()
	}
	return Set{Unknown: true}
}

// numbers is where a comparison with a number holds.
func numbers(op rules.Op, c vehicle.Value) Set {
	if op == rules.In || op == rules.NotIn {
		out := Set{}
		rest := Set{Spans: []Span{line()}}
		for _, v := range c.Items() {
			out.Spans = append(out.Spans, numbers(rules.Is, v).Spans...)
			rest = rest.And(numbers(rules.Not, v))
		}
		if op == rules.In {
			return out
		}
		return rest
	}
	f, ok := c.Float()
	if !ok {
		return Set{Spans: []Span{line()}} // a text that carries a number
	}
	below, above := Span{Low: math.Inf(-1), High: f, HighOpen: true}, Span{Low: f, High: math.Inf(1), LowOpen: true}
	switch op {
	case rules.Is:
		return Set{Spans: []Span{{Low: f, High: f}}}
	case rules.Not:
		return Set{Spans: []Span{below, above}}
	case rules.Gt:
		return Set{Spans: []Span{above}}
	case rules.Ge:
		above.LowOpen = false
		return Set{Spans: []Span{above}}
	case rules.Lt:
		return Set{Spans: []Span{below}}
	case rules.Le:
		below.HighOpen = false
		return Set{Spans: []Span{below}}
	}
	return Set{Spans: []Span{line()}}
}

// words is where a comparison with a word holds.
func words(op rules.Op, c vehicle.Value) Set {
	var l []string
	for _, v := range c.Items() {
		l = append(l, v.String())
	}
	if c.Kind() != vehicle.List {
		l = []string{c.String()}
	}
	return Set{Words: l, Not: op == rules.Not || op == rules.NotIn}
}

// parts is the members that have, or lack, a part.
func parts(members []string, part string, has bool) Set {
	out := Set{}
	for _, m := range members {
		if rules.HasParts(m, part) == has {
			out.Words = append(out.Words, m)
		}
	}
	return out
}

// Passing is where a comparison holds, of the values that its left side can
// have; ok is false when that is not decided by a constant.
func Passing(t *rules.Test) (s Set, ok bool) {
	if t.Any != nil || t.Right.Left != nil || t.Right.Item || t.Quant != rules.Whole {
		return Set{}, false
	}
	d := t.Domain()
	switch d.Kind {
	case vehicle.Number, vehicle.Bool:
	case vehicle.String:
		if d.Members == nil {
			return Set{}, false
		}
	default:
		return Set{}, false
	}
	r := &reading{rule: &rules.Rule{}, cat: &vehicle.Catalog{Profile: &vehicle.Profile{}}, loose: true}
	_, s = r.condition(t, true)
	return s, true
}
