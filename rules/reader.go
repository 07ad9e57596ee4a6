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

func (r *reader) isMap(n *vehicle.Node, what string) bool {
	return r.is(n, vehicle.Object, what)
}

func (r *reader) is(n *vehicle.Node, kind vehicle.Kind, what string) bool {
	if n.Kind == kind {
		return true
	}
	r.bad(n.Pos, "", "%s must be %s, this is %s", what, form(kind), form(n.Kind))
	return false
}

// keys reports every key of the mapping that is not known.
func (r *reader) keys(n *vehicle.Node, known ...string) {
	for _, f := range n.Members {
		if !slices.Contains(known, f.Name) {
			r.bad(f.Pos, didYouMean(f.Name, known), "unknown key %q", f.Name)
		}
	}
}

// oneOfKeys returns which one of the keys the mapping has.
func (r *reader) oneOfKeys(n *vehicle.Node, choice ...string) string {
	found := ""
	for _, f := range n.Members {
		if !slices.Contains(choice, f.Name) {
			continue
		}
		if found != "" {
			r.bad(f.Pos, "write two", "%s and %s in one mapping", found, f.Name)
			return ""
		}
		found = f.Name
	}
	if found == "" {
		hint := ""
		for _, f := range n.Members {
			if near := nearest(f.Name, choice); near != "" {
				hint = fmt.Sprintf("did you mean %s instead of %s?", near, f.Name)
			}
		}
		if hint == "" {
			hint = oneOf(choice)
		}
		r.bad(n.Pos, hint, "none of the keys that are needed here")
	}
	return found
}

// text reads a non-empty text.
func (r *reader) text(n *vehicle.Node, what string) string {
	if n == nil {
		return ""
	}
	s, ok := n.Scalar.Text()
	switch {
	case !isScalar(n):
		r.bad(n.Pos, "", "%s must be a text, this is %s", what, form(n.Kind))
	case !ok:
		r.bad(n.Pos, "put it in quotes", "%s must be a text, %s is a %s", what, n.Scalar.String(), n.Scalar.Kind())
	case s == "":
		r.bad(n.Pos, "", "%s is empty", what)
	}
	return s
}

// word reads one of a closed set of words.
func (r *reader) word(n *vehicle.Node, choice ...string) string {
	if !isScalar(n) || !slices.Contains(choice, n.Scalar.String()) {
		r.bad(n.Pos, didYouMean(n.Scalar.String(), choice), "%q is not possible here", n.Scalar.String())
		return choice[0]
	}
	return n.Scalar.String()
}

func (r *reader) flag(n *vehicle.Node) bool {
	b, ok := n.Scalar.Truth()
	if !isScalar(n) || !ok {
		r.bad(n.Pos, "true or false", "%q is neither true nor false", n.Scalar.String())
	}
	return b
}

func (r *reader) whole(n *vehicle.Node, what string, least int) int {
	f, ok := n.Scalar.Float()
	if !isScalar(n) || !ok || f != float64(int(f)) || f < float64(least) {
		r.bad(n.Pos, "", "%s must be a whole number from %d", what, least)
		return least
	}
	return int(f)
}

// names reads a text or a list of texts.
func (r *reader) names(n *vehicle.Node, what string) []string {
	if n == nil {
		return nil
	}
	if n.Kind != vehicle.List {
		if s := r.text(n, what); s != "" {
			return []string{s}
		}
		return []string{}
	}
	if len(n.Items) == 0 {
		r.bad(n.Pos, "", "an empty list where %s is needed", what)
	}
	l := []string{}
	for _, it := range n.Items {
		if s := r.text(it, what); s != "" {
			if slices.Contains(l, s) {
				r.bad(it.Pos, "", "%q is listed twice", s)
			}
			l = append(l, s)
		}
	}
	return l
}

// list returns the elements of a list that must not be empty.
func (r *reader) list(n *vehicle.Node, what string) []*vehicle.Node {
	if n == nil || !r.is(n, vehicle.List, what) {
		return nil
	}
	if len(n.Items) == 0 {
		r.bad(n.Pos, "leave the key out", "%s is empty", what)
	}
	return n.Items
}

// path reads a path into a value.
func (r *reader) path(n *vehicle.Node, what string) (string, vehicle.Path) {
	s := r.text(n, what)
	p, err := vehicle.ParsePath(s)
	if err != nil {
		r.bad(n.Pos, "", "%v", err)
	}
	return s, p
}
