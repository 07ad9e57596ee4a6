// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"testing"

	"github.com/carguardd/carguardd/rules/rulestest"
)

// TestSilentRulesAllocateNothing holds the hot path to its promise.
func TestSilentRulesAllocateNothing(t *testing.T) {
	cat := car(t)
	set := load(t, cat, benchRules)
	facts := observed(cat, `{"window_driver_position":10,"window_passenger_position":0,"window_rear_position":20}`)
	for name, args := range map[string]string{"the trigger differs": `{"on":false}`, "the conditions are false": `{"on":true}`} {
		e := &rulestest.Env{Cat: cat, Call: call("set_ac", args), Fields: facts}
		if n := testing.AllocsPerRun(100, func() { judge(set.Rule("011a"), e) }); n != 0 {
			t.Errorf("%s: %g allocations", name, n)
		}
	}
}
