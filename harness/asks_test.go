// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
)

// ledger is what a turn says about asks, in one line.
func ledger(t *harness.Turn) string {
	var out []string
	for _, a := range t.Asks {
		out = append(out, fmt.Sprintf("%s %q %s %v", a.ID, a.Text, a.State, a.Calls))
	}
	return strings.Join(out, "; ")
}

func TestAskLedger(t *testing.T) {
	calls, well := harnesstest.Calls, harnesstest.Say("Well.")
	type turn struct {
		say    string
		drafts []harness.Draft
		want   string
	}
	for _, tc := range []struct {
		name  string
		turns []turn
	}{
		{"done by its calls", []turn{{"turn on the heater", []harness.Draft{calls("set_heater", `{"on":true}`), well}, `a1 "turn on the heater" done [c1.1]`}}},
		{"two in one breath, one left open", []turn{{"turn on the heater and open the left door", []harness.Draft{calls("set_heater", `{"on":true}`), well},
			`a1 "turn on the heater" done [c1.1]; a2 "open the left door" open []`}}},
		{"served later", []turn{
			{"open the left door fully", []harness.Draft{well}, `a1 "open the left door fully" open []`},
			{"thank you", []harness.Draft{calls("open_close_door", `{"door":"LEFT","percentage":100}`), well}, `a1 "open the left door fully" done [c2.1]`}}},
		{"asked again", []turn{
			{"open the left door fully", []harness.Draft{well}, `a1 "open the left door fully" open []`},
			{"open the left door fully", []harness.Draft{well}, ``}}},
		{"taken back by name", []turn{
			{"turn on the fan and open the left door", []harness.Draft{well}, `a1 "turn on the fan" open []; a2 "open the left door" open []`},
			{"do not turn on the fan", []harness.Draft{well}, `a1 "turn on the fan" withdrawn []`}}},
		{"taken back", []turn{
			{"turn on the fan and open the left door", []harness.Draft{well}, `a1 "turn on the fan" open []; a2 "open the left door" open []`},
			{"never mind", []harness.Draft{well}, `a2 "open the left door" withdrawn []`}}},
		{"stopped", []turn{
			{"open the left door", []harness.Draft{well}, `a1 "open the left door" open []`},
			{"stop", nil, `a1 "open the left door" withdrawn []`}}},
		{"given up", []turn{{"turn on the heater", []harness.Draft{calls("set_heater", `{"on":true,"hot":1}`), well, well}, `a1 "turn on the heater" open []`}}},
		{"refused in words", []turn{{"turn on the heater and open the left door", []harness.Draft{calls("set_heater", `{"on":true}`), harnesstest.Say("I turned on the heater. I cannot open the door.")},
			`a1 "turn on the heater" done [c1.1]; a2 "open the left door" refused []`}}},
		{"not refused by a question", []turn{{"open the left door", []harness.Draft{harnesstest.Say("I cannot open the door by itself. Shall I open all doors?")},
			`a1 "open the left door" open []`}}},
		{"words that name nothing", []turn{
			{"open the left door", []harness.Draft{harnesstest.Say("How far?")}, `a1 "open the left door" open []`},
			{"just open it all the way", []harness.Draft{calls("open_close_door", `{"door":"LEFT","percentage":100}`), well},
				`a1 "open the left door" done [c2.1]; a2 "just open it all the way" done [c2.1]`}}},
		{"something to know", []turn{{"read the door positions", []harness.Draft{calls("get_door_positions", `{}`), well}, `a1 "read the door positions" done [c1.1]`}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sc := newSceneIn(t, englishTongue(t, ovenCatalog(t)), map[string]float64{"fan": 1})
			sc.session.Config.Off.Prefetch = true
			for i, tn := range tc.turns {
				sc.student.Then(tn.drafts...)
				if diff := cmp.Diff(tn.want, ledger(sc.say(tn.say))); diff != "" {
					t.Errorf("turn %d (-want +got):\n%s", i+1, diff)
				}
			}
		})
	}
}

// shelf keeps asks and the number of the last turn, as a journal does.
type shelf struct {
	asks []*harness.Ask
	last int
}

func (s *shelf) Write(_ context.Context, r harness.Record, _ bool) error {
	s.last = max(s.last, r.Number)
	return nil
}

func (s *shelf) SaveAsks(_ context.Context, _ string, asks []*harness.Ask) error {
	s.asks = nil
	for _, a := range asks {
		c := *a
		s.asks = append(s.asks, &c)
	}
	return nil
}

