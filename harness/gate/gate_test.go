// SPDX-License-Identifier: Apache-2.0

package gate_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/gate"
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundletest"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// loaded are the domains of the repository by profile, each read once.
var loaded sync.Map

// domain is a profile of the repository with its rules; without a profile what
// the tool list says is all. The caller may change it.
func domain(t testing.TB, bundle, profile string) *gate.Domain {
	t.Helper()
	if d, ok := loaded.Load(profile); ok {
		c := *d.(*gate.Domain)
		return &c
	}
	d := &gate.Domain{Language: "en", Now: func() time.Time { return time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC) }}
	var err error
	if d.Languages, err = words.Load(); err != nil {
		t.Fatal(err)
	}
	if profile != "" {
		set, cat := bundletest.Load(t, testdata.FS, bundle, profile)
		d.Profile = cat.Profile
		d.Rules = func(*vehicle.Catalog) (*rules.Set, error) { return set, nil }
		for _, code := range d.Languages.Codes() {
			name := strings.Replace(profile, "profile.yaml", "lexicon/"+code+".yaml", 1)
			raw, err := testdata.FS.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			f, err := words.ParseLexicon(name, raw)
			if err != nil {
				t.Fatal(err)
			}
			d.Files = append(d.Files, f)
		}
	}
	loaded.Store(profile, d)
	c := *d
	return &c
}

func greenhouse(t testing.TB) *gate.Domain {
	return domain(t, testdata.GreenhouseBundle, testdata.Greenhouse)
}

func inCar(t testing.TB) *gate.Domain { return domain(t, testdata.InCarBundle, testdata.DemoEV) }

// play sends lines and returns the answers, one for each.
func play(t testing.TB, d *gate.Domain, l gate.Limits, lines ...string) ([]gate.Answer, gate.Counts) {
	t.Helper()
	c, err := gate.NewConversation(d)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	n, err := gate.Serve(context.Background(), c, strings.NewReader(strings.Join(lines, "\n")+"\n"), &out, l)
	if err != nil {
		t.Fatal(err)
	}
	var answers []gate.Answer
	for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		var a gate.Answer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		answers = append(answers, a)
	}
	return answers, n
}

// short writes an answer as a test expects it: ok, error, or the verdicts as
// "id allow" and "id gate/rule".
func short(a gate.Answer) string {
	if a.Error != "" {
		return "error"
	}
	var out []string
	for _, v := range a.Verdicts {
		s := "allow"
		if v.Decision != gate.Allow {
			s = v.Gate
			if v.Rule != "" {
				s += "/" + v.Rule
			}
		}
		out = append(out, strings.TrimSpace(v.ID+" "+s))
	}
	if a.OK {
		out = append(out, "ok")
	}
	for _, o := range a.Owed {
		s := "owed by " + o.Rule
		for _, c := range o.Calls {
			s += " " + c.Tool + c.Args.Canonical()
		}
		out = append(out, s)
	}
	for _, f := range a.Failed {
		out = append(out, "failed "+f.Gate)
	}
	return strings.Join(out, ", ")
}

// step is a line and what must be answered.
type step struct{ line, want string }

func check(t *testing.T, d *gate.Domain, steps []step) []gate.Answer {
	t.Helper()
	var lines []string
	for _, s := range steps {
		lines = append(lines, s.line)
	}
	answers, _ := play(t, d, gate.Limits{}, lines...)
	if len(answers) != len(steps) {
		t.Fatalf("%d answers to %d lines", len(answers), len(steps))
	}
	for i, s := range steps {
		if got := short(answers[i]); got != s.want {
			t.Errorf("line %d: %s\nis %s: %s, want %s", i+1, s.line, got, answers[i].Error, s.want)
		}
	}
	return answers
}

const (
	positions = `{"type":"result","id":"%s","value":{"vents":{"north":%d,"south":0,"east":0,"west":0},"shading":0}}`
	heat      = `{"type":"propose","id":"%s","tool":"set_heater","arguments":{"mode":"HEAT","temperature":18}}`
	vent      = `{"type":"propose","id":"%s","tool":"set_vent","arguments":{"bed":"%s","opening":%d}}`
)

