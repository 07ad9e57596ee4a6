// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/vehicle"
)

// closings counts the turns that were closed.
type closings struct {
	harness.Journal // nothing else is asked of it
	n               int
}

func (c *closings) Write(_ context.Context, r harness.Record, _ bool) error {
	if r.Kind == harness.TurnClosed {
		c.n++
	}
	return nil
}

func (*closings) SaveAsks(context.Context, string, []*harness.Ask) error { return nil }

// twoStep is a car that counts what it started and what was waited for.
type twoStep struct {
	*harnesstest.Car
	started, waited int
}

func (c *twoStep) Start(ctx context.Context, call vehicle.Call) func() vehicle.Result {
	res := c.Do(ctx, call)
	c.started++
	return func() vehicle.Result {
		c.waited++
		return res
	}
}

// Wherever a rule breaks off, the turn ends in words and is closed, what was
// started is waited for, and the next turns are none the worse.
func TestBrokenRuleEndsNoTurn(t *testing.T) {
	const month, fanIs = `{context: now.month, gt: 3}`, `- {id: "told", type: disclosure, policy: "So it is.", on: [{call: set_fan}], tell: [{value: {field: fan}}], by: reply, say: {en: "The fan is at {field fan}."}}` + "\n"
	both := []harness.Draft{harnesstest.Calls("set_fan", `{"level":3}`, "set_heater", `{"on":true}`)}
	for _, tc := range []struct {
		name, rule string
		drafts     []harness.Draft
		want       []string // in the reply
	}{
		{"what it owes", `- {id: "odd", type: auto_action, policy: "So it is.", error: allow, on: [{call: set_fan}], if: [` + month + `], owe: [{call: set_lamp, args: {color: RED, level: 1}}], say: {en: "It is odd."}}`, both,
			[]string{`done: set_fan{"level":3}, set_heater{"on":true}`}},
		{"what triggers it", `- {id: "odd", type: auto_action, policy: "So it is.", error: allow, on: [{call: set_fan, when: [` + month + `]}], if: [{field: grill, is: true}], owe: [{call: set_lamp, args: {color: RED, level: 1}}], say: {en: "It is odd."}}`, both,
			[]string{`done: set_fan{"level":3}, set_heater{"on":true}`}},
		{"what it wants told", `- {id: "odd", type: disclosure, policy: "So it is.", error: allow, on: [{call: set_fan}], if: [` + month + `], tell: [{value: {field: fan}}], by: reply, say: {en: "It is odd."}}` + "\n" + fanIs, []harness.Draft{fanTo("3"), harnesstest.Say("I've done it.")},
			[]string{"I've done it. The fan is at 3."}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sc, log := ruled(t, "en", tc.rule, nil, tc.drafts...), &closings{}
			car := &twoStep{Car: sc.car}
			sc.session.Journal, sc.session.Car = log, car
			sc.session.Context = func(name string) vehicle.Value { panic("no calendar") }
			turn := sc.say("set the fan and turn on the heater")
			sc.says(turn, tc.want...)
			if turn.Outcome == harness.Faulted || !turn.RuleFailed() {
				t.Errorf("outcome %s, notes %v", turn.Outcome, turn.Notes)
			}
			if car.started != car.waited {
				t.Errorf("%d calls started, %d waited for", car.started, car.waited)
			}
			sc.student.Then(harnesstest.Say("It is a lamp."))
			if turn = sc.say("what is it?"); turn.Reply != "It is a lamp." {
				t.Errorf("later: %q, notes %v", turn.Reply, turn.Notes)
			}
			if log.n != 2 {
				t.Errorf("%d turns closed", log.n)
			}
			if slices.ContainsFunc(turn.Notes, func(n string) bool { return strings.Contains(n, "broke off") }) {
				t.Errorf("notes %v", turn.Notes)
			}
		})
	}
}
