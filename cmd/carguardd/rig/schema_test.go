// SPDX-License-Identifier: Apache-2.0

package rig_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/vehicle"
)

// turnSchema is the published schema of turn documents, and its text.
func turnSchema(t *testing.T) (*vehicle.Schema, string) {
	t.Helper()
	data, err := os.ReadFile("../../../docs/turn.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := vehicle.ParseJSON(data)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := vehicle.ParseSchema(doc)
	if err != nil {
		t.Fatal(err)
	}
	return schema, string(data)
}

// obeys fails the test for everything in which a turn's document is none of the
// schema, and returns the document.
func obeys(t *testing.T, schema *vehicle.Schema, turn *harness.Turn) []byte {
	t.Helper()
	raw, err := json.Marshal(turn)
	if err != nil {
		t.Fatal(err)
	}
	v, err := vehicle.ParseJSON(raw)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range schema.Validate(v) {
		t.Errorf("%s: %s: %s", turn.Utterance, bad.Path, bad.Text)
	}
	return raw
}

// Turn documents of every outcome obey the published schema, and every
// property of the schema is one that a document can have.
func TestTurnDocumentsObeyTheirSchema(t *testing.T) {
	schema, text := turnSchema(t)
	r, _ := start(t, "fog_lights=true,head_lights_low_beams=true", []string{"blocked:window_passenger_position@40"},
		harnesstest.Calls("set_head_lights_high_beams", `{"on":true}`), harnesstest.Calls("set_head_lights_high_beams", `{"on":true}`),
		harnesstest.Say("I cannot do that."),
		harnesstest.Calls("open_close_window", `{"window":"passenger","percentage":"0%"}`), harnesstest.Say("I could not close it."),
		harnesstest.Calls("open_close_window", `{"window":"ALL","percentage":50}`, "set_air_conditioning", `{"on":true}`),
	)
	seen := map[string]bool{}
	for _, said := range []string{"turn on the high beams", "close the passenger window", "open all windows to 50 and turn the AC on", "no", "stop"} {
		turn := say(t, r, said)
		seen[string(turn.Outcome)] = true
		raw := obeys(t, schema, turn)
		var back harness.Turn
		if err := json.Unmarshal(raw, &back); err != nil || back.Reply != turn.Reply {
			t.Errorf("%s: does not read back: %v", said, err)
		}
	}
	for _, o := range []harness.Outcome{harness.Spoke, harness.Asked, harness.Halted} {
		if !seen[string(o)] {
			t.Errorf("no turn ended as %s", o)
		}
	}
	if strings.Count(text, "$ref") < 10 {
		t.Error("the schema describes little")
	}
}
