// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// kioskProfile is an invented domain in which one thing can be done in more
// than one way.
const kioskProfile = `
name: kiosk
version: "1"
services: [shop]
signals:
  blind_left_position:  {type: integer, unit: percent, range: [0, 100], service: shop}
  blind_right_position: {type: integer, unit: percent, range: [0, 100], service: shop}
  lamp: {type: boolean, service: shop}
  sign: {type: enum, allowed: [OPEN, SHUT, LUNCH], service: shop}
tools:
  set_blind:
    description: moves a blind
    access: write
    service: shop
    input: {side: {enum: [LEFT, RIGHT, WEST, BOTH]}, percentage: {type: integer, minimum: 0, maximum: 100}}
    sets: [{signal: "blind_{item}_position", item: {arg: side, map: {LEFT: left, RIGHT: right, WEST: left, BOTH: "*"}}, to: {arg: percentage}}]
  lower_blinds: {description: lowers the blinds, access: write, service: shop, input: {}, sets: [{signal: blind_left_position, to: 0}, {signal: blind_right_position, to: 0}]}
  set_lamp:     {description: switches the lamp, access: write, service: shop, input: {on: {type: boolean}, color: {enum: [RED, BLUE], optional: true}}, sets: [{signal: lamp, to: {arg: on}}]}
  light_up:     {description: switches the lamp on, access: write, service: shop, input: {}, sets: [{signal: lamp, to: true}]}
  set_sign:     {description: turns the sign, access: write, service: shop, input: {text: {enum: [OPEN, SHUT, LUNCH]}}, sets: [{signal: sign, to: {arg: text}}]}
  get_blinds:   {description: tells where the blinds are, access: read, service: shop, input: {}, returns: ["blind_*_position"]}
`

// The declarations of the kiosk's tools, as somebody else offers them.
const (
	blinds     = `{"name":"set_blind","inputSchema":{"type":"object","additionalProperties":false,"required":["side","percentage"],"properties":{"side":{"enum":["LEFT","RIGHT","WEST","BOTH"]},"percentage":{"type":"integer","minimum":0,"maximum":100}}}}`
	noBoth     = `{"name":"set_blind","inputSchema":{"type":"object","additionalProperties":false,"required":["side","percentage"],"properties":{"side":{"enum":["LEFT","RIGHT"]},"percentage":{"type":"integer","minimum":0,"maximum":100}}}}`
	noLeft     = `{"name":"set_blind","inputSchema":{"type":"object","additionalProperties":false,"required":["side","percentage"],"properties":{"side":{"enum":["RIGHT","WEST","BOTH"]},"percentage":{"type":"integer","minimum":0,"maximum":100}}}}`
	onlyBoth   = `{"name":"set_blind","inputSchema":{"type":"object","additionalProperties":false,"required":["side","percentage"],"properties":{"side":{"enum":["BOTH"]},"percentage":{"type":"integer","minimum":0,"maximum":100}}}}`
	noPercent  = `{"name":"set_blind","inputSchema":{"type":"object","additionalProperties":false,"required":["side"],"properties":{"side":{"enum":["LEFT","RIGHT","WEST","BOTH"]}}}}`
	narrow     = `{"name":"set_blind","inputSchema":{"type":"object","additionalProperties":false,"required":["side","percentage"],"properties":{"side":{"enum":["LEFT","RIGHT","WEST","BOTH"]},"percentage":{"type":"integer","minimum":0,"maximum":80}}}}`
	lower      = `{"name":"lower_blinds","inputSchema":{"type":"object","additionalProperties":false,"properties":{}}}`
	lamps      = `{"name":"set_lamp","inputSchema":{"type":"object","additionalProperties":false,"required":["on"],"properties":{"on":{"type":"boolean"},"color":{"enum":["RED","BLUE"]}}}}`
	plainLamps = `{"name":"set_lamp","inputSchema":{"type":"object","additionalProperties":false,"required":["on"],"properties":{"on":{"type":"boolean"}}}}`
	lightUp    = `{"name":"light_up","inputSchema":{"type":"object","additionalProperties":false,"properties":{}}}`
	sign       = `{"name":"set_sign","inputSchema":{"type":"object","additionalProperties":false,"required":["text"],"properties":{"text":{"enum":["OPEN","SHUT","LUNCH"]}}}}`
	readBlinds = `{"name":"get_blinds","inputSchema":{"type":"object","properties":{}}}`
)

