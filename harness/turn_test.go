// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// scene is a conversation with a scripted student in a car in memory.
type scene struct {
	t       *testing.T
	car     *harnesstest.Car
	student *harnesstest.Student
	session *harness.Session
}

func ovenCatalog(t testing.TB) *vehicle.Catalog {
	t.Helper()
	p, err := vehicle.Load(os.DirFS("testdata/oven-profile"), "profile.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return vehicle.NewCatalog(p)
}

func newScene(t *testing.T, state map[string]float64, drafts ...harness.Draft) *scene {
	t.Helper()
	return newSceneIn(t, harnesstest.Plain{}, state, drafts...)
}

func newSceneIn(t *testing.T, lang harness.Language, state map[string]float64, drafts ...harness.Draft) *scene {
	t.Helper()
	cat := ovenCatalog(t)
	set, err := rules.Load(os.DirFS("testdata/oven"), ".", cat)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]vehicle.Value{}
	for _, s := range cat.Profile.Signals {
		values[s.Name] = vehicle.NumberOf(state[s.Name])
		if s.Type == vehicle.TypeBool {
			values[s.Name] = vehicle.BoolOf(state[s.Name] != 0)
		}
	}
	sc := &scene{t: t, car: harnesstest.NewCar(cat, values), student: harnesstest.NewStudent(drafts...)}
	sc.session, err = harness.NewSession(harness.Parts{
		ID: "s", Catalog: cat, Rules: func() *rules.Set { return set }, Car: sc.car, Student: sc.student,
		Language: lang, Policy: set.Policy,
	})
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

func (sc *scene) say(text string) *harness.Turn { return sc.session.Turn(context.Background(), text) }

func (sc *scene) writes(want ...string) {
	sc.t.Helper()
	if d := cmp.Diff(want, sc.car.Writes()); d != "" {
		sc.t.Errorf("writes (-want +got):\n%s", d)
	}
}

const (
	heaterOn = `set_heater{"on":true}`
	grillOn  = `set_grill{"on":true}`
)

func door(item string, to string) string {
	return `open_close_door{"door":"` + item + `","percentage":` + to + `}`
}

func TestOwedCallsGoBeforeTheirTrigger(t *testing.T) {
	for _, tc := range []struct {
		name  string
		state map[string]float64
		draft harness.Draft
		want  []string
	}{
		{"two of three doors", map[string]float64{"door_left_position": 25, "door_right_position": 100, "door_back_position": 10},
			harnesstest.Calls("set_heater", `{"on":true}`), []string{door("LEFT", "0"), door("RIGHT", "0"), `set_fan{"level":1}`, heaterOn}},
		{"the threshold itself stays", map[string]float64{"door_left_position": 20, "fan": 3},
			harnesstest.Calls("set_heater", `{"on":true}`), []string{heaterOn}},
		{"all doors collapse", map[string]float64{"door_left_position": 25, "door_right_position": 30, "door_back_position": 90, "fan": 1},
			harnesstest.Calls("set_heater", `{"on":true}`), []string{door("ALL", "0"), heaterOn}},
		{"off triggers nothing", map[string]float64{"door_left_position": 90},
			harnesstest.Calls("set_heater", `{"on":false}`), []string{`set_heater{"on":false}`}},
		{"chain", map[string]float64{"door_left_position": 50},
			harnesstest.Calls("set_grill", `{"on":true}`), []string{door("LEFT", "0"), `set_fan{"level":2}`, heaterOn, grillOn}},
		{"remedy drafted already", map[string]float64{"door_left_position": 50},
			harnesstest.Calls("set_fan", `{"level":4}`, "open_close_door", `{"door":"LEFT","percentage":0}`, "set_heater", `{"on":true}`),
			[]string{`set_fan{"level":4}`, door("LEFT", "0"), heaterOn}},
		{"remedy drafted behind its trigger", map[string]float64{"door_left_position": 50, "door_right_position": 90, "fan": 1},
			harnesstest.Calls("set_heater", `{"on":true}`, "open_close_door", `{"door":"LEFT","percentage":0}`),
			[]string{door("RIGHT", "0"), door("LEFT", "0"), heaterOn}},
		{"precondition moves its repair", map[string]float64{},
			harnesstest.Calls("move_hood", `{"percentage":50}`, "move_flap", `{"percentage":100}`),
			[]string{`move_flap{"percentage":100}`, `move_hood{"percentage":50}`}},
		{"precondition adds its repair", map[string]float64{},
			harnesstest.Calls("move_hood", `{"percentage":50}`), []string{`move_flap{"percentage":100}`, `move_hood{"percentage":50}`}},
		{"unasked collective call is cut down", map[string]float64{"door_left_position": 50, "door_back_position": 10, "fan": 1},
			harnesstest.Calls("open_close_door", `{"door":"ALL","percentage":0}`, "set_heater", `{"on":true}`),
			[]string{door("LEFT", "0"), heaterOn}},
		{"collective call that leaves exempt items as they are", map[string]float64{"door_left_position": 50, "fan": 1},
			harnesstest.Calls("open_close_door", `{"door":"ALL","percentage":0}`, "set_heater", `{"on":true}`),
			[]string{door("ALL", "0"), heaterOn}},
		{"coercion", map[string]float64{"fan": 1},
			harnesstest.Calls("open_close_door", `{"door":"left","percentage":"20%"}`), []string{door("LEFT", "20")}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sc := newScene(t, tc.state, tc.draft)
			turn := sc.say("turn on the thing with a fan")
			sc.writes(tc.want...)
			if len(turn.Withheld) > 0 || turn.Outcome != harness.Spoke {
				t.Errorf("outcome %s, withheld %v", turn.Outcome, turn.Withheld)
			}
		})
	}
}

