// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"testing"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/vehicle"
)

// With a consent goes what a rule owes for its call, with the very arguments
// that it owes, and nothing else of the same tool.
func TestRidesAlong(t *testing.T) {
	fog := vehicle.Call{Tool: "set_fog_lights", Args: vehicle.MustJSON(`{"on":true}`)}
	agreed := func(b *bench) {
		b.is("head_lights_high_beams", "true")
		b.hear("the fog lights, please")
		b.do("get_exterior_lights_status", `{}`)
		b.suite.Ask(&harness.Question{ID: "q1", Text: "Shall I turn on the fog lights?", Options: []harness.Option{{Label: "yes", Calls: []vehicle.Call{fog}}}})
		b.hear("yes")
	}
	with := func(args string) harness.Draft {
		return harnesstest.Calls("set_fog_lights", `{"on":true}`, "set_head_lights_high_beams", args)
	}
	judgeGate(t, "confirmation", []gateCase{
		{name: "what the rule owes", car: inCar, set: agreed, draft: with(`{"on":false}`)},
		{name: "other arguments", car: inCar, set: agreed, draft: with(`{"on":true}`), want: []string{"ask", "ask 004"}},
	})
}
