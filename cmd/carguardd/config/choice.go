// SPDX-License-Identifier: Apache-2.0

package config

import (
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

// kinds is an object with exactly one of several keys, or a word alone.
type kinds struct {
	kind  *string
	alone string
	group group
}

func oneKind(kind *string, alone string, g group) kinds { return kinds{kind, alone, g} }

func (k kinds) read(r *reader, path string, n *vehicle.Node) {
	if s, ok := n.Scalar.Text(); ok {
		if s != k.alone {
			r.bad(n.Pos, vehicle.Suggest(s, append(k.group.names(), k.alone)), "%s: unknown kind %s", path, s)
			return
		}
		*k.kind = s
		return
	}
	k.group.read(r, path, n)
	found := ""
	for _, m := range n.Members {
		if !slices.Contains(k.group.names(), m.Name) {
			continue
		}
		if found != "" {
			r.bad(m.Pos, "remove one of the two", "%s: %s and %s exclude each other", path, found, m.Name)
		}
		found = m.Name
	}
	if found != "" {
		*k.kind = found
	}
}

func (k kinds) value() vehicle.Value {
	for _, m := range k.group {
		if m.key == *k.kind {
			return vehicle.ObjectOf(vehicle.Field{Name: m.key, Value: m.item.value()})
		}
	}
	return vehicle.TextOf(k.alone)
}

func (k kinds) keys(path string) []string { return k.group.keys(path) }

// flags is a list of words, each of which sets a boolean.
type flags []switched

type switched struct {
	name string
	p    *bool
}

func (f flags) read(r *reader, path string, n *vehicle.Node) {
	if n.Kind != vehicle.List {
		r.wrong(path, n, "a list of words")
		return
	}
	var known []string
	for _, x := range f {
		known = append(known, x.name)
	}
	for _, it := range n.Items {
		s, ok := it.Scalar.Text()
		i := slices.Index(known, s)
		switch {
		case !ok:
			r.wrong(path, it, "a word")
		case i < 0:
			r.bad(it.Pos, vehicle.Suggest(s, known), "%s: unknown word %s", path, s)
		default:
			*f[i].p = true
		}
	}
}

func (f flags) value() vehicle.Value {
	var on []vehicle.Value
	for _, x := range f {
		if *x.p {
			on = append(on, vehicle.TextOf(x.name))
		}
	}
	if len(on) == 0 {
		return vehicle.Value{}
	}
	return vehicle.ListOf(on...)
}

func (f flags) keys(string) []string { return nil }

// someOf is a list of words of a few.
type someOf struct {
	p     *[]string
	known []string
}

func (l someOf) read(r *reader, path string, n *vehicle.Node) {
	if n.Kind != vehicle.List {
		r.wrong(path, n, "a list of words")
		return
	}
	for _, it := range n.Items {
		s, ok := it.Scalar.Text()
		switch {
		case !ok:
			r.wrong(path, it, "a word")
		case !slices.Contains(l.known, s):
			r.bad(it.Pos, vehicle.Suggest(s, l.known), "%s: unknown word %s", path, s)
		case !slices.Contains(*l.p, s):
			*l.p = append(*l.p, s)
		}
	}
}

func (l someOf) value() vehicle.Value {
	var out []vehicle.Value
	for _, s := range *l.p {
		out = append(out, vehicle.TextOf(s))
	}
	if len(out) == 0 {
		return vehicle.Value{}
	}
	return vehicle.ListOf(out...)
}

func (l someOf) keys(string) []string { return nil }

// Names are texts by names that the user chooses, in the order of the file.
type Names []Named

// Named is one of them.
type Named struct{ Name, Value string }

// Get returns the value of a name.
func (l Names) Get(name string) (string, bool) {
	for _, n := range l {
		if n.Name == name {
			return n.Value, true
		}
	}
	return "", false
}

// namedTexts is an object whose keys the user chooses.
type namedTexts struct {
	placeholder string
	p           *Names
}

func named(placeholder string, p *Names) namedTexts { return namedTexts{placeholder, p} }

func (l namedTexts) read(r *reader, path string, n *vehicle.Node) {
	if n.Kind != vehicle.Object {
		r.wrong(path, n, "keys with values")
		return
	}
	for _, m := range n.Members {
		at := join(path, m.Name)
		r.pos[at] = m.Pos
		s, ok := m.Value.Scalar.Text()
		if !ok || s == "" {
			r.wrong(at, m.Value, "a text")
			continue
		}
		*l.p = append(*l.p, Named{m.Name, s})
	}
}

func (l namedTexts) value() vehicle.Value {
	var fields []vehicle.Field
	for _, n := range *l.p {
		fields = append(fields, vehicle.Field{Name: n.Name, Value: vehicle.TextOf(n.Value)})
	}
	if len(fields) == 0 {
		return vehicle.Value{}
	}
	return vehicle.ObjectOf(fields...)
}

func (l namedTexts) keys(path string) []string { return []string{join(path, l.placeholder)} }
