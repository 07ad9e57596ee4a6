// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// elementPath is a path with at most one [*]. Unless a count, each or some
// gathers the elements, the [*] binds: the rule is judged for each of them.
type elementPath struct {
	full  vehicle.Path
	list  vehicle.Path // up to the [*]
	rest  vehicle.Path // behind it
	star  bool
	bound bool
}

// elementSource is a left side whose value is a list that [*] runs over: an
// *[ArgLeft] or a *[ResultLeft].
type elementSource interface {
	isElementSource()
}

// whole is the list that [*] runs over. The switch, rather than a method of
// the interface, lets the evaluation stay on the stack.
func (e *eval) whole(src elementSource) Fact {
	switch l := src.(type) {
	case *ArgLeft:
		return l.whole(e)
	case *ResultLeft:
		return l.whole(e)
	}
	return Fact{}
}

func (r *reader) elementPath(p vehicle.Path, pos vehicle.Pos) elementPath {
	out := elementPath{full: p}
	for i, s := range p {
		if s.Name == "*" {
			r.bad(pos, "name the member", "a path with .* names no one member")
		}
		if s.Name != "" || s.Index != vehicle.Each {
			continue
		}
		if out.star {
			r.bad(pos, "one [*] a path", "a path with two [*]")
			break
		}
		out.star, out.list, out.rest = true, p[:i], p[i+1:]
	}
	return out
}

// gather makes the list of what stands behind the [*], unknown where an
// element has nothing there.
func (p *elementPath) gather(list Fact) Fact {
	if list.Value.Kind() != vehicle.List {
		list.Value = vehicle.Value{}
		return list
	}
	all := make([]vehicle.Value, list.Value.Len())
	for i, v := range list.Value.Items() {
		all[i], _ = v.Get(p.rest)
	}
	list.Value = vehicle.ListOf(all...)
	return list
}

// typed is the type of the path's values, given that of one element.
func (p *elementPath) typed(t typ) typ {
	if p.star && !p.bound {
		return typ{kind: vehicle.List, elem: &t}
	}
	return t
}

// pick takes the bound element out of the list.
func (p *elementPath) pick(e *eval, list Fact) Fact {
	out := list
	out.Value = vehicle.Value{}
	i := e.bind.elem - 1
	if i < 0 || list.Value.Kind() != vehicle.List || i >= list.Value.Len() {
		return out
	}
	v, ok := list.Value.At(i).Get(p.rest)
	if out.Value = v; !ok || !v.Known() {
		out.Why = Null
	}
	return out
}
