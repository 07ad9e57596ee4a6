// SPDX-License-Identifier: Apache-2.0

package proof_test

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/carguardd/carguardd/harness/judge"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundle/proof"
	"github.com/carguardd/carguardd/rules/bundletest"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

func floorOf(t *testing.T, cat *vehicle.Catalog, profile string) []*rules.Case {
	t.Helper()
	floor, err := proof.LoadFloor(testdata.FS, path.Dir(profile), cat)
	if err != nil || len(floor) == 0 {
		t.Fatalf("floor of %s: %d tests, %v", profile, len(floor), err)
	}
	return floor
}

// The embedded bundles pass their own tests and keep to the floor of their
// cars, with both judges.
func TestEmbedded(t *testing.T) {
	for _, b := range [][2]string{{testdata.InCarBundle, testdata.DemoEV}, {testdata.GreenhouseBundle, testdata.Greenhouse}} {
		set, cat := bundletest.Load(t, testdata.FS, b[0], b[1])
		floor := floorOf(t, cat, b[1])
		for name, j := range map[string]rulestest.Judge{"plain": rulestest.Plain{}, "harness": judge.Judge{}} {
			rep, err := proof.Run(t.Context(), set, cat, j, floor)
			if err != nil || rep.Tests != len(set.Cases) || rep.Floor != len(floor) {
				t.Errorf("%s, %s: %+v, %v", b[0], name, rep, err)
			}
		}
	}
}

// Each floor test of a car is broken by a bundle without the rule that it is
// about, and the error says which.
func TestFloorBreaks(t *testing.T) {
	for _, c := range []struct {
		bundle, profile, without, test string
	}{
		{testdata.InCarBundle, testdata.DemoEV, "005", "the sunroof never opens below a closed sunshade"},
		{testdata.InCarBundle, testdata.DemoEV, "004", "the trunk never opens without a yes"},
		{testdata.InCarBundle, testdata.DemoEV, "014", "the high beams stay off in fog"},
		{testdata.GreenhouseBundle, testdata.Greenhouse, "co2-door", "no carbon dioxide with the door open"},
	} {
		set, cat := bundletest.Load(t, testdata.FS, c.bundle, c.profile)
		set = set.Without(c.without)
		_, err := proof.Run(t.Context(), set, cat, rulestest.Plain{}, floorOf(t, cat, c.profile))
		var failed *proof.FailedError
		if !errors.As(err, &failed) {
			t.Fatalf("without %s: %v", c.without, err)
		}
		if failed.What == "its own tests" { // Without leaves the tests out, so only inert rules could fail it
			err = proof.Floor(t.Context(), set, cat, rulestest.Plain{}, floorOf(t, cat, c.profile))
		}
		if err == nil || !strings.Contains(err.Error(), "the floor failed") || !strings.Contains(err.Error(), c.test) {
			t.Errorf("without %s: %v", c.without, err)
		}
	}
}

// asksFirst is a rule that asks before the sunroof opens, and knows nothing of
// the sunshade.
const asksFirst = `
- id: roof-asked
  type: confirmation
  policy: Tools that are marked for confirmation are used only after you have named every detail and the driver has clearly agreed.
  on: [{call: open_close_sunroof}]
  ask: {naming: all}
  say: {en: Shall I open the roof?, de: Soll ich das Dach öffnen?}
`

// asking is the embedded bundle of the demo car with that rule, and without
// another.
func asking(t *testing.T, without string) (*rules.Set, *vehicle.Catalog) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, testdata.FS); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, testdata.InCarBundle, "rules", "roof.yaml")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(data, asksFirst...), 0o644); err != nil {
		t.Fatal(err)
	}
	set, cat := bundletest.Load(t, os.DirFS(dir), testdata.InCarBundle, testdata.DemoEV)
	return set.Without(without), cat
}

// A question is no way around the floor: what it wants still holds once the
// driver has said yes.
func TestAsksFirst(t *testing.T) {
	for _, c := range []struct{ name, without, want string }{
		{"and forgets the sunshade", "005", `floor test "the sunroof never opens below a closed sunshade", turn 1: after a yes open_close_sunroof{"percentage":50} went out`},
		{"and opens the sunshade", "008", ""},
	} {
		for name, j := range map[string]rulestest.Judge{"plain": rulestest.Plain{}, "harness": judge.Judge{}} {
			set, cat := asking(t, c.without)
			err := proof.Floor(t.Context(), set, cat, j, floorOf(t, cat, testdata.DemoEV))
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%s, %s: %v, want %q", c.name, name, err, c.want)
			}
		}
	}
}

