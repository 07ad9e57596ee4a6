// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// CountLeft is how many elements a list has, or how many signals fit a
// pattern, that Where holds for. A wildcard inside it is its own: equal
// prefixes mean the same element, and {item} of the rule is not visible.
type CountLeft struct {
	leftBase
	Of    Left
	Where []*Test

	items []string      // its wildcard over signals
	elems elementSource // its wildcard over a list
}

func (r *reader) count(n, in *vehicle.Node) *CountLeft {
	l := &CountLeft{leftBase: leftBase{n.Pos}}
	l.Of = r.left(n)
	l.Where = r.tests(in.Member("where"))
	return l
}

// Label implements [Left].
func (l *CountLeft) Label(item string) string {
	if l.Of == nil {
		return "count"
	}
	return "count of " + l.Of.Label(item)
}

func (l *CountLeft) check(c *checker) typ {
	number := typ{kind: vehicle.Number, integer: true}
	if l.Of == nil {
		return number
	}
	outer, gather, cand := c.scope, c.gather, c.candidate
	c.scope, c.gather = &scope{inner: true}, false
	t := l.Of.check(c)
	switch {
	case c.scope.stars != nil, c.scope.elems != nil:
		c.candidate = &t
	case t.kind == vehicle.List:
		c.candidate = t.elem
	case t.kind != vehicle.Unknown:
		c.bad(l.pos, "count a list, or a pattern with *", "%s is one %s, nothing to count", l.Of.Label(""), t.kind)
	}
	c.tests(l.Where)
	l.items, l.elems = c.close(c.scope), c.scope.elems
	c.scope, c.gather, c.candidate = outer, gather, cand
	return number
}

func (l *CountLeft) value(e *eval) Fact {
	inner := *e
	inner.note, inner.scoped = false, scoped{l.items, l.elems}
	var n, unsure int
	tally := func(t Truth) {
		switch t {
		case True:
			n++
		case Unknown:
			unsure++
		}
	}
	f := Fact{Why: Observed}
	switch {
	case l.items != nil:
		for i := range l.items {
			inner.bind = binding{item: i + 1}
			own := inner.left(l.Of)
			inner.cand = own.Value
			if len(l.Where) == 0 {
				tally(True)
			} else {
				tally(inner.all(l.Where))
			}
		}
	default:
		list := Fact{}
		if l.elems != nil {
			list = e.whole(l.elems)
		} else {
			list = e.left(l.Of)
		}
		if list.Value.Kind() != vehicle.List {
			return Fact{Why: list.Why, CallID: list.CallID}
		}
		f.CallID, f.Time = list.CallID, list.Time
		for i, v := range list.Value.Items() {
			inner.bind, inner.cand = binding{elem: i + 1}, v
			if l.elems != nil {
				inner.cand = inner.left(l.Of).Value
			}
			tally(inner.all(l.Where))
		}
	}
	if unsure > 0 {
		return Fact{Why: Null}
	}
	f.Value = vehicle.NumberOf(float64(n))
	return f
}

// wants asks for whatever the count could not see.
func (l *CountLeft) wants(e *eval) {
	inner := *e
	inner.note, inner.wants, inner.evidence, inner.scoped = true, nil, nil, scoped{l.items, l.elems}
	switch {
	case l.items != nil:
		for i := range l.items {
			inner.bind = binding{item: i + 1}
			inner.cand = inner.left(l.Of).Value
			inner.all(l.Where)
		}
	case l.elems != nil:
		if list := e.whole(l.elems); list.Value.Kind() == vehicle.List {
			for i := range list.Value.Len() {
				inner.bind = binding{elem: i + 1}
				inner.all(l.Where)
			}
		} else {
			inner.wantLeft(l.Of, list)
		}
	default:
		if list := e.left(l.Of); !list.Known() {
			inner.wantLeft(l.Of, list)
		}
	}
	e.wants = append(e.wants, inner.wants...)
}
