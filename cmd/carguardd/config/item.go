// SPDX-License-Identifier: Apache-2.0

package config

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

// item is a value of the file, of one kind, bound to where it is kept.
type item interface {
	// read takes the value over. The path names it in messages.
	read(r *reader, path string, n *vehicle.Node)
	// value is the present value as a file writes it; unknown leaves the key out.
	value() vehicle.Value
	// keys are the paths below the item.
	keys(path string) []string
}

// reader collects what is wrong with a file. It goes on after an error.
type reader struct {
	problems vehicle.Problems
	dir      string // of the file
	pos      map[string]vehicle.Pos
}

func (r *reader) bad(pos vehicle.Pos, hint, format string, args ...any) {
	r.problems = append(r.problems, vehicle.Problem{Pos: pos, Text: fmt.Sprintf(format, args...), Hint: hint})
}

// wrong says that the value at the path is of another kind.
func (r *reader) wrong(path string, n *vehicle.Node, want string) {
	r.bad(n.Pos, "", "%s: want %s, have %s", path, want, describe(n))
}

// sorted are the problems in the order of the file.
func (r *reader) sorted() vehicle.Problems {
	slices.SortStableFunc(r.problems, func(a, b vehicle.Problem) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	return r.problems
}

func describe(n *vehicle.Node) string {
	switch n.Kind {
	case vehicle.Unknown:
		return "nothing"
	case vehicle.List:
		return "a list"
	case vehicle.Object:
		return "keys with values"
	}
	s := n.Scalar.String()
	if len(s) > 40 {
		s = s[:40] + "…"
	}
	return fmt.Sprintf("%v %q", n.Kind, s)
}

// member is one key.
type member struct {
	key  string
	item item
}

// group is an object with fixed keys.
type group []member

func (g group) read(r *reader, path string, n *vehicle.Node) {
	if n.Kind != vehicle.Object {
		what := path
		if what == "" {
			what = "configuration"
		}
		r.wrong(what, n, "keys with values")
		return
	}
	for _, m := range n.Members {
		i := slices.IndexFunc(g, func(k member) bool { return k.key == m.Name })
		at := join(path, m.Name)
		if i < 0 {
			r.bad(m.Pos, vehicle.Suggest(m.Name, g.names()), "unknown key %s", at)
			continue
		}
		r.pos[at] = m.Pos
		if m.Value.Kind == vehicle.Unknown {
			r.bad(m.Pos, "give it a value or leave it out", "%s: there is nothing behind it", at)
			continue
		}
		g[i].item.read(r, at, m.Value)
	}
}

func (g group) value() vehicle.Value {
	var fields []vehicle.Field
	for _, m := range g {
		if v := m.item.value(); v.Known() {
			fields = append(fields, vehicle.Field{Name: m.key, Value: v})
		}
	}
	if len(fields) == 0 {
		return vehicle.Value{}
	}
	return vehicle.ObjectOf(fields...)
}

func (g group) keys(path string) []string {
	var out []string
	for _, m := range g {
		at := join(path, m.key)
		out = append(append(out, at), m.item.keys(at)...)
	}
	return out
}

func (g group) names() []string {
	out := make([]string, len(g))
	for i, m := range g {
		out[i] = m.key
	}
	return out
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