// A bundle that asks without end is none.
func TestAsksWithoutEnd(t *testing.T) {
	set, cat := bundletest.Load(t, testdata.FS, testdata.InCarBundle, testdata.DemoEV)
	err := proof.Floor(t.Context(), set, cat, alwaysAsks{}, floorOf(t, cat, testdata.DemoEV))
	var failed *proof.FailedError
	if !errors.As(err, &failed) || len(failed.Problems) != 1 || !strings.Contains(err.Error(), "still asks after 8 answers") {
		t.Errorf("%v", err)
	}
}

// alwaysAsks lets nothing out, and asks in every turn.
type alwaysAsks struct{ nothingGoes }

func (alwaysAsks) Begin(*rules.Set, *vehicle.Catalog, *rules.Case) (rulestest.Conversation, error) {
	return alwaysAsks{}, nil
}
func (alwaysAsks) Turn(*rules.CaseTurn) (rulestest.Outcome, error) {
	return rulestest.Outcome{Asked: []rulestest.Asked{{By: "x"}}}, nil
}

// A bundle that is stricter than the floor keeps to it.
func TestStricter(t *testing.T) {
	set, cat := bundletest.Load(t, testdata.FS, testdata.InCarBundle, testdata.DemoEV)
	if err := proof.Floor(t.Context(), set, cat, nothingGoes{}, floorOf(t, cat, testdata.DemoEV)); err != nil {
		t.Error(err)
	}
}

// nothingGoes holds every call.
type nothingGoes struct{}

func (nothingGoes) Begin(*rules.Set, *vehicle.Catalog, *rules.Case) (rulestest.Conversation, error) {
	return nothingGoes{}, nil
}
func (nothingGoes) Turn(*rules.CaseTurn) (rulestest.Outcome, error) { return rulestest.Outcome{}, nil }

// slow ends its context in the middle of a test.
type slow struct {
	rulestest.Judge
	after int
	end   context.CancelFunc
	turns int
}

func (s *slow) Begin(set *rules.Set, cat *vehicle.Catalog, c *rules.Case) (rulestest.Conversation, error) {
	talk, err := s.Judge.Begin(set, cat, c)
	return slowTalk{talk, s}, err
}

type slowTalk struct {
	rulestest.Conversation
	s *slow
}

func (t slowTalk) Turn(turn *rules.CaseTurn) (rulestest.Outcome, error) {
	if t.s.turns++; t.s.turns == t.s.after {
		t.s.end()
	}
	return t.Conversation.Turn(turn)
}

// Tests that do not end in time are given up between two turns, wherever that
// is.
func TestDeadline(t *testing.T) {
	set, cat := bundletest.Load(t, testdata.FS, testdata.InCarBundle, testdata.DemoEV)
	floor := floorOf(t, cat, testdata.DemoEV)
	for _, after := range []int{1, 7, 40} {
		ctx, end := context.WithCancel(t.Context())
		j := &slow{Judge: rulestest.Plain{}, after: after, end: end}
		_, err := proof.Run(ctx, set, cat, j, floor)
		if !errors.Is(err, proof.ErrDeadline) || j.turns != after {
			t.Errorf("after %d: %d turns were taken, %v", after, j.turns, err)
		}
		end()
	}
	ctx, end := context.WithCancel(t.Context())
	defer end()
	if err := proof.Floor(ctx, set, cat, &slow{Judge: rulestest.Plain{}, after: 2, end: end}, floor); !errors.Is(err, proof.ErrDeadline) {
		t.Errorf("in the floor: %v", err)
	}
}

func TestLoadFloor(t *testing.T) {
	_, cat := bundletest.Load(t, testdata.FS, testdata.InCarBundle, testdata.DemoEV)
	turn := "tests:\n- name: a\n  turns:\n  - draft: [{call: set_fan_speed, args: {level: 1}}]\n    want: "
	for _, c := range []struct{ name, text, want string }{
		{"no calls", turn + "{reads: []}", "says nothing about calls"},
		{"a rule", turn + "{calls: [], fires: [x]}", `there is no rule "x"`},
		{"more than calls", turn + "{calls: [], held: []}", "wants more than calls"},
		{"a tool that is not there", strings.ReplaceAll(turn, "set_fan_speed", "set_fan_sped") + "{calls: []}", "there is no tool set_fan_sped"},
		{"no yaml", "tests: [", "car/floor.yaml:1"},
	} {
		_, err := proof.LoadFloor(fstest.MapFS{"car/floor.yaml": {Data: []byte(c.text)}}, "car", cat)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if floor, err := proof.LoadFloor(fstest.MapFS{}, "car", cat); err != nil || floor != nil {
		t.Errorf("no floor: %v, %v", floor, err)
	}
}
