// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"fmt"
	"slices"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

// mostAnswers is how often a turn of a floor test is said yes to: to what it
// asks, and to what is asked then.
const mostAnswers = 8

// agreed plays a floor test up to a turn that left something asked, and says
// yes to it.
//
// A turn that wants calls says what must come of its draft, and a question only
// puts that off: else a bundle would keep to the floor by asking first. What
// went out with the question counts together with what goes out after the
// answer. Where no call may go out the test says itself what an answer may do.
func (p player) agreed(c *rules.Case, n int, out rulestest.Outcome) vehicle.Problems {
	t := c.Turns[n]
	if len(t.Want.Calls) == 0 || n+1 < len(c.Turns) && c.Turns[n+1].Answer != "" {
		return nil
	}
	longer := *c
	longer.Turns = slices.Clone(c.Turns[:n+1])
	for range mostAnswers {
		if len(out.Asked) == 0 {
			return nil
		}
		longer.Turns = append(longer.Turns, &rules.CaseTurn{User: "yes", Answer: "yes", Want: t.Want, Pos: t.Pos})
		rep := rulestest.Play(p.set, p.cat, p.judge, &longer)
		if len(rep.Turns) < len(longer.Turns) { // see broken
			return rep.Failures
		}
		last := rep.Turns[len(rep.Turns)-1]
		out.Calls, out.Asked = slices.Concat(out.Calls, last.Calls), last.Asked
		if why := below(longer.Turns, &out); why != "" {
			return broke(c, n, "after a yes "+why)
		}
	}
	return broke(c, n, fmt.Sprintf("it still asks after %d answers", mostAnswers))
}