// The suite speaks on an invented domain: reads first, then what is owed, each
// with the exact calls, and what was done counts.
func TestRulesAtTheBoundary(t *testing.T) {
	a := check(t, greenhouse(t), []step{
		{`{"type":"user","text":"heat to 18 degrees"}`, "ok"},
		{fmt.Sprintf(heat, "a"), "a gather/heat-vents"},
		{`{"type":"propose","id":"b","tool":"get_vents"}`, "b allow"},
		{fmt.Sprintf(positions, "b", 60), "ok"},
		{fmt.Sprintf(heat, "c"), "c obligation/heat-vents"},
		{fmt.Sprintf(vent, "d", "NORTH", 0), "d allow"},
		{`{"type":"result","id":"d","status":"done"}`, "ok"},
		{fmt.Sprintf(heat, "e"), "e allow"},
		{`{"type":"result","id":"e","value":{"success":true}}`, "ok"},
		{`{"type":"propose","text":"The north vent is closed and the heater heats to 18 degrees."}`, "allow"},
	})
	want := &gate.Remedy{First: []gate.Call{{Tool: "get_vents", Args: vehicle.ObjectOf()}}}
	if d := cmp.Diff(want, a[1].Verdicts[0].Remedy); d != "" {
		t.Errorf("the reads (-want +got):\n%s", d)
	}
	want = &gate.Remedy{First: []gate.Call{{Tool: "set_vent", Args: vehicle.MustJSON(`{"bed":"NORTH","opening":0}`)}}}
	if d := cmp.Diff(want, a[4].Verdicts[0].Remedy); d != "" {
		t.Errorf("what is owed (-want +got):\n%s", d)
	}
	if v := a[4].Verdicts[0]; v.Times != 2 || v.Action != harness.Repair || len(v.Evidence) == 0 || v.Reason == "" {
		t.Errorf("the rejection does not say all: %+v", v)
	}
}

