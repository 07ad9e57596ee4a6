// SPDX-License-Identifier: Apache-2.0

package replay_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/harness/replay"
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundletest"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

func tongue(t testing.TB, cat *vehicle.Catalog) harness.Language {
	t.Helper()
	langs, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	lex, err := langs.For("en").NewLexicon(cat)
	if err != nil {
		t.Fatal(err)
	}
	return harness.NewTongue(lex)
}

// lines is a student that drafts what was written for it.
type lines struct{ drafts []harness.Draft }

func (*lines) Name() string { return "lines" }

func (l *lines) Draft(context.Context, *harness.Prompt) (harness.Draft, error) {
	if len(l.drafts) == 0 {
		return harness.Draft{Report: true}, nil
	}
	d := l.drafts[0]
	l.drafts = l.drafts[1:]
	return d, nil
}

// journalled is a conversation as a journal keeps it: written and read back.
func journalled(t testing.TB, set *rules.Set, cat *vehicle.Catalog) []*harness.Turn {
	t.Helper()
	car := harnesstest.NewCar(cat, map[string]vehicle.Value{
		"window_driver_position": vehicle.NumberOf(40), "window_passenger_position": vehicle.NumberOf(0), "window_driver_rear_position": vehicle.NumberOf(0),
		"window_passenger_rear_position": vehicle.NumberOf(0), "fan_speed": vehicle.NumberOf(0), "air_conditioning": vehicle.BoolOf(false),
		"trunk_door_position": vehicle.TextOf("closed"),
	})
	student := &lines{drafts: []harness.Draft{harnesstest.Calls("set_air_conditioning", `{"on": true}`), {Report: true},
		harnesstest.Calls("open_close_trunk_door", `{"action": "OPEN"}`)}}
	at := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	s, err := harness.NewSession(harness.Parts{ID: "talk", Catalog: cat, Rules: func() *rules.Set { return set }, Car: car, Student: student,
		Language: tongue(t, cat), Now: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	var out []*harness.Turn
	for _, said := range []string{"turn on the air conditioning", "open the trunk", "yes"} {
		data, err := json.Marshal(s.Turn(t.Context(), said))
		if err != nil {
			t.Fatal(err)
		}
		read := &harness.Turn{}
		if err := json.Unmarshal(data, read); err != nil {
			t.Fatal(err)
		}
		out = append(out, read)
		at = at.Add(time.Minute)
	}
	return out
}

// By the same rules a journal comes to the same, whatever the order of its
// turns; without a rule what that rule did is gone, and only that.
func TestAgain(t *testing.T) {
	set, cat := bundletest.Load(t, testdata.FS, testdata.InCarBundle, testdata.DemoEV)
	then := journalled(t, set, cat)
	if n := len(replay.Decisions(then[2], cat)); n == 0 {
		t.Fatalf("the yes decided nothing: %+v", then[2])
	}
	again := func(set *rules.Set, turns []*harness.Turn) replay.Report {
		t.Helper()
		j := replay.Judge{Catalog: cat, Rules: set, Language: tongue(t, cat)}
		now, err := j.Again(t.Context(), turns)
		if err != nil {
			t.Fatal(err)
		}
		return replay.Compare(turns, now, cat)
	}
	if rep := again(set, then); len(rep.Shifts) > 0 || rep.Turns != 3 || rep.Bare > 0 {
		t.Errorf("by the same rules: %+v", rep)
	}
	if rep := again(set, []*harness.Turn{then[2], then[0], then[1]}); len(rep.Shifts) > 0 {
		t.Errorf("in another order: %+v", rep)
	}
	rep := again(set.Without("011a"), then)
	want := []replay.Shift{{Turn: "talk-1", Utterance: "turn on the air conditioning", Rules: "in-car r1", Gone: []replay.Decision{
		{Rule: "011a", What: "repair set_air_conditioning"}, {What: `does open_close_window{"percentage":0,"window":"DRIVER"}`}}}}
	if d := cmp.Diff(want, rep.Shifts); d != "" {
		t.Errorf("without 011a (-want +got):\n%s", d)
	}
	for _, c := range rep.Rules {
		if gone := c.Rule == "011a"; gone != (c.Gone == 1) || c.Come != 0 {
			t.Errorf("counted %+v", c)
		}
	}

	// Without the question nobody waits for the yes.
	rep = again(set.Without("004"), then)
	if len(rep.Shifts) == 0 || rep.Shifts[0].Turn != "talk-2" {
		t.Errorf("without 004: %+v", rep.Shifts)
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	if _, err := (&replay.Judge{Catalog: cat, Rules: set, Language: tongue(t, cat)}).Again(ctx, then); err == nil {
		t.Error("went on after its end")
	}
}

// What the journal does not tell is unknown, and the report says that there is
// something it does not tell.
func TestBare(t *testing.T) {
	set, cat := bundletest.Load(t, testdata.FS, testdata.InCarBundle, testdata.DemoEV)
	then := journalled(t, set, cat)
	then[0].Setting = nil
	for _, st := range then[0].Steps {
		st.Released, st.Results = nil, nil
	}
	j := replay.Judge{Catalog: cat, Rules: set, Language: tongue(t, cat)}
	now, err := j.Again(t.Context(), then)
	if err != nil {
		t.Fatal(err)
	}
	rep := replay.Compare(then, now, cat)
	if rep.Bare != 1 || len(rep.Shifts) == 0 {
		t.Errorf("%+v", rep)
	}
}
