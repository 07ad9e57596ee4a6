// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// Right is the right side of a test or the value of an argument: a constant,
// or another left side, or what the wildcard stands for.
type Right struct {
	Const vehicle.Value
	Left  Left
	Item  bool // the constant is "{item}"
	Pos   vehicle.Pos
}

const itemMark = "{item}"

func (r *reader) right(n *node) Right {
	out := Right{Pos: n.pos}
	switch n.kind {
	case nodeNull:
		r.bad(n.pos, "to ask whether there is a value, write known: false", "a comparison with nothing")
	case nodeMap:
		out.Left = r.left(n)
	case nodeScalar:
		out.Const = n.val
		if n.text == itemMark {
			out.Item = true
		} else if strings.Contains(n.text, itemMark) {
			r.bad(n.pos, "write {item} alone", "%s stands inside a text", itemMark)
		}
		if n.val.Kind() == vehicle.String && !n.val.Known() {
			r.bad(n.pos, "to ask whether there is a value, write known: false", "a comparison with %q is never true", n.text)
		}
	case nodeList:
		out.Const = r.constants(n)
	}
	return out
}

func (r *reader) constants(n *node) vehicle.Value {
	var l []vehicle.Value
	for _, it := range n.items {
		switch it.kind {
		case nodeScalar:
			l = append(l, it.val)
		case nodeList:
			l = append(l, r.constants(it))
		default:
			r.bad(it.pos, "", "a list of constants holds %s", it.kind)
		}
	}
	return vehicle.ListOf(l...)
}

// isConst reports whether the right side does not depend on the moment.
func (r *Right) isConst() bool { return r.Left == nil && !r.Item }

// String writes the right side for people.
func (r Right) String() string {
	if r.Left != nil {
		return r.Left.Label("")
	}
	return r.Const.String()
}