// A rejected call is not part of the history that is scored: neither its effect
// nor its having been tried counts, and its result is not taken in.
func TestRejectedCallsDidNotHappen(t *testing.T) {
	for _, tc := range []struct {
		name  string
		steps []step
	}{
		{"no effect", []step{
			{`{"type":"user","text":"open the south vent to 80 and heat to 18"}`, "ok"},
			{`{"type":"propose","id":"r","tool":"get_climate"}`, "r allow"},
			{`{"type":"result","id":"r","value":{"wind_speed_kmh":70,"heater":"OFF"}}`, "ok"},
			{`{"type":"propose","id":"v","tool":"get_vents"}`, "v allow"},
			{fmt.Sprintf(positions, "v", 0), "ok"},
			{fmt.Sprintf(vent, "a", "SOUTH", 80), "a prohibition/vent-wind"},
			{`{"type":"result","id":"a","status":"done"}`, "ok"}, // the rejection was given to the model
			{fmt.Sprintf(heat, "b"), "b allow"},                  // no vent is open
		}},
		{"nothing is repeated", []step{
			{`{"type":"user","text":"get the vents"}`, "ok"},
			{`{"type":"propose","id":"a","tool":"set_vnt"}`, "a tool-exists"},
			{`{"type":"propose","id":"b","tool":"set_vnt"}`, "b tool-exists"},
			{`{"type":"propose","id":"c","tool":"set_vnt"}`, "c tool-exists"},
			{`{"type":"propose","id":"d","tool":"set_vnt"}`, "d tool-exists"},
		}},
		{"allowed ones are", []step{
			{`{"type":"user","text":"how far are the vents open?"}`, "ok"},
			{`{"type":"propose","id":"a","tool":"get_vents"}`, "a allow"},
			{fmt.Sprintf(positions, "a", 0), "ok"},
			{`{"type":"propose","id":"b","tool":"get_vents"}`, "b allow"},
			{fmt.Sprintf(positions, "b", 0), "ok"},
			{`{"type":"propose","id":"c","tool":"get_vents"}`, "c loop"},
		}},
		{"of one draft one is rejected and the rest judged without it", []step{
			{`{"type":"user","text":"open the south vent to 80 and heat to 18"}`, "ok"},
			{`{"type":"result","tool":"get_climate","value":{"wind_speed_kmh":70,"heater":"OFF"}}`, "ok"},
			{`{"type":"result","tool":"get_vents","value":{"vents":{"north":0,"south":0,"east":0,"west":0}}}`, "ok"},
			{`{"type":"propose","calls":[{"id":"a","tool":"set_vent","arguments":{"bed":"SOUTH","opening":80}},{"id":"b","tool":"set_heater","arguments":{"mode":"HEAT","temperature":18}}]}`,
				"a prohibition/vent-wind, b allow"},
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { check(t, greenhouse(t), tc.steps) })
	}
}

// What was allowed and has no result yet counts as under way.
func TestCallsUnderWay(t *testing.T) {
	check(t, greenhouse(t), []step{
		{`{"type":"user","text":"open the south vent to 50, and heat to 18 degrees"}`, "ok"},
		{`{"type":"result","tool":"get_vents","value":{"vents":{"north":60,"south":0,"east":0,"west":0}}}`, "ok"},
		{fmt.Sprintf(heat, "a"), "a obligation/heat-vents"},
		{fmt.Sprintf(vent, "b", "NORTH", 0), "b allow"},
		{fmt.Sprintf(heat, "c"), "c allow"}, // the vent is on its way
		{`{"type":"result","id":"b","error":"the motor is blocked"}`, "ok"},
		{`{"type":"result","id":"c","status":"done"}`, `ok, owed by heat-vents get_vents{}`},
		{`{"type":"propose","text":"The heater heats."}`, "owed-on-reply/heat-vents"},
		{`{"type":"propose","id":"d","tool":"get_vents"}`, "d allow"},
		{fmt.Sprintf(positions, "d", 60), `ok, owed by heat-vents set_vent{"bed":"NORTH","opening":0}`},
		{`{"type":"propose","id":"e","tool":"set_grow_lamp","arguments":{"bed":"NORTH","brightness":20}}`, "e value-grounding"},
		{`{"type":"user","text":"set the grow lamp of the north bed to 20"}`, "ok"},
		{`{"type":"propose","id":"f","tool":"set_grow_lamp","arguments":{"bed":"NORTH","brightness":20}}`, "f allow"}, // what is owed holds nothing else up
	})
}

const order = `{"type":"propose","id":"%s","tool":"order_supplies","arguments":{"article":"FERTILIZER","quantity":%d}}`

// Consent is for the exact calls of the question that was said, once.
func TestConsent(t *testing.T) {
	const asks = `{"type":"assistant","text":"Gladly.  You want me to order 5 times\nfertilizer, is that right?"}`
	for _, tc := range []struct {
		name, assistant, answer, quantity, want string
	}{
		{"yes to the question", asks, "yes", "5", "allow"},
		{"no", asks, "no", "5", "question-not-command"},
		{"yeah, no", asks, "Yeah, no.", "5", "confirmation"},
		{"not sure", asks, "I’m not sure", "5", "confirmation"},
		{"another number", asks, "yes", "6", "confirmation"},
		{"yes with a reservation", asks, "yes, but only two", "5", "confirmation"},
		{"the question was not said", `{"type":"assistant","text":"Nice weather, is it not?"}`, "yes", "5", "confirmation"},
		{"nothing was said", `{"type":"assistant","text":"Hm."}`, "yes", "5", "confirmation"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a, _ := play(t, greenhouse(t), gate.Limits{},
				`{"type":"user","text":"order five bags of fertilizer"}`, fmt.Sprintf(order, "a", 5), tc.assistant,
				fmt.Sprintf(`{"type":"user","text":%q}`, tc.answer),
				fmt.Sprintf(`{"type":"propose","id":"b","tool":"order_supplies","arguments":{"article":"FERTILIZER","quantity":%s}}`, tc.quantity))
			if m := a[1].Verdicts[0].Remedy; m == nil || m.Ask != "You want me to order 5 times fertilizer, is that right?" || len(m.Options) != 1 {
				t.Fatalf("the first answer does not ask: %+v", a[1])
			}
			if got := short(a[4]); got != "b "+tc.want {
				t.Errorf("%s (%s), want %s", got, a[4].Verdicts[0].Reason, tc.want)
			}
		})
	}
	t.Run("once", func(t *testing.T) {
		check(t, greenhouse(t), []step{
			{`{"type":"user","text":"order five bags of fertilizer"}`, "ok"},
			{fmt.Sprintf(order, "a", 5), "a confirmation"},
			{asks, "ok"},
			{`{"type":"user","text":"yes"}`, "ok"},
			{fmt.Sprintf(order, "b", 5), "b allow"},
			{`{"type":"result","id":"b","value":{"order_id":"o_77123"}}`, "ok"},
			{fmt.Sprintf(order, "c", 5), "c confirmation"},
			{`{"type":"user","text":"thank you"}`, "ok"},
			{fmt.Sprintf(order, "d", 5), "d confirmation"},
		})
	})
	t.Run("in German", func(t *testing.T) {
		a := check(t, inCar(t), []step{
			{`{"type":"session","language":"de"}`, "ok"},
			{`{"type":"user","text":"mach den Kofferraum auf"}`, "ok"},
			{`{"type":"propose","id":"a","tool":"open_close_trunk_door","arguments":{"action":"OPEN"}}`, "a confirmation"},
		})
		ask := a[2].Verdicts[0].Remedy.Ask
		check(t, inCar(t), []step{
			{`{"type":"session","language":"de"}`, "ok"},
			{`{"type":"user","text":"mach den Kofferraum auf"}`, "ok"},
			{`{"type":"propose","id":"a","tool":"open_close_trunk_door","arguments":{"action":"OPEN"}}`, "a confirmation"},
			{fmt.Sprintf(`{"type":"assistant","text":%q}`, ask), "ok"},
			{`{"type":"user","text":"ja, bitte"}`, "ok"},
			{`{"type":"propose","id":"b","tool":"open_close_trunk_door","arguments":{"action":"OPEN"}}`, "b allow"},
		})
	})
	t.Run("it lapses with time", func(t *testing.T) {
		check(t, greenhouse(t), []step{
			{`{"type":"user","text":"order five bags of fertilizer","at":"2026-03-14T10:00:00Z"}`, "ok"},
			{fmt.Sprintf(order, "a", 5), "a confirmation"},
			{`{"type":"assistant","at":"2026-03-14T10:00:01Z","text":"You want me to order 5 times fertilizer, is that right?"}`, "ok"},
			{`{"type":"user","text":"yes","at":"2026-03-14T10:09:00Z"}`, "ok"},
			{`{"type":"propose","at":"2026-03-14T10:09:00Z","id":"b","tool":"order_supplies","arguments":{"article":"FERTILIZER","quantity":5}}`, "b confirmation"},
		})
	})
}