// kiosk opens a conversation in the kiosk with these tools on offer.
func kiosk(t *testing.T, lang string, offered []string, drafts ...harness.Draft) *scene {
	t.Helper()
	p, err := vehicle.Load(fstest.MapFS{"profile.yaml": {Data: []byte(kioskProfile)}}, "profile.yaml")
	if err != nil {
		t.Fatal(err)
	}
	decls, err := vehicle.LoadTools("tools", []byte("["+strings.Join(offered, ",")+"]"))
	if err != nil {
		t.Fatal(err)
	}
	all, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	lex, err := all.For(lang).NewLexicon(vehicle.NewCatalog(p))
	if err != nil {
		t.Fatal(err)
	}
	cat := p.Offer(decls)
	sc := &scene{t: t, car: harnesstest.NewCar(vehicle.NewCatalog(p), map[string]vehicle.Value{
		"blind_left_position": vehicle.NumberOf(50), "blind_right_position": vehicle.NumberOf(50), "lamp": vehicle.BoolOf(false), "sign": vehicle.TextOf("OPEN")}),
		student: harnesstest.NewStudent(drafts...)}
	sc.session, err = harness.NewSession(harness.Parts{ID: "k", Catalog: cat, Rules: func() *rules.Set { return &rules.Set{Lexicon: &rules.Lexicon{}} },
		Car: sc.car, Student: sc.student, Language: harness.NewTongue(lex)})
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// A part that is not there is noticed before anything is done and said, with
// the exact calls that come to the same where there are any, and never is
// anything else done in its place.
func TestMissingParts(t *testing.T) {
	for _, tc := range []struct {
		name, lang string
		offered    []string
		say        string
		draft      harness.Draft
		asks       []string // the exact calls of the question; none: there is no alternative
		writes     []string // at once
		says       string   // in the reply
	}{
		{"a tool, and another does the same", "en", []string{lightUp, sign}, "turn the lamp on", harnesstest.Calls("set_lamp", `{"on":true}`),
			[]string{`light_up{}`}, nil, "does not offer it"},
		{"a tool, and another does more", "en", []string{lower, sign}, "lower the left blind to 0", harnesstest.Calls("set_blind", `{"side":"LEFT","percentage":0}`),
			nil, nil, "not available"},
		{"a tool, and another does it all", "en", []string{lower, sign}, "lower both blinds to 0", harnesstest.Calls("set_blind", `{"side":"BOTH","percentage":0}`),
			[]string{`lower_blinds{}`}, nil, "does not offer it"},
		{"a tool, and another does it to another value", "en", []string{lower}, "set both blinds to 30", harnesstest.Calls("set_blind", `{"side":"BOTH","percentage":30}`),
			nil, nil, "not available"},
		{"a tool, and the rest is done", "en", []string{sign}, "turn the lamp on and set the sign to lunch", harnesstest.Calls("set_lamp", `{"on":true}`, "set_sign", `{"text":"LUNCH"}`),
			nil, []string{`set_sign{"text":"LUNCH"}`}, "not available"},
		{"a tool, in German", "de", []string{lightUp}, "mach die Lampe an", harnesstest.Calls("set_lamp", `{"on":true}`),
			[]string{`light_up{}`}, nil, "Das kann dieses Auto nicht"},
		{"the word for all", "en", []string{noBoth}, "set both blinds to 30", harnesstest.Calls("set_blind", `{"side":"BOTH","percentage":30}`),
			[]string{`set_blind{"percentage":30,"side":"LEFT"}`, `set_blind{"percentage":30,"side":"RIGHT"}`}, nil, "does not offer it"},
		{"a name of an item that has another", "en", []string{noLeft}, "set the left blind to 30", harnesstest.Calls("set_blind", `{"side":"LEFT","percentage":30}`),
			nil, []string{`set_blind{"percentage":30,"side":"WEST"}`}, ""},
		{"an item, and only all are there", "en", []string{onlyBoth}, "set the left blind to 30", harnesstest.Calls("set_blind", `{"side":"LEFT","percentage":30}`),
			nil, nil, "not valid"},
		{"an argument that it needs", "en", []string{noPercent}, "set the left blind to 30", harnesstest.Calls("set_blind", `{"side":"LEFT"}`),
			nil, nil, "(percentage) is not available"},
		{"an argument that it needs, given all the same", "en", []string{noPercent}, "set the left blind to 30", harnesstest.Calls("set_blind", `{"side":"LEFT","percentage":30}`),
			nil, nil, "(percentage) is not available"},
		{"an argument that it can do without", "en", []string{plainLamps}, "turn the lamp on in red", harnesstest.Calls("set_lamp", `{"on":true,"color":"RED"}`),
			nil, nil, "(color) is not available"},
		{"a part of a range", "en", []string{narrow}, "set the left blind to 90", harnesstest.Calls("set_blind", `{"side":"LEFT","percentage":90}`),
			nil, nil, "between 0 and 80"},
		{"nothing", "en", []string{blinds, lamps, sign}, "set the left blind to 30", harnesstest.Calls("set_blind", `{"side":"LEFT","percentage":30}`),
			nil, []string{`set_blind{"percentage":30,"side":"LEFT"}`}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			drafts := []harness.Draft{tc.draft, tc.draft, tc.draft} // the student insists
			if len(tc.draft.Calls) == len(tc.writes) {
				drafts = drafts[:1]
			}
			sc := kiosk(t, tc.lang, tc.offered, drafts...)
			turn := sc.say(tc.say)
			sc.writes(tc.writes...)
			if !strings.Contains(turn.Reply, tc.says) || tc.says != "" && strings.Count(turn.Reply, tc.says) != 1 {
				t.Errorf("the reply does not say %q once: %s", tc.says, turn.Reply)
			}
			if tc.asks == nil {
				if turn.Question != nil {
					t.Errorf("asked: %s", turn.Reply)
				}
				return
			}
			if turn.Question == nil || len(turn.Question.Options) != 1 {
				t.Fatalf("not asked: %s (%s)", turn.Reply, turn.Outcome)
			}
			var calls []string
			for i := range turn.Question.Options[0].Calls {
				calls = append(calls, turn.Question.Options[0].Calls[i].Canonical())
			}
			if d := cmp.Diff(tc.asks, calls); d != "" {
				t.Errorf("offered (-want +got):\n%s", d)
			}
			yes := map[string]string{"en": "yes", "de": "ja"}[tc.lang]
			if turn = sc.say(yes); turn.Outcome == harness.Faulted {
				t.Error(turn.Reply)
			}
			sc.writes(append(tc.writes, tc.asks...)...) // and nothing before the yes
		})
	}
}