func (s *shelf) LoadAsks(context.Context, string) ([]*harness.Ask, error) { return s.asks, nil }
func (s *shelf) LastTurn(context.Context, string) (int, error)            { return s.last, nil }

// An ask that is open when the daemon ends is open when it begins again, covers
// the write that serves it, and keeps its number for itself.
func TestAskLedgerSurvivesARestart(t *testing.T) {
	kept := &shelf{}
	lang := englishTongue(t, ovenCatalog(t))
	before := newSceneIn(t, lang, nil, harnesstest.Say("Later."))
	before.session.Journal = kept
	before.say("set the fan to 3")

	after := newSceneIn(t, lang, nil, harnesstest.Calls("set_fan", `{"level":3}`), harnesstest.Say("Well."))
	after.session.Journal = kept
	if err := after.session.Restore(context.Background()); err != nil {
		t.Fatal(err)
	}
	turn := after.say("turn on the heater, as I said")
	after.writes(`set_fan{"level":3}`)
	want := `a1 "set the fan to 3" done [c2.1]; a2 "turn on the heater" open []`
	if got := ledger(turn); got != want {
		t.Errorf("ledger %s, want %s", got, want)
	}
}

// What a model finds is on the ledger when it stands in the driver's words;
// what it makes up is not, and when it fails the sentences do.
func TestAsksByAModel(t *testing.T) {
	const said = "Open the left door please. Do not turn on the fan."
	for _, tc := range []struct {
		name  string
		found harness.Extracted
		err   error
		want  string
		how   *harness.Extraction
		note  bool
	}{
		{"in the driver's words", harness.Extracted{Asks: []string{"Open the left door"}}, nil, `a2 "Open the left door" open []`,
			&harness.Extraction{Asks: []string{"Open the left door"}}, false},
		{"made up, empty, or taken back", harness.Extracted{Asks: []string{"open the right door", "", "turn on the fan", "left door"}}, nil, `a2 "left door" open []`,
			&harness.Extraction{Asks: []string{"left door"}, Ignored: 3}, false},
		{"an open one is withdrawn", harness.Extracted{Withdrawn: []int{1, 1, 7, 0}}, nil, `a1 "set the lamp" withdrawn []`,
			&harness.Extraction{Withdrawn: []string{"a1"}, Ignored: 3}, false},
		{"it fails", harness.Extracted{Asks: []string{"left door"}}, errors.New("nobody there"), `a2 "Open the left door please" open []`,
			&harness.Extraction{Failed: "nobody there"}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sc := newSceneIn(t, englishTongue(t, ovenCatalog(t)), nil, harnesstest.Say("Well."), harnesstest.Say("Well."))
			sc.session.Config.Off.Prefetch = true
			sc.say("set the lamp")
			sc.session.Extractor = &harnesstest.Extractor{Found: map[string]harness.Extracted{said: tc.found}, Err: tc.err}
			turn := sc.say(said)
			if got := ledger(turn); got != tc.want {
				t.Errorf("ledger %s, want %s", got, tc.want)
			}
			tc.how.By = "scripted extractor"
			if d := cmp.Diff(tc.how, turn.Extraction, cmpopts.IgnoreFields(harness.Extraction{}, "Took")); d != "" {
				t.Errorf("trace (-want +got):\n%s", d)
			}
			if noted := len(turn.Notes) > 0 && strings.HasPrefix(turn.Notes[0], "asks: nobody there"); noted != tc.note || turn.Usage.ModelCalls != 2 {
				t.Errorf("notes %q, %d model calls", turn.Notes, turn.Usage.ModelCalls)
			}
		})
	}
}

// A turn that a crash ends has its asks on the ledger.
func TestAskLedgerSurvivesACrash(t *testing.T) {
	kept := &shelf{}
	lang := englishTongue(t, ovenCatalog(t))
	before := newSceneIn(t, lang, nil)
	before.session.Journal = kept
	var asks []string
	before.session.Student = onDraft(func() {
		for _, a := range kept.asks { // what is on the disk while the student thinks
			asks = append(asks, a.ID+" "+a.Text+" "+string(a.State))
		}
	})
	before.say("set the fan to 3")
	if d := cmp.Diff([]string{"a1 set the fan to 3 open"}, asks); d != "" {
		t.Errorf("kept (-want +got):\n%s", d)
	}
}

// onDraft is a student that does something and then leaves the report to the
// harness.
type onDraft func()

func (onDraft) Name() string { return "watching" }

func (f onDraft) Draft(context.Context, *harness.Prompt) (harness.Draft, error) {
	f()
	return harness.Draft{Report: true}, nil
}
