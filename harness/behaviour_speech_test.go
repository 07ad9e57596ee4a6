// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/rules"
)

// Replies: claims, ends, and repetition.
func TestBehaviourReplies(t *testing.T) {
	claim := []string{"completion say"}
	cut := []string{"output-integrity say"}
	acOn := func(b *bench) {
		b.hear("turn on the air conditioning")
		b.do("set_air_conditioning", `{"on":true}`)
	}
	acFailed := func(b *bench) {
		b.hear("turn on the air conditioning")
		b.came("set_air_conditioning", `{"on":true}`, failed("no answer"))
	}
	wrote := func(calls ...string) func(b *bench) {
		return func(b *bench) { b.hear("please do it"); b.do(calls...) }
	}
	twice := func(calls ...string) func(b *bench) {
		return func(b *bench) {
			b.hear("please do it")
			b.do(calls...)
			b.do(calls...)
		}
	}
	car := func(b *bench) {
		b.is("fan_speed", "1")
		b.hear("how is it?")
		b.do("get_climate_settings", `{}`, "get_vehicle_window_positions", `{}`)
	}
	play(t, []behaviour{
		{id: "A9.57 sending right away, nothing executed", car: inCar, say: "turn on the air conditioning", draft: say("I'm turning on the air conditioning right away."), want: claim},
		{id: "A9.58 completed, nothing executed", car: inCar, say: "turn on the air conditioning", draft: say("I've turned on the air conditioning."), want: claim},
		{id: "A9.58 done, nothing executed", car: inCar, say: "turn on the air conditioning", draft: say("Done!"), want: claim},
		{id: "A9.61 cut off", car: inCar, say: "how are you?", draft: say("I am doing very well and I would like to"), want: cut},
		{id: "A9.62 empty without calls", car: inOven, say: "hello", draft: say(""), want: cut},
		{id: "A9.63 a complete sentence", car: inCar, say: "hello", draft: say("Good morning.")},
		{id: "A9.63 a question with a trailing space", car: inCar, say: "hello", draft: say("How can I help you? ")},
		{id: "A9.63 calls only", car: inOven, draft: calls("get_state", `{}`)},
		{id: "B45 ends in other punctuation", car: inCar, say: "hello", draft: say("好的。")},
		{id: "B45 ends in a symbol", car: inCar, say: "how warm is it?", draft: say("It is 21 °C")},
		{id: "B45 ends in a bare value", car: inCar, say: "how warm is it?", draft: say("21")},
		{id: "B36 claims another action than the one executed", car: inCar, set: acOn, say: "-", draft: say("I've opened the sunroof."), want: claim},
		{id: "B36 claims the one executed", car: inCar, set: func(b *bench) { b.is("fan_speed", "1"); acOn(b) }, say: "-", draft: say("I've turned on the air conditioning.")},
		{id: "B36 claims the opposite", car: inCar, set: wrote("set_fog_lights", `{"on":false}`), say: "-", draft: say("I've turned the fog lights on."), want: claim},
		{id: "B36 claims what was set", car: inCar, set: wrote("set_fog_lights", `{"on":false}`), say: "-", draft: say("I've turned the fog lights off.")},
		{id: "B36 claims another item", car: inCar, set: wrote("open_close_window", `{"window":"DRIVER","percentage":10}`), say: "-", draft: say("I've opened the passenger's window."), want: claim},
		{id: "B36 claims the item", car: inCar, set: wrote("open_close_window", `{"window":"DRIVER","percentage":10}`), say: "-", draft: say("I've opened the driver's window.")},
		{id: "B36 claims an item of all", car: inCar, set: wrote("open_close_window", `{"window":"ALL","percentage":10}`), say: "-", draft: say("I've opened the driver's window.")},
		{id: "B36 claims two items of two calls", car: inCar, set: wrote("open_close_window", `{"window":"DRIVER","percentage":10}`, "open_close_window", `{"window":"PASSENGER","percentage":10}`), say: "-",
			draft: say("I've opened the driver's and the passenger's window.")},
		{id: "B37 claims after the write failed", car: inCar, set: acFailed, say: "-", draft: say("I've turned on the air conditioning."), want: claim},
		{id: "B38 a claim and a closing question", car: inCar, say: "turn on the air conditioning", draft: say("I've turned on the air conditioning. Is there anything else?"), want: claim},
		{id: "B39 a report of a state that was read: closed now", car: inCar, set: car, say: "-", draft: say("All windows are closed now.")},
		{id: "B39 a report of a state that was read: set to", car: inCar, set: car, say: "-", draft: say("The fan is set to level 1.")},
		{id: "B40 a claim beside calls", car: inCar, say: "turn on the air conditioning", set: func(b *bench) {
			b.is("fan_speed", "1")
			b.hear("turn on the air conditioning")
			b.do("get_climate_settings", `{}`, "get_vehicle_window_positions", `{}`)
		}, draft: harness.Draft{Text: "I've opened the sunroof.", Calls: calls("set_fan_speed", `{"level":2}`).Calls}, want: claim},
		{id: "A10.73 the third identical call", car: inOven, set: twice("get_state", `{}`), say: "-", draft: calls("get_state", `{}`), want: []string{"loop block"}},
		{id: "A10.74 the second", car: inOven, set: func(b *bench) { b.hear("please do it"); b.do("get_state", `{}`) }, say: "-", draft: calls("get_state", `{}`)},
		{id: "B42 other key order is the same call", car: inOven, set: twice("open_close_door", `{"door":"LEFT","percentage":5}`), say: "-",
			draft: calls("open_close_door", `{ "percentage": 5.0, "door": "LEFT" }`), want: []string{"loop block"}},
		{id: "B42 a read after a write in between is not", car: inOven, set: func(b *bench) {
			twice("get_state", `{}`)(b)
			b.do("set_fan", `{"level":2}`)
		}, say: "-", draft: calls("get_state", `{}`)},
		{id: "B35 words, not substrings", car: inOven, set: func(b *bench) {
			b.is("door_left_position", "50", "fan", "1")
			b.hear("turn on the heater, I am indoors with the fanatics")
			readAll(b)
		}, say: "-", draft: calls("open_close_door", `{"door":"ALL","percentage":0}`, "set_heater", `{"on":true}`, "set_fan", `{"level":1}`)},
		{id: "B35 an exempt door is not asked for by indoors", car: inOven, set: func(b *bench) {
			b.is("door_left_position", "50", "door_back_position", "10", "fan", "1")
			b.hear("turn on the heater, I am indoors")
			readAll(b)
		}, say: "-", draft: calls("open_close_door", `{"door":"BACK","percentage":0}`, "open_close_door", `{"door":"LEFT","percentage":0}`, "set_heater", `{"on":true}`),
			want: []string{`excess repair 1a -open_close_door{"door":"BACK","percentage":0}`}},
	})
}

