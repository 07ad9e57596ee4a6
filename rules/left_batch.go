// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// BatchLeft is how many calls of the tools the draft has.
type BatchLeft struct {
	leftBase
	Call []string // tools and @tags

	tools []string
}

func (r *reader) batch(n *vehicle.Node) *BatchLeft {
	return &BatchLeft{leftBase: leftBase{n.Pos}, Call: r.names(n, "a tool or @tag")}
}

// Label implements [Left].
func (l *BatchLeft) Label(string) string { return "calls of " + joined(l.Call) + " in the draft" }

func (l *BatchLeft) check(c *checker) typ {
	l.tools = c.tools(l.Call, l.pos)
	return typ{kind: vehicle.Number, integer: true}
}

func (l *BatchLeft) value(e *eval) Fact {
	n := 0
	e.env.Batch(func(c *vehicle.Call) bool {
		if contains(l.tools, c.Tool) {
			n++
		}
		return true
	})
	return Fact{Value: vehicle.NumberOf(float64(n)), Why: Observed}
}
