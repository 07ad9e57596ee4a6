// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student/faulty"
	"github.com/carguardd/carguardd/vehicle"
)

// erratic is a critic and an extractor that says anything.
type erratic struct{ t *rapid.T }

func (erratic) Name() string { return "erratic" }

func (e erratic) fails() error {
	switch rapid.IntRange(0, 9).Draw(e.t, "fails") {
	case 0:
		return errors.New("no answer")
	case 1:
		panic("it breaks off")
	}
	return nil
}

func (e erratic) Judge(context.Context, *harness.Case) (harness.Verdict, error) {
	numbers := rapid.SliceOfN(rapid.IntRange(-2, 9), 0, 6)
	return harness.Verdict{Confirmed: numbers.Draw(e.t, "confirmed"), Discarded: numbers.Draw(e.t, "discarded")}, e.fails()
}

func (e erratic) Extract(_ context.Context, u *harness.Utterance) (harness.Extracted, error) {
	asks := rapid.SliceOfN(rapid.SampledFrom([]string{"start the cleaner", "open all doors", u.Text, "yes", "", "grill"}), 0, 20)
	return harness.Extracted{Asks: asks.Draw(e.t, "asks"), Withdrawn: rapid.SliceOfN(rapid.IntRange(-2, 5), 0, 4).Draw(e.t, "withdrawn")}, e.fails()
}

// Whatever the student, the one of the last round, the critic and the extractor
// say, and however many drafts are sampled: no call leaves that a rule forbids,
// none before its precondition, and none that needs a yes without one.
func TestWhateverTheModelsSay(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		sc := newScene(t, map[string]float64{"door_left_position": 50, "fan": 0})
		sc.session.Student, sc.session.Escalation = faulty.NewRandom(faulty.Options{Seed: seed}), faulty.NewRandom(faulty.Options{Seed: seed + 1})
		sc.session.Critic, sc.session.Extractor = erratic{rt}, erratic{rt}
		sc.session.Config.Vote = rapid.IntRange(1, 4).Draw(rt, "vote")
		number := func(name string) float64 { f, _ := sc.car.Get(name).Float(); return f }
		is := func(name string) bool { on, _ := sc.car.Get(name).Truth(); return on }
		text := ""
		sc.car.Before = func(c vehicle.Call) {
			on, _ := c.Args.Member("on")
			yes, _ := on.Truth()
			percent, _ := c.Args.Member("percentage")
			far, _ := percent.Float()
			switch {
			case c.Tool == "move_hood" && far > 0 && number("flap") != 100,
				c.Tool == "set_cleaner" && yes && is("grill"),
				c.Tool == "set_cleaner" && text != "yes":
				rt.Fatalf("%s goes out after %q; flap %v, grill %v", c.Canonical(), text, number("flap"), is("grill"))
			}
		}
		for range 4 {
			text = rapid.SampledFrom([]string{"turn on the heater and the grill", "yes", "yes", "open all doors and start the cleaner", "start the cleaner", "move the hood", "no", "is the fan on?"}).Draw(rt, "say")
			if turn := sc.say(text); turn.Reply == "" {
				rt.Fatal("a turn without a reply")
			}
		}
	})
}