// Consent by the assistant's own words.
func TestBehaviourConfirmation(t *testing.T) {
	cleaner := calls("set_cleaner", `{"on":true}`)
	trunk := calls("open_close_trunk_door", `{"action":"OPEN"}`)
	beams := func(on bool) harness.Draft { return calls("set_head_lights_high_beams", fmt.Sprintf(`{"on":%v}`, on)) }
	ask := []string{"confirmation ask"}
	carAsk := []string{"confirmation ask", "confirmation ask 004"}
	oven := func(q, a string) func(b *bench) {
		return func(b *bench) {
			b.hear("the cleaner, please")
			b.do("get_state", `{}`)
			b.said(q)
			b.hear(a)
			b.do("get_state", `{}`)
		}
	}
	car := func(q, a string) func(b *bench) {
		return func(b *bench) { b.hear("can you open the trunk?"); b.said(q); b.hear(a) }
	}
	lights := func(q string) func(b *bench) {
		return func(b *bench) {
			b.hear("the high beams, please")
			b.do("get_exterior_lights_status", `{}`)
			b.said(q)
			b.hear("Yes.")
		}
	}
	limit := func(question, answer string) func(b *bench) {
		return func(b *bench) {
			b.hear("charge it higher")
			b.said(question)
			b.hear(answer)
			b.said("To what percentage?")
		}
	}
	table := []behaviour{
		{id: "A11.75 without consent", car: inOven, set: func(b *bench) { b.hear("start the cleaner"); b.do("get_state", `{}`) }, say: "-", draft: cleaner, want: ask, note: "describe it with its values and ask"},
		{id: "A11.76 asked, then yes", car: inOven, set: oven("Shall I set the cleaner on?", "yes"), say: "-", draft: cleaner},
		{id: "A11.77 an unmarked tool", car: inOven, draft: calls("set_fan", `{"level":1}`)},
		{id: "A11.79 in the car, without", car: inCar, say: "open the trunk", draft: trunk, want: carAsk},
		{id: "A11.79 in the car, asked, then yes", car: inCar, set: car("Shall I open the trunk?", "Yes, please."), say: "-", draft: trunk},
		{id: "A11.80 yes to something else", car: inCar, set: car("Shall I turn on the fog lights?", "Yes."), say: "-", draft: trunk, want: carAsk},
		{id: "A11.81 yes to a clarifying question", car: inCar, set: car("Do you mean the trunk?", "Yes."), say: "-", draft: trunk, want: carAsk},
		{id: "A11.82 yes to doing it now", car: inCar, set: car("Do you want me to open the trunk now?", "Yes."), say: "-", draft: trunk},
		{id: "B3 asked for one value, called with another", car: inCar, set: car("Shall I open the trunk?", "Yes."), say: "-", draft: calls("open_close_trunk_door", `{"action":"CLOSE"}`), want: carAsk},
		{id: "asked for off, called with on", car: inCar, set: lights("Shall I turn the high beams off?"), say: "-", draft: beams(true), want: carAsk},
		{id: "asked for off, called with off", car: inCar, set: lights("Shall I turn the high beams off?"), say: "-", draft: beams(false)},
		{id: "asked for on, called with off", car: inCar, set: lights("Shall I switch on the high beams?"), say: "-", draft: beams(false), want: carAsk},
		{id: "asked for on beside what is off", car: inCar, set: lights("The fog lights are off. Shall I activate the high beams?"), say: "-", draft: beams(true)},
		{id: "asked for neither on nor off", car: inOven, set: oven("Shall I start the cleaner?", "yes"), say: "-", draft: calls("set_cleaner", `{"on":false}`), want: ask},
		{id: "a yes the next morning", car: inCar, set: func(b *bench) {
			b.hear("can you open the trunk?")
			b.said("Shall I open the trunk?")
			b.suite.Time(time.Now().Add(9 * time.Hour))
			b.hear("yes")
		}, say: "-", draft: trunk, want: carAsk},
		{id: "a number without its unit is one too", car: inCar, set: func(b *bench) {
			b.hear("what about 90?")
			b.said("The battery ages sooner. Shall I set the charge limit to 85?")
			b.hear("yes")
		}, say: "-", draft: calls("set_charge_limit", `{"percentage":90}`), want: []string{"confirmation ask charge-high"}},
		{id: "a question that leaves out the number", car: inCar, set: func(b *bench) {
			b.hear("what about 90 percent?")
			b.said("A charge limit of 90 percent ages the battery.")
			b.hear("hm")
			b.said("The battery ages. Shall I set the charge limit?")
			b.hear("yes")
		}, say: "-", draft: calls("set_charge_limit", `{"percentage":90}`), want: []string{"confirmation ask charge-high"}},
		{id: "a question that names it", car: inCar, set: func(b *bench) {
			b.hear("charge it higher")
			b.said("The battery ages sooner. Shall I set the charge limit to 90 percent?")
			b.hear("yes")
		}, say: "-", draft: calls("set_charge_limit", `{"percentage":90}`)},
		{id: "warned, agreed, and the number told when asked for", car: inCar, set: limit("A high charge limit ages the battery. Shall I raise the charge limit?", "yes"), say: "set the charge limit to 90 percent",
			draft: calls("set_charge_limit", `{"percentage":90}`)},
		{id: "warned and refused", car: inCar, set: limit("A high charge limit ages the battery. Shall I raise the charge limit?", "no"), say: "set the charge limit to 90 percent",
			draft: calls("set_charge_limit", `{"percentage":90}`), want: []string{"confirmation ask charge-high"}},
		{id: "agreed and not warned", car: inCar, set: limit("Shall I raise the charge limit?", "yes"), say: "set the charge limit to 90 percent",
			draft: calls("set_charge_limit", `{"percentage":90}`), want: []string{"confirmation ask charge-high"}},
		{id: "warned of another number", car: inCar, set: limit("A high charge limit ages the battery. Shall I set the charge limit to 85 percent?", "yes"), say: "set the charge limit to 90 percent",
			draft: calls("set_charge_limit", `{"percentage":90}`), want: []string{"confirmation ask charge-high"}},
		{id: "warned, and another number made up", car: inCar, set: limit("A high charge limit ages the battery. Shall I raise the charge limit?", "yes"), say: "set the charge limit to 85 percent",
			draft: calls("set_charge_limit", `{"percentage":90}`), want: []string{"confirmation ask charge-high"}},
		{id: "what was agreed to was done", car: inCar, set: func(b *bench) {
			limit("A high charge limit ages the battery. Shall I raise the charge limit?", "yes")(b)
			b.do("set_charge_limit", `{"percentage":85}`)
		}, say: "set the charge limit to 90 percent", draft: calls("set_charge_limit", `{"percentage":90}`), want: []string{"confirmation ask charge-high"}},
		{id: "B4 consent is used up", car: inCar, set: func(b *bench) {
			car("Shall I open the trunk?", "Yes.")(b)
			b.do("open_close_trunk_door", `{"action":"OPEN"}`)
		}, say: "-", draft: trunk, want: carAsk},
		{id: "B6 a rule with a condition, which is false", car: inCar, set: func(b *bench) {
			b.is("air_conditioning", "false")
			b.hear("open my window halfway")
			b.do("get_climate_settings", `{}`, "get_vehicle_window_positions", `{}`)
		}, say: "-", draft: calls("open_close_window", `{"window":"DRIVER","percentage":50}`)},
		{id: "B6 a rule with a condition, which is true", car: inCar, set: func(b *bench) {
			b.is("air_conditioning", "true")
			b.hear("open my window halfway")
			b.do("get_climate_settings", `{}`, "get_vehicle_window_positions", `{}`)
		}, say: "-", draft: calls("open_close_window", `{"window":"DRIVER","percentage":50}`), want: []string{"confirmation ask 007"}},
	}
	for _, a := range []string{"No, don't do it.", "I am not sure.", "That is incorrect.", "Don't proceed!", "I can't confirm that", "Yesterday I had it open."} {
		want := carAsk
		if a != "I am not sure." && a[0] != 'Y' { // a plain no forbids more than it withholds
			want = append([]string{"question-not-command block"}, carAsk...)
		}
		table = append(table, behaviour{id: "B1 " + a, car: inCar, set: car("Shall I open the trunk?", a), say: "-", draft: trunk, want: want})
	}
	for _, a := range []string{"Sure.", "Yep", "Go ahead.", "OK"} {
		table = append(table, behaviour{id: "B2 " + a, car: inCar, set: car("Shall I open the trunk?", a), say: "-", draft: trunk})
	}
	for _, q := range []string{"You'd like me to open the trunk, right?", "Do you confirm that I should open the trunk?", "I will open the trunk. Is that all good to go?"} {
		table = append(table, behaviour{id: "B5 " + q, car: inCar, set: car(q, "Yes"), say: "-", draft: trunk})
	}
	play(t, table)
}

