// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// Situations in which neighbouring systems went wrong, by the number of their
// row in the list of cases from the field, as far as no other table has them.
func TestCasesFromTheField(t *testing.T) {
	t.Run("4 what was rejected never runs", func(t *testing.T) { rapid.Check(t, rejectedNeverRuns) })
	t.Run("6 a refusal is final in its turn", refusalIsFinal)
	t.Run("19 all of one kind is nothing of another", allOfOneKind)
	t.Run("27 a denied command is none", deniedCommand)
	t.Run("31 what can be read without loss, and what cannot", losslessArguments)
	t.Run("35 a second claim needs an effect too", secondClaim)
}

// Whatever the driver answers in whatever order, a call that waits for a yes
// only goes out in the turn of a yes to the question about it.
func rejectedNeverRuns(t *rapid.T) {
	on := harnesstest.Calls("set_cleaner", `{"on":true}`)
	drafts := slices.Repeat([]harness.Draft{on}, 100)
	cat := vehicle.NewCatalog(ovenWorld().profile)
	car := harnesstest.NewCar(cat, atRest(ovenWorld().profile))
	s, err := harness.NewSession(harness.Parts{ID: "s", Catalog: cat, Rules: func() *rules.Set { return ovenWorld().set }, Car: car,
		Student: harnesstest.NewStudent(drafts...), Language: harnesstest.Plain{}})
	if err != nil {
		t.Fatal(err)
	}
	asked := false
	for _, text := range rapid.SliceOfN(rapid.SampledFrom([]string{"start the cleaner", "yes", "no", "hello", "is the fan on?", "hm"}), 1, 8).Draw(t, "said") {
		before := len(car.Writes())
		turn := s.Turn(context.Background(), text)
		if n := len(car.Writes()); n > before && (!asked || text != "yes") || n > before+1 {
			t.Fatalf("%q (asked before: %v) let out %v", text, asked, car.Writes()[before:])
		}
		asked = turn.Outcome == harness.Asked
	}
}

// A student that tries what was refused again and again gets nowhere, and the
// turn ends in words.
func refusalIsFinal(t *testing.T) {
	sc := newScene(t, map[string]float64{"grill": 1}, slices.Repeat([]harness.Draft{harnesstest.Calls("set_cleaner", `{"on":true}`)}, 50)...)
	turn := sc.say("start the cleaner")
	sc.writes()
	if turn.Usage.ModelCalls > 8 || turn.Reply == "" || turn.Outcome == harness.Asked {
		t.Errorf("%d model calls, outcome %s, reply %q", turn.Usage.ModelCalls, turn.Outcome, turn.Reply)
	}
}

// inGermanCar is the demonstration car, spoken to in German.
func inGermanCar(t *testing.T, without ...string) *bench {
	t.Helper()
	all, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	data, err := testdata.FS.ReadFile("profiles/demo-ev/lexicon/de.yaml")
	if err != nil {
		t.Fatal(err)
	}
	f, err := words.ParseLexicon("de.yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	w := carWorld()
	w.lang = func(cat *vehicle.Catalog) harness.Language {
		lex, err := all.For("de").NewLexicon(cat, f)
		if err != nil {
			t.Fatal(err)
		}
		return harness.NewTongue(lex)
	}
	return newBench(t, w, without)
}

func allOfOneKind(t *testing.T) {
	for name, in := range map[string]struct {
		car domain
		say string
	}{"de": {inGermanCar, "Öffne alle Fenster ganz."}, "en": {inCar, "Open all windows fully."}} {
		t.Run(name, func(t *testing.T) {
			b := in.car(t)
			b.hear(in.say)
			d := calls("open_close_window", `{"window":"ALL","percentage":100}`, "open_close_trunk_door", `{"action":"OPEN"}`, "open_close_sunroof", `{"percentage":100}`)
			var asked []string
			for _, f := range b.suite.Judge(&d) {
				if f.Gate == "unrequested-write" {
					for _, c := range d.Calls {
						if slices.Contains(f.Subjects, c.ID) {
							asked = append(asked, c.Tool)
						}
					}
				}
			}
			if !slices.Equal(asked, []string{"open_close_trunk_door", "open_close_sunroof"}) {
				t.Errorf("asked about %v", asked)
			}
		})
	}
}

func deniedCommand(t *testing.T) {
	for _, tc := range []struct {
		car   domain
		say   string
		draft harness.Draft
	}{
		{inCar, "Do not turn on the fog lights.", calls("set_fog_lights", `{"on":true}`)},
		{inCar, "Don’t open the window.", calls("open_close_window", `{"window":"DRIVER","percentage":100}`)},
		{inGermanCar, "Schalte die Nebelscheinwerfer nicht ein.", calls("set_fog_lights", `{"on":true}`)},
	} {
		t.Run(tc.say, func(t *testing.T) {
			b := tc.car(t)
			b.hear(tc.say)
			d := tc.draft
			if found := b.suite.Judge(&d); !slices.ContainsFunc(found, func(f harness.Finding) bool {
				return (f.Action == harness.Block || f.Action == harness.AskFirst) && slices.Contains(f.Subjects, d.Calls[0].ID)
			}) {
				t.Errorf("nothing holds %s: %v", d.Calls[0].Canonical(), found)
			}
		})
	}
}

func losslessArguments(t *testing.T) {
	for args, want := range map[string]string{
		`{"door":"LEFT","percentage":"20"}`:       `=open_close_door{"door":"LEFT","percentage":20}`,
		`{"door":"LEFT","percentage":"20%"}`:      `=open_close_door{"door":"LEFT","percentage":20}`,
		`{"door":"LEFT","percentage":20.0}`:       "",
		`{"door":"LEFT","percentage":"about 20"}`: "block",
		`{"door":"LEFT","percentage":20.5}`:       "block",
		`{"door":"LEFT","percentage":true}`:       "block",
		`{"door":"LEFT","percentage":"NaN"}`:      "block",
	} {
		b := inOven(t)
		b.hear("open the left door")
		d := calls("open_close_door", args)
		got := ""
		for _, f := range b.suite.Judge(&d) {
			if f.Gate == "schema" {
				got = strings.TrimPrefix(strings.TrimPrefix(shown(&f, &d), "schema repair "), "schema ")
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

func secondClaim(t *testing.T) {
	b := inCar(t)
	b.hear("Fog lights off.")
	b.do("set_fog_lights", `{"on":false}`)
	b.said("I've turned off the fog lights.")
	b.hear("Turn on the ambient lights.")
	d := say("I've turned on the ambient lights.")
	if !slices.ContainsFunc(b.suite.Judge(&d), func(f harness.Finding) bool { return f.Gate == "completion" }) {
		t.Error("a claim without a call passes because another one was carried out before")
	}
}