// A no leaves everything as it is.
func TestMissingPartsRefused(t *testing.T) {
	sc := kiosk(t, "en", []string{noBoth}, harnesstest.Calls("set_blind", `{"side":"BOTH","percentage":30}`))
	sc.say("set both blinds to 30")
	sc.say("no")
	sc.writes()
}

// A result that lacks a field, or has "unknown" in it, is noticed before the
// call that depends on it: each item is judged by itself, the question names
// what is not known, and what is owed for the others is never one call for all.
func TestUnknownItemIsNotHiddenInAll(t *testing.T) {
	for _, tc := range []struct {
		name  string
		doors string
	}{
		{"null", `{"door_left_position":null,"door_right_position":60,"door_back_position":70}`},
		{"the word", `{"door_left_position":"unknown","door_right_position":60,"door_back_position":70}`},
		{"missing", `{"door_right_position":60,"door_back_position":70}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cat := ovenCatalog(t)
			sc := newScene(t, map[string]float64{"fan": 1}, harnesstest.Calls("set_heater", `{"on":true}`))
			sc.car.Answers["get_door_positions"] = vehicle.MustJSON(tc.doors)
			sc.blind("door_left_position", "door_right_position", "door_back_position")
			turn := sc.say("turn on the heater")
			if turn.Question == nil || len(turn.Question.Options) != 1 || !strings.Contains(turn.Reply, "door_left_position") {
				t.Fatalf("not asked about what is unknown: %s (%s)", turn.Reply, turn.Outcome)
			}
			sc.writes()
			for _, c := range turn.Question.Options[0].Calls {
				if all, _ := cat.Tool("open_close_door").Items.All(); c.Tool == "open_close_door" && strings.Contains(c.Args.Canonical(), all) {
					t.Errorf("all doors are in the package: %s", c.Canonical())
				}
			}
			sc.say("yes")
			sc.writes(door("RIGHT", "0"), door("BACK", "0"), heaterOn)
		})
	}
}

// blind lets the live car say nothing of the signals: what is known is read.
func (sc *scene) blind(signals ...string) {
	for _, s := range signals {
		sc.car.Set(s, vehicle.Value{})
	}
}

// What was not known is said once, and not again with every later reply.
func TestUnknownIsSaidOnce(t *testing.T) {
	sc := kiosk(t, "en", []string{blinds, readBlinds}, harnesstest.Calls("get_blinds", `{}`), harnesstest.Say("The left blind is at 50 percent."),
		harnesstest.Say("The right blind, as I said."))
	sc.car.Answers["get_blinds"] = vehicle.MustJSON(`{"blind_left_position":50,"blind_right_position":"unknown"}`)
	sc.blind("blind_left_position", "blind_right_position")
	first := sc.say("how far down are the blinds?")
	again := sc.say("and the right blind?")
	if n := strings.Count(first.Reply+again.Reply, "not known"); n != 1 {
		t.Errorf("said %d times: %s / %s", n, first.Reply, again.Reply)
	}
}

// What no offered tool reads is said not to be there, whatever the reply makes
// up for it.
func TestMissingRead(t *testing.T) {
	for _, tc := range []struct {
		name    string
		offered []string
		drafts  []harness.Draft
		want    bool
	}{
		{"not offered", []string{blinds}, []harness.Draft{harnesstest.Say("The left blind is at 50 percent.")}, true},
		{"not offered, and it says so", []string{blinds}, []harness.Draft{harnesstest.Say("I cannot tell where the left blind is.")}, false},
		{"offered", []string{blinds, readBlinds}, []harness.Draft{harnesstest.Calls("get_blinds", `{}`), harnesstest.Say("The left blind is at 50 percent.")}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sc := kiosk(t, "en", tc.offered, tc.drafts...)
			sc.blind("blind_left_position", "blind_right_position")
			sc.car.Answers["get_blinds"] = vehicle.MustJSON(`{"blind_left_position":50,"blind_right_position":50}`)
			turn := sc.say("how far down is the left blind?")
			if strings.Contains(turn.Reply, "not available") != tc.want {
				t.Errorf("%s", turn.Reply)
			}
		})
	}
}