func TestConflictAsksForOneOfTwoPackages(t *testing.T) {
	state := map[string]float64{"door_left_position": 25, "door_right_position": 100, "door_back_position": 10}
	draft := harnesstest.Calls("open_close_door", `{"door":"ALL","percentage":50}`, "set_heater", `{"on":true}`)
	for _, tc := range []struct {
		answer string
		want   []string
	}{
		{"first", []string{door("LEFT", "0"), door("RIGHT", "0"), `set_fan{"level":1}`, heaterOn}},
		{"second", []string{door("ALL", "50")}},
		{"no", nil},
	} {
		t.Run(tc.answer, func(t *testing.T) {
			sc := newScene(t, state, draft)
			turn := sc.say("open all doors to 50 and turn the heater on")
			if turn.Outcome != harness.Asked || len(turn.Question.Options) != 2 {
				t.Fatalf("outcome %s, question %+v", turn.Outcome, turn.Question)
			}
			sc.writes()
			sc.say(tc.answer)
			sc.writes(tc.want...)
		})
	}
}

func TestConfirmation(t *testing.T) {
	for _, tc := range []struct {
		answer string
		want   []string
	}{
		{"yes", []string{`set_cleaner{"on":true}`}},
		{"no", nil},
		{"yes but later", nil},
		{"hm", nil},
	} {
		t.Run(tc.answer, func(t *testing.T) {
			sc := newScene(t, nil, harnesstest.Calls("set_cleaner", `{"on":true}`))
			if turn := sc.say("start the cleaner"); turn.Outcome != harness.Asked {
				t.Fatalf("outcome %s: %s", turn.Outcome, turn.Reply)
			}
			sc.say(tc.answer)
			sc.writes(tc.want...)
		})
	}
}

func TestConsentIsForOneCallOnce(t *testing.T) {
	on := harnesstest.Calls("set_cleaner", `{"on":true}`)
	sc := newScene(t, nil, on)
	sc.say("start the cleaner")
	sc.say("yes")
	sc.student.Then(on)
	if turn := sc.say("start the cleaner"); turn.Outcome != harness.Asked {
		t.Errorf("second time: outcome %s", turn.Outcome)
	}
	sc.writes(`set_cleaner{"on":true}`)
}

func TestWithheldIsNeverCarriedOut(t *testing.T) {
	for _, tc := range []struct {
		name  string
		state map[string]float64
		say   string
		draft harness.Draft
		want  []string
		gate  string
	}{
		{"prohibition", map[string]float64{"grill": 1}, "start the cleaner", harnesstest.Calls("set_cleaner", `{"on":true}`), nil, "prohibition"},
		{"unknown tool, the rest goes on", map[string]float64{}, "set the fan", harnesstest.Calls("launch", `{}`, "set_fan", `{"level":2}`), []string{`set_fan{"level":2}`}, "tool-exists"},
		{"out of range", nil, "set the fan", harnesstest.Calls("set_fan", `{"level":9}`), nil, "schema"},
		{"undeclared argument", nil, "set the fan", harnesstest.Calls("set_fan", `{"level":1,"speed":2}`), nil, "schema"},
		{"a question", nil, "is the fan on?", harnesstest.Calls("set_fan", `{"level":2}`), nil, "question-not-command"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sc := newScene(t, tc.state, tc.draft, tc.draft) // it insists
			turn := sc.say(tc.say)
			sc.writes(tc.want...)
			if len(turn.Withheld) != 1 || turn.Withheld[0].Gate != tc.gate {
				t.Errorf("withheld %+v, want one by %s", turn.Withheld, tc.gate)
			}
		})
	}
}

