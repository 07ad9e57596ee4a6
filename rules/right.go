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

func (r *reader) right(n *vehicle.Node) Right {
	out := Right{Pos: n.Pos}
	switch n.Kind {
	case vehicle.Unknown:
		r.bad(n.Pos, "to ask whether there is a value, write known: false", "a comparison with nothing")
	case vehicle.Object:
		out.Left = r.left(n)
	default:
		out.Const = n.Scalar
		if n.Scalar.String() == itemMark {
			out.Item = true
		} else if strings.Contains(n.Scalar.String(), itemMark) {
			r.bad(n.Pos, "write {item} alone", "%s stands inside a text", itemMark)
		}
		if n.Scalar.Kind() == vehicle.String && !n.Scalar.Known() {
			r.bad(n.Pos, "to ask whether there is a value, write known: false", "a comparison with %q is never true", n.Scalar.String())
		}
	case vehicle.List:
		out.Const = r.constants(n)
	}
	return out
}

func (r *reader) constants(n *vehicle.Node) vehicle.Value {
	var l []vehicle.Value
	for _, it := range n.Items {
		switch it.Kind {
		case vehicle.Bool, vehicle.Number, vehicle.String:
			l = append(l, it.Scalar)
		case vehicle.List:
			l = append(l, r.constants(it))
		default:
			r.bad(it.Pos, "", "a list of constants holds %s", form(it.Kind))
		}
	}
	return vehicle.ListOf(l...)
}

// String writes the right side for people.
func (r Right) String() string {
	if r.Left != nil {
		return r.Left.Label("")
	}
	return r.Const.String()
}