// A refused or withheld write never goes out, whatever the student insists on.
func TestBehaviourWithheld(t *testing.T) { // B50
	draft := harnesstest.Calls("set_cleaner", `{"on":true}`, "set_fan", `{"level":2}`)
	sc := newScene(t, map[string]float64{"grill": 1}, draft, draft)
	turn := sc.say("start the cleaner and set the fan")
	sc.writes(`set_fan{"level":2}`)
	if len(turn.Withheld) != 1 || turn.Withheld[0].Gate != "prohibition" || !strings.Contains(turn.Reply, "The grill is on.") {
		t.Errorf("withheld %+v, reply %q", turn.Withheld, turn.Reply)
	}
}

// touchy is a language that breaks one gate.
type touchy struct{ harnesstest.Plain }

func (touchy) CutOff(string) bool { panic("no tongue") }

// counter counts what gates did.
type counter struct{ failed, ran map[string]int }

func (c counter) GateRan(gate string, _ time.Duration, _ int, err error) {
	c.ran[gate]++
	if err != nil {
		c.failed[gate]++
	}
}
func (counter) JournalFailed(error) {}

// A gate that fails inside is lost alone and counted, and the rest runs.
func TestBehaviourGateThatPanics(t *testing.T) { // B56
	b := inOven(t)
	set, err := rules.Load(os.DirFS("testdata/oven"), ".", b.cat)
	if err != nil {
		t.Fatal(err)
	}
	seen := counter{map[string]int{}, map[string]int{}}
	suite, err := harness.NewSuite(harness.Parts{ID: "p", Catalog: b.cat, Rules: func() *rules.Set { return set }, Language: touchy{}, Observer: seen})
	if err != nil {
		t.Fatal(err)
	}
	suite.Hear("set the fan")
	d := say("I've set the fan.")
	var gates []string
	for _, f := range suite.Judge(&d) {
		gates = append(gates, f.Gate)
	}
	hard := slices.DeleteFunc(harness.Gates(), func(g harness.Gate) bool { return g.Tier != harness.Hard })
	if !slices.Contains(gates, "completion") || seen.failed["output-integrity"] != 1 || len(seen.failed) != 1 || len(seen.ran) != len(hard) {
		t.Errorf("findings of %v; failed %v, ran %v", gates, seen.failed, seen.ran)
	}
}
