// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

// reader turns nodes into the parts of a bundle. It goes on after an error,
// so that one run shows everything that is wrong.
type reader struct {
	problems vehicle.Problems
}

func (r *reader) bad(pos vehicle.Pos, hint, format string, args ...any) {
	r.problems = append(r.problems, vehicle.Problem{Pos: pos, Text: fmt.Sprintf(format, args...), Hint: hint})
}

func (r *reader) isMap(n *node, what string) bool {
	return r.is(n, nodeMap, what)
}

func (r *reader) is(n *node, kind nodeKind, what string) bool {
	if n.kind == kind {
		return true
	}
	r.bad(n.pos, "", "%s must be %s, this is %s", what, kind, n.kind)
	return false
}

// keys reports every key of the mapping that is not known.
func (r *reader) keys(n *node, known ...string) {
	for _, f := range n.fields {
		if !slices.Contains(known, f.name) {
			r.bad(f.pos, didYouMean(f.name, known), "unknown key %q", f.name)
		}
	}
}

// oneOfKeys returns which one of the keys the mapping has.
func (r *reader) oneOfKeys(n *node, choice ...string) string {
	found := ""
	for _, f := range n.fields {
		if !slices.Contains(choice, f.name) {
			continue
		}
		if found != "" {
			r.bad(f.pos, "write two", "%s and %s in one mapping", found, f.name)
			return ""
		}
		found = f.name
	}
	if found == "" {
		hint := ""
		for _, f := range n.fields {
			if near := nearest(f.name, choice); near != "" {
				hint = fmt.Sprintf("did you mean %s instead of %s?", near, f.name)
			}
		}
		if hint == "" {
			hint = oneOf(choice)
		}
		r.bad(n.pos, hint, "none of the keys that are needed here")
	}
	return found
}

// text reads a non-empty text.
func (r *reader) text(n *node, what string) string {
	if n == nil {
		return ""
	}
	s, ok := n.val.Text()
	switch {
	case n.kind != nodeScalar:
		r.bad(n.pos, "", "%s must be a text, this is %s", what, n.kind)
	case !ok:
		r.bad(n.pos, "put it in quotes", "%s must be a text, %s is a %s", what, n.text, n.val.Kind())
	case s == "":
		r.bad(n.pos, "", "%s is empty", what)
	}
	return s
}

// word reads one of a closed set of words.
func (r *reader) word(n *node, choice ...string) string {
	if n.kind != nodeScalar || !slices.Contains(choice, n.text) {
		r.bad(n.pos, didYouMean(n.text, choice), "%q is not possible here", n.text)
		return choice[0]
	}
	return n.text
}

func (r *reader) flag(n *node) bool {
	b, ok := n.val.Truth()
	if n.kind != nodeScalar || !ok {
		r.bad(n.pos, "true or false", "%q is neither true nor false", n.text)
	}
	return b
}

func (r *reader) whole(n *node, what string, least int) int {
	f, ok := n.val.Float()
	if n.kind != nodeScalar || !ok || f != float64(int(f)) || f < float64(least) {
		r.bad(n.pos, "", "%s must be a whole number from %d", what, least)
		return least
	}
	return int(f)
}

// names reads a text or a list of texts.
func (r *reader) names(n *node, what string) []string {
	if n == nil {
		return nil
	}
	if n.kind != nodeList {
		if s := r.text(n, what); s != "" {
			return []string{s}
		}
		return []string{}
	}
	if len(n.items) == 0 {
		r.bad(n.pos, "", "an empty list where %s is needed", what)
	}
	l := []string{}
	for _, it := range n.items {
		if s := r.text(it, what); s != "" {
			if slices.Contains(l, s) {
				r.bad(it.pos, "", "%q is listed twice", s)
			}
			l = append(l, s)
		}
	}
	return l
}

// list returns the elements of a list that must not be empty.
func (r *reader) list(n *node, what string) []*node {
	if n == nil || !r.is(n, nodeList, what) {
		return nil
	}
	if len(n.items) == 0 {
		r.bad(n.pos, "leave the key out", "%s is empty", what)
	}
	return n.items
}

// path reads a path into a value.
func (r *reader) path(n *node, what string) (string, vehicle.Path) {
	s := r.text(n, what)
	p, err := vehicle.ParsePath(s)
	if err != nil {
		r.bad(n.pos, "", "%v", err)
	}
	return s, p
}