func TestTurnEndsHonestly(t *testing.T) {
	same := harnesstest.Calls("get_state", `{}`)
	many := make([]harness.Draft, 50)
	for i := range many {
		many[i] = same
	}
	for _, tc := range []struct {
		name   string
		drafts []harness.Draft
		want   string // in the reply
	}{
		{"the student says nothing", []harness.Draft{harnesstest.Silent()}, "student-bad"},
		{"an empty draft", []harness.Draft{{}, {}, {}}, "nothing-changed"},
		{"a call as text", []harness.Draft{harnesstest.Say(`{"name":"set_fan"}`), harnesstest.Say(`{"name":"set_fan"}`)}, "nothing-changed"},
		{"a claim without an effect", []harness.Draft{harnesstest.Say("I've set the fan."), harnesstest.Say("I've set the fan.")}, "nothing-changed"},
		{"the same call for ever", many, "gave-up"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sc := newScene(t, nil, tc.drafts...)
			turn := sc.say("set the fan")
			sc.writes()
			if !strings.Contains(turn.Reply, tc.want) {
				t.Errorf("reply %q, want %q in it", turn.Reply, tc.want)
			}
			if len(sc.student.Prompts()) > 20 {
				t.Errorf("%d drafts", len(sc.student.Prompts()))
			}
		})
	}
}

func TestFailedRemedyHoldsItsTrigger(t *testing.T) {
	sc := newScene(t, map[string]float64{"door_left_position": 50, "fan": 1}, harnesstest.Calls("set_heater", `{"on":true}`))
	sc.car.Fail["open_close_door"] = "blocked"
	turn := sc.say("turn on the heater")
	sc.writes(door("LEFT", "0"))
	if sc.car.Get("heater").Equal(vehicle.BoolOf(true)) {
		t.Error("the heater runs although the door did not close")
	}
	if !strings.Contains(turn.Reply, "blocked") {
		t.Errorf("reply %q does not say why", turn.Reply)
	}
}

func TestHandOnTheCarWins(t *testing.T) {
	sc := newScene(t, map[string]float64{"fan": 1}, harnesstest.Calls("set_heater", `{"on":true}`))
	opened := false
	sc.car.Before = func(c vehicle.Call) {
		if c.Tool == "get_state" && !opened { // after the doors were read, before the heater goes
			opened = true
			sc.car.Set("door_left_position", vehicle.NumberOf(60))
		}
	}
	sc.say("turn on the heater")
	if sc.car.Get("heater").Equal(vehicle.BoolOf(true)) && !sc.car.Get("door_left_position").Equal(vehicle.NumberOf(0)) {
		t.Errorf("the heater runs with a door open: %v", sc.car.Writes())
	}
}

func TestHandThatMovesNoFurtherThanTheToleranceWins(t *testing.T) {
	sc := newScene(t, map[string]float64{"fan": 1, "door_left_position": 20}, harnesstest.Calls("get_door_positions", `{}`),
		harnesstest.Say("The door is open."), harnesstest.Calls("set_heater", `{"on":true}`))
	sc.say("how far is the door open?")
	sc.car.Set("door_left_position", vehicle.NumberOf(21))
	sc.say("turn on the heater")
	sc.writes(door("LEFT", "0"), heaterOn)
}

func TestSignalThatIsLostIsUnknown(t *testing.T) {
	sc := newScene(t, map[string]float64{"fan": 1}, harnesstest.Calls("get_door_positions", `{}`),
		harnesstest.Say("The doors are closed."), harnesstest.Calls("set_heater", `{"on":true}`), harnesstest.Calls("set_heater", `{"on":true}`))
	sc.say("are the doors closed?")
	sc.car.Set("door_left_position", vehicle.Value{})
	if turn := sc.say("turn on the heater"); turn.Outcome != harness.Asked {
		t.Errorf("outcome %s: %s", turn.Outcome, turn.Reply)
	}
	sc.writes()
	sc.car.Set("door_left_position", vehicle.NumberOf(50)) // and seen again
	sc.say("no")
	sc.say("turn on the heater")
	sc.writes(door("LEFT", "0"), heaterOn)
}

func TestWhatIsOwedForAWithheldCallIsNotDeferredAlone(t *testing.T) {
	sc := newScene(t, map[string]float64{"door_left_position": 50}, harnesstest.Calls("get_state", `{}`, "get_door_positions", `{}`),
		harnesstest.Calls("open_close_door", `{"door":"TOP","percentage":90}`, "set_grill", `{"on":true,"force":true}`))
	sc.say("is the grill on?")
	sc.writes()
}

func TestStop(t *testing.T) {
	sc := newScene(t, nil)
	if turn := sc.say("stop!"); turn.Outcome != harness.Halted || sc.car.Stops() != 1 {
		t.Errorf("outcome %s after %d stops", turn.Outcome, sc.car.Stops())
	}
}

func TestCleanTurnMakesTheStudentsCallsOnly(t *testing.T) {
	sc := newScene(t, map[string]float64{"fan": 1}, harnesstest.Calls("set_heater", `{"on":true}`), harnesstest.Say("I've turned on the heater."))
	turn := sc.say("turn on the heater")
	sc.writes(heaterOn)
	if turn.Usage.ModelCalls != 2 || turn.Reply != "I've turned on the heater." {
		t.Errorf("%d model calls, reply %q", turn.Usage.ModelCalls, turn.Reply)
	}
}
