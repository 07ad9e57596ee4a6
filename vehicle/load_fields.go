// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// fields reads the members of one object strictly: each is asked for once,
// and end reports those that nobody asked for.
type fields struct {
	l     *loader
	n     *Node
	what  string   // names the object in messages: signal fan_speed
	asked []string // every key the object may have
}

// fields opens an object. It reports a node of another kind, and is empty
// then.
func (l *loader) fields(n *Node, what string) *fields {
	f := &fields{l: l, n: n, what: what}
	if n == nil || n.Kind != Object {
		if n != nil {
			l.problem(n.Pos, fmt.Sprintf("%s: want keys with values, have %s", what, describe(n)), "")
		}
		f.n = &Node{Kind: Object}
		if n != nil {
			f.n.Pos = n.Pos
		}
	}
	return f
}

// get returns the member, or nil.
func (f *fields) get(key string) *Node {
	f.asked = append(f.asked, key)
	return f.n.Member(key)
}

// has reports whether the member is there.
func (f *fields) has(key string) bool { return f.n.Member(key) != nil }

// text returns the member's text, or "" when there is none.
func (f *fields) text(key string) string {
	n := f.get(key)
	if n == nil {
		return ""
	}
	if s, ok := n.Scalar.Text(); ok {
		return s
	}
	if n.Kind == Number || n.Kind == Bool {
		return n.Scalar.String()
	}
	f.wrong(n, key, "a text")
	return ""
}

// number returns the member's number, and whether there is one.
func (f *fields) number(key string) (float64, bool) {
	n := f.get(key)
	if n == nil {
		return 0, false
	}
	v, ok := n.Scalar.Float()
	if !ok {
		f.wrong(n, key, "a number")
	}
	return v, ok
}

// truth returns the member's boolean, false when there is none.
func (f *fields) truth(key string) bool {
	n := f.get(key)
	if n == nil {
		return false
	}
	b, ok := n.Scalar.Truth()
	if !ok {
		f.wrong(n, key, "true or false")
	}
	return b
}

// duration returns the member's time, 0 when there is none: 250ms, 8s, 2m.
func (f *fields) duration(key string) time.Duration {
	n := f.get(key)
	if n == nil {
		return 0
	}
	s, _ := n.Scalar.Text()
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		f.wrong(n, key, "a time such as 250ms, 8s or 2m")
		return 0
	}
	return d
}

// list returns the elements of a list; a single value stands for a list of
// one.
func (f *fields) list(key string) []*Node {
	n := f.get(key)
	switch {
	case n == nil:
		return nil
	case n.Kind == List:
		return n.Items
	}
	return []*Node{n}
}

// texts returns the texts of a list.
func (f *fields) texts(key string) []string {
	var out []string
	for _, n := range f.list(key) {
		if s, ok := n.Scalar.Text(); ok {
			out = append(out, s)
		} else {
			f.wrong(n, key, "a text")
		}
	}
	return out
}

// values returns the values of a list.
func (f *fields) values(key string) []Value {
	var out []Value
	for _, n := range f.list(key) {
		out = append(out, n.Value())
	}
	return out
}

// path returns the member as a path, nil when there is none.
func (f *fields) path(key string) Path {
	n := f.get(key)
	if n == nil {
		return nil
	}
	s, ok := n.Scalar.Text()
	p, err := ParsePath(s)
	switch {
	case !ok || s == "":
		f.wrong(n, key, "a path such as window or route_ids[0]")
	case err != nil:
		f.l.problem(n.Pos, fmt.Sprintf("%s: %s: %v", f.what, key, err), "write it like window, position.latitude or route_ids[0]")
	}
	return p
}

func (f *fields) wrong(n *Node, key, want string) {
	f.l.problem(n.Pos, fmt.Sprintf("%s: %s: want %s, have %s", f.what, key, want, describe(n)), "")
}

// pos is where the member stands, or the object when there is none.
func (f *fields) pos(key string) Pos {
	for i := range f.n.Members {
		if f.n.Members[i].Name == key {
			return f.n.Members[i].Pos
		}
	}
	return f.n.Pos
}

// end reports the members that nobody asked for.
func (f *fields) end() {
	for _, m := range f.n.Members {
		if !slices.Contains(f.asked, m.Name) {
			f.l.problem(m.Pos, fmt.Sprintf("%s: unknown key %s", f.what, m.Name), suggest(m.Name, f.asked))
		}
	}
}

// describe names what a node is, for messages.
func describe(n *Node) string {
	switch n.Kind {
	case Unknown:
		return "nothing"
	case List:
		return "a list"
	case Object:
		return "keys with values"
	}
	s := n.Scalar.String()
	if len(s) > 40 {
		s = s[:40] + "…"
	}
	return fmt.Sprintf("%s %s", n.Kind, s)
}

// Suggest is the hint for a name that is not among the known ones: the one
// that was most likely meant, or all of them when they are few.
func Suggest(name string, known []string) string { return suggest(name, known) }

// suggest is the hint for a name that is not among the known ones.
func suggest(name string, known []string) string {
	least := 2 // in a short word nearly every other one is within two letters
	if len(name) > 4 {
		least = max(2, len(name)/3) + 1
	}
	best := ""
	for _, k := range known {
		d := Distance(strings.ToLower(name), strings.ToLower(k), least)
		if len(name) >= 3 && strings.HasPrefix(k, name) {
			d = 1
		}
		if d < least {
			best, least = k, d
		}
	}
	switch {
	case best != "":
		return "did you mean " + best + "?"
	case len(known) == 0:
		return "there are none"
	case len(known) > 20:
		return ""
	}
	sorted := slices.Clone(known)
	slices.Sort(sorted)
	return "one of " + strings.Join(slices.Compact(sorted), ", ")
}