// A gate that breaks off holds nothing against anybody, and is named.
func TestFailingGateAllows(t *testing.T) {
	d := greenhouse(t)
	d.Gates = append([]harness.Gate{{Name: "breaks", Tier: harness.Hard, Check: func(*harness.View) []harness.Finding { panic("no luck") }}}, harness.Gates()...)
	a := check(t, d, []step{
		{`{"type":"user","text":"stow the screen"}`, "ok"},
		{`{"type":"propose","id":"a","tool":"set_shading","arguments":{"drawn":0}}`, "a allow, failed breaks"},
		{`{"type":"propose","id":"b","tool":"set_shading","arguments":{"drawn":101}}`, "b schema, failed breaks"},
	})
	if e := a[1].Failed[0].Error; !strings.Contains(e, "no luck") {
		t.Errorf("the failure does not say why: %s", e)
	}
}

// The first gate in the order of the table names itself.
func TestFixedOrder(t *testing.T) {
	a := check(t, greenhouse(t), []step{
		{`{"type":"user","text":"is the heater on?"}`, "ok"},
		{`{"type":"propose","id":"a","tool":"order_supplies","arguments":{"article":"ROCKS","quantity":500}}`, "a schema"}, // and no command, no yes
		{`{"type":"propose","id":"b","tool":"order_supplies","arguments":"[1"}`, "b argument-format"},
		{`{"type":"propose","id":"c","tool":"order_supplies","arguments":{"article":"SEEDS","quantity":1}}`, "c question-not-command"},
	})
	order := map[string]int{}
	for i, g := range harness.Gates() {
		order[g.Name] = i
	}
	for _, x := range a[1:] {
		if _, ok := order[x.Verdicts[0].Gate]; !ok {
			t.Errorf("there is no gate %s", x.Verdicts[0].Gate)
		}
	}
}

