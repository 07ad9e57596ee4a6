// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"fmt"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/region"
)

var outOfRange = &Analyzer{
	Name:  "out-of-range",
	Doc:   "a comparison with a value that is never reached: beyond the signal's range, the argument's bounds or the calendar's",
	Help:  "Compare with a value inside the range that carguardd fields shows.",
	Level: Error,
	Run: func(p *Pass) {
		for _, r := range p.Set.Rules {
			r.Tests(func(t *rules.Test) {
				if impossible(t) {
					p.report(r, t.Pos, "it is one of "+region.Domain(t).Known().String(), "rule %s: %s can never be %s", r.ID, t.Left.Label(""), opText(t))
				}
			})
		}
	},
}

// impossible reports whether no value that the left side can have passes.
func impossible(t *rules.Test) bool {
	s, ok := region.Passing(t)
	return ok && s.Empty()
}

func opText(t *rules.Test) string {
	if f, ok := t.Right.Const.Float(); ok {
		return fmt.Sprintf("%s %.6g", t.Op, f) // converted, to the last digits that matter
	}
	return t.Op.String() + " " + t.Right.String()
}
