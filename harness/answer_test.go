// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/vehicle"
)

// What the driver says to a question of the assistant's own decides whether
// its next calls may change anything.
func TestAnswersToTheStudentsOwnQuestion(t *testing.T) {
	fan := harnesstest.Calls("set_fan", `{"level":2}`)
	for _, tc := range []struct {
		name, say string
		want      []string
		gate      string // that withholds the call
	}{
		{"a counter-question changes nothing", "is the fan on?", nil, "question-not-command"},
		{"a no changes nothing", "no", nil, "question-not-command"},
		{"a yes does", "yes", []string{`set_fan{"level":2}`}, ""},
		{"a command does", "set the fan to 2", []string{`set_fan{"level":2}`}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			drafts := []harness.Draft{harnesstest.Say("Shall I set the fan?"), fan}
			if tc.gate != "" {
				drafts = append(drafts, fan) // it insists
			}
			sc := newScene(t, nil, drafts...)
			sc.say("hello")
			turn := sc.say(tc.say)
			sc.writes(tc.want...)
			if tc.gate == "" && len(turn.Withheld) > 0 || tc.gate != "" && (len(turn.Withheld) != 1 || turn.Withheld[0].Gate != tc.gate) {
				t.Errorf("withheld %+v", turn.Withheld)
			}
			if turn.Outcome != harness.Spoke {
				t.Errorf("outcome %s", turn.Outcome)
			}
		})
	}
}

// A yes to a question about exact calls is a yes to those, however well its
// words fit another call, and none at all when something has changed.
func TestYesIsForTheCallsOfTheQuestion(t *testing.T) {
	on, off := harnesstest.Calls("set_cleaner", `{"on":true}`), harnesstest.Calls("set_cleaner", `{"on":false}`)
	t.Run("another call", func(t *testing.T) {
		sc := newScene(t, nil, on, off)
		sc.say("start the cleaner")
		if turn := sc.say("yes"); turn.Outcome != harness.Asked {
			t.Errorf("outcome %s", turn.Outcome)
		}
		sc.writes(`set_cleaner{"on":true}`)
	})
	t.Run("too late", func(t *testing.T) {
		sc := newScene(t, nil, on, on)
		now := time.Unix(0, 0)
		sc.session.Now = func() time.Time { return now }
		sc.say("start the cleaner")
		now = now.Add(time.Hour)
		if turn := sc.say("yes"); turn.Outcome != harness.Asked {
			t.Errorf("outcome %s", turn.Outcome)
		}
		sc.writes()
	})
}

// What code tells beside the student's question is not what the student asks.
func TestYesIsNotForWhatIsToldBesideTheQuestion(t *testing.T) {
	on := harnesstest.Calls("set_head_lights_high_beams", `{"on":true}`)
	sc := newCarScene(t, map[string]string{"fog_lights": "true"}, on, on, harnesstest.Say("Shall I look for a bakery?"), on)
	turn := sc.say("turn on the high beams") // forbidden while the fog lights are on, and told so
	if !strings.Contains(turn.Reply, "high beams") || !strings.Contains(turn.Reply, "bakery?") {
		t.Fatalf("reply %q", turn.Reply)
	}
	sc.car.Set("fog_lights", vehicle.BoolOf(false))
	if turn = sc.say("yes"); turn.Outcome != harness.Asked {
		t.Errorf("outcome %s: %s", turn.Outcome, turn.Reply)
	}
	sc.writes()
}

// A question in the student's words counts when it mentions what the policy
// wants mentioned.
func TestSpokenConsentMentionsWhatItMust(t *testing.T) {
	full := harnesstest.Calls("set_charge_limit", `{"percentage":100}`)
	for ask, want := range map[string][]string{
		"Shall I set the charge limit to 100 percent?":                                                        nil,
		"A battery that is often full ages sooner. Shall I set the charge limit to 100 percent all the same?": {`set_charge_limit{"percentage":100}`},
	} {
		sc := newCarScene(t, nil, harnesstest.Say(ask), full)
		sc.say("charge to 100 percent")
		sc.say("yes")
		sc.writes(want...)
	}
}

// A yes is used at once or not at all.
func TestConsentThatWasNotUsedLapses(t *testing.T) {
	on := harnesstest.Calls("set_cleaner", `{"on":true}`)
	sc := newScene(t, nil, on)
	sc.say("start the cleaner")
	sc.car.Set("grill", vehicle.BoolOf(true)) // forbids it
	sc.say("yes")
	sc.writes()
	sc.car.Set("grill", vehicle.BoolOf(false))
	sc.student.Then(on)
	if turn := sc.say("set the fan"); turn.Outcome != harness.Asked {
		t.Errorf("outcome %s: %s", turn.Outcome, turn.Reply)
	}
	sc.writes()
}