// Without a profile the tool list is all that is known: its schemas and marks
// reject, guesses do not.
func TestToolListAlone(t *testing.T) {
	const tools = `[{"name":"weather_lookup","inputSchema":{"type":"object","properties":{"city":{"type":"string"}}}},` +
		`{"name":"open_gate","inputSchema":{"type":"object","properties":{"gate":{"type":"string","enum":["NORTH","SOUTH"]},"percent":{"type":"integer","minimum":0,"maximum":100}},"required":["gate","percent"],"additionalProperties":false}},` +
		`{"name":"drain","description":"Empties the pond. REQUIRES_CONFIRMATION","input_schema":{"type":"object","properties":{"pond":{"type":"string"}}}},` +
		`{"type":"function","function":{"name":"feed","parameters":{"type":"object","properties":{"fish_id":{"type":"string"}}}}}]`
	a := check(t, domain(t, "", ""), []step{
		{`{"type":"propose","tool":"open_gate"}`, "error"},
		{`{"type":"session","tools":` + tools + `}`, "ok"},
		{`{"type":"user","text":"what is the weather in Linz?"}`, "ok"},
		{`{"type":"propose","id":"a","tool":"weather_lookup","arguments":{"city":"Linz"}}`, "a allow"},
		{`{"type":"result","id":"a","value":{"sky":"clear","station":"st_90210"}}`, "ok"},
		{`{"type":"user","text":"it smells"}`, "ok"},
		{`{"type":"propose","id":"b","tool":"open_gate","arguments":{"gate":"NORTH","percent":50}}`, "b allow"},
		{`{"type":"propose","id":"c","tool":"open_gate","arguments":{"gate":"NORTH","percent":"50"}}`, "c schema"},
		{`{"type":"propose","id":"d","tool":"open_gate","arguments":{"gate":"EAST","percent":50}}`, "d schema"},
		{`{"type":"propose","id":"e","tool":"drain","arguments":{"pond":"big"}}`, "e confirmation"},
		{`{"type":"propose","id":"f","tool":"feed","arguments":{"fish_id":"fi_4711_b"}}`, "f provenance"},
		{`{"type":"propose","id":"g","tool":"close_gate","arguments":{}}`, "g tool-exists"},
	})
	if m := a[7].Verdicts[0].Remedy; m == nil || m.Instead == nil || m.Instead.Args.Canonical() != `{"gate":"NORTH","percent":50}` {
		t.Errorf("the call in the right form is not offered: %+v", m)
	}
}

// A tool that the list lacks is missing although the profile knows it, and one
// that only the list has is guessed and said to be.
func TestListBesidesProfile(t *testing.T) {
	a := check(t, greenhouse(t), []step{
		{`{"type":"session","tools":[{"name":"set_shading","inputSchema":{"type":"object","properties":{"drawn":{"type":"integer"}}}},{"name":"ring_bell"}]}`, "ok"},
		{`{"type":"user","text":"ring the bell, and heat to 18 degrees"}`, "ok"},
		{`{"type":"propose","id":"a","tool":"ring_bell"}`, "a allow"},
		{fmt.Sprintf(heat, "b"), "b tool-exists"},
	})
	if len(a[0].Notes) != 1 || !strings.Contains(a[0].Notes[0], "ring_bell") {
		t.Errorf("the guessed tool is not named: %v", a[0].Notes)
	}
}

// A field that no result will have is noticed before the call that needs it.
func TestMissingResultField(t *testing.T) {
	const tools = `{"type":"session","tools":[{"name":"dose_co2","inputSchema":{"type":"object","required":["on"],"properties":{"on":{"type":"boolean"}}}},` +
		`{"name":"get_door","inputSchema":{"type":"object","properties":{}},"outputSchema":{"type":"object","additionalProperties":false,"properties":{%s}}}]}`
	dose := `{"type":"propose","id":"a","tool":"dose_co2","arguments":{"on":true}}`
	a := check(t, greenhouse(t), []step{
		{fmt.Sprintf(tools, `"note":{"type":"string"}`), "ok"},
		{`{"type":"user","text":"let the carbon dioxide in"}`, "ok"},
		{dose, "a precondition/co2-door"},
	})
	if v := a[2].Verdicts[0]; v.Action != harness.Block || v.Say != "The door is not available here." {
		t.Errorf("%+v", v)
	}
	a = check(t, greenhouse(t), []step{
		{`{"type":"session"}`, "ok"},
		{`{"type":"user","text":"let the carbon dioxide in"}`, "ok"},
		{dose, "a gather/co2-vents"},
		{`{"type":"result","tool":"get_door","value":{"door_open":"unknown"}}`, "ok"},
		{dose, "a precondition/co2-door"},
	})
	if v := a[4].Verdicts[0]; v.Action != harness.Block || !strings.Contains(v.Say, "not known") {
		t.Errorf("%+v", v)
	}
}
