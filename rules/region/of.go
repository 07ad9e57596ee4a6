// SPDX-License-Identifier: Apache-2.0

package region

import (
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// Way is one way in which a rule comes to apply: on a call of one tool, by
// one alternative of `on`, for one item of its wildcard.
type Way struct {
	Tool  string // whose call or result; or "reply " and the kind
	On    *rules.On
	Item  string
	Where []Conj // alternatives; none means that it never applies
}

// Moments says whether the value of a signal just before the trigger and
// after the draft may differ.
type Moments bool

// The two readings of moments.
const (
	OneMoment  Moments = false // one value: for what two rules have in common
	TwoMoments Moments = true  // for what is certain
)

// Of lists the ways in which a rule applies; ok is false when there are too
// many to decide anything.
func Of(cat *vehicle.Catalog, r *rules.Rule, moments Moments) (ways []Way, ok bool) {
	items := r.Items()
	if items == nil {
		items = []string{""}
	}
	for _, o := range r.On {
		tools := o.Tools()
		if o.Reply != "" {
			tools = []string{"reply " + string(o.Reply)}
		}
		for _, item := range items {
			read := &reading{cat: cat, rule: r, item: item, moments: bool(moments)}
			where, ok := read.applies(o)
			if !ok {
				return nil, false
			}
			for _, tool := range tools {
				w := Way{Tool: tool, On: o, Item: item, Where: where}
				if o.Result != "" {
					w.Tool = "result " + tool
				}
				if r.ByTrigger() {
					w.Where = named(cat.Tool(tool), item, where)
				}
				ways = append(ways, w)
			}
		}
	}
	return ways, true
}

// Call lists the ways of a rule on calls of one tool.
func Call(ways []Way, tool string) []Way {
	var out []Way
	for _, w := range ways {
		if w.Tool == tool {
			out = append(out, w)
		}
	}
	return out
}

func (r *reading) applies(o *rules.On) ([]Conj, bool) {
	out := []Conj{{}}
	for _, part := range []struct {
		tests []*rules.Test
		holds bool
	}{{o.When, true}, {r.rule.If, true}, {r.rule.Unless, false}} {
		alternatives, ok := r.tests(part.tests, part.holds)
		if !ok {
			return nil, false
		}
		if out, ok = product(out, alternatives); !ok {
			return nil, false
		}
	}
	return out, true
}

// named adds that the trigger's argument names the item, or all.
func named(t *vehicle.Tool, item string, where []Conj) []Conj {
	if t == nil || t.Items == nil {
		return where
	}
	var spelt []string
	for _, n := range t.Items.Names {
		if n.Item == item || n.Item == "*" {
			spelt = append(spelt, n.Value)
		}
	}
	out := make([]Conj, len(where))
	for i, c := range where {
		out[i] = c.And(Arg(t.Items.Arg.String()), Word(spelt...))
	}
	return out
}

// Need lists where tests hold, for an item of the rule.
func Need(cat *vehicle.Catalog, r *rules.Rule, tests []*rules.Test, item string, holds bool) ([]Conj, bool) {
	read := &reading{cat: cat, rule: r, item: item}
	if holds {
		return read.tests(tests, true)
	}
	var out []Conj // one of them is false
	for _, t := range tests {
		out = append(out, read.test(t, false)...)
	}
	return out, len(out) <= Limit
}

// Given is the conjunction that exact arguments make.
func Given(args vehicle.Value) Conj {
	out := Conj{}
	for i := range args.Len() {
		out[Arg(args.NameAt(i))] = One(args.At(i))
	}
	return out
}

// One is the set of one value.
func One(v vehicle.Value) Set {
	if f, ok := v.Float(); ok {
		return Set{Spans: []Span{{Low: f, High: f}}}
	}
	if !v.Known() {
		return Set{Unknown: true}
	}
	return Word(v.String())
}
