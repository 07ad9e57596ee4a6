// SPDX-License-Identifier: Apache-2.0

package gate_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/harness/gate"
	"github.com/carguardd/carguardd/vehicle"
)

// manual is docs/gate.md.
func manual(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../../docs/gate.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// block is the code block behind a comment of the manual.
func block(t *testing.T, doc, mark string) string {
	t.Helper()
	_, rest, ok := strings.Cut(doc, "<!-- "+mark+" -->\n```")
	_, rest, more := strings.Cut(rest, "\n")
	text, _, end := strings.Cut(rest, "\n```")
	if !ok || !more || !end {
		t.Fatalf("docs/gate.md has no block %q", mark)
	}
	return text
}

// The example of the manual is what the program does, and every line of it
// obeys the published schema, whose every property can be had.
func TestManualExample(t *testing.T) {
	var events, answers []string
	for _, l := range strings.Split(block(t, manual(t), "a test plays these lines"), "\n") {
		if e, ok := strings.CutPrefix(l, "> "); ok {
			events = append(events, e)
		} else if a, ok := strings.CutPrefix(l, "< "); ok {
			answers = append(answers, a)
		} else {
			t.Fatalf("no event and no answer: %s", l)
		}
	}
	c, err := gate.NewConversation(greenhouse(t))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := gate.Serve(context.Background(), c, strings.NewReader(strings.Join(events, "\n")), &out, gate.Limits{}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(answers, strings.Split(strings.TrimSpace(out.String()), "\n")); d != "" {
		t.Errorf("docs/gate.md (-manual +program):\n%s", d)
	}
	if len(events) < 20 {
		t.Errorf("only %d events", len(events))
	}
	schema := schemaOf(t)
	for i, l := range append(events[:len(events)-1:len(events)-1], answers...) { // the last event is wrong
		obeys(t, schema, i, l)
	}
	if v, _ := vehicle.ParseJSON([]byte(events[len(events)-1])); len(schema.Validate(v)) == 0 {
		t.Error("the schema takes an event that the program does not")
	}
}

func schemaOf(t *testing.T) *vehicle.Schema {
	t.Helper()
	data, err := os.ReadFile("../../docs/gate.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := vehicle.ParseJSON(data)
	if err != nil {
		t.Fatal(err)
	}
	s, err := vehicle.ParseSchema(doc)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func obeys(t *testing.T, s *vehicle.Schema, n int, line string) {
	t.Helper()
	v, err := vehicle.ParseJSON([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range s.Validate(v) {
		t.Errorf("line %d: %s: %s\n%s", n+1, bad.Path, bad.Text, line)
	}
}

// What the program answers obeys the schema in every form that an answer has.
func TestAnswersObeyTheSchema(t *testing.T) {
	c, err := gate.NewConversation(inCar(t))
	if err != nil {
		t.Fatal(err)
	}
	s := schemaOf(t)
	var all strings.Builder
	for _, lines := range [][]string{{
		`{"type":"session","tools":[{"name":"ring_bell"},{"name":"set_fan_speed","inputSchema":{"type":"object","properties":{"level":{"type":"integer"}}}},{"name":"open_close_trunk_door","inputSchema":{"type":"object","properties":{"action":{"type":"string"}}}}]}`,
		`{"type":"user","text":"open the trunk and set the fan to 2"}`,
		`{"type":"propose","calls":[{"tool":"open_close_trunk_door","arguments":{"action":"OPEN"}},{"tool":"set_fan_speed","arguments":{"level":"2"}},{"tool":"fly"}]}`,
		`{"type":"propose","id":"a","tool":"fly"}`,
		`{"type":"propose","id":"b","tool":"fly"}`,
		`{"type":"result","id":"b","value":1}`,
		`{"type":"propose","text":"I opened the trunk"}`,
		`{"type":"propose","text":"Which"}`,
		`no`,
	}} {
		var out bytes.Buffer
		if _, err := gate.Serve(context.Background(), c, strings.NewReader(strings.Join(lines, "\n")), &out, gate.Limits{}); err != nil {
			t.Fatal(err)
		}
		all.WriteString(out.String())
	}
	for i, l := range strings.Split(strings.TrimSpace(all.String()), "\n") {
		obeys(t, s, i, l)
	}
	for _, want := range []string{`"notes":`, `"times":2`, `"options":`, `"instead":`, `"say":`, `"error":`} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("no answer has %s\n%s", want, all.String())
		}
	}
}

// Every member of an event is in the manual.
func TestManualNamesEveryMember(t *testing.T) {
	doc := manual(t)
	for _, m := range gate.Members() {
		if !strings.Contains(doc, "`"+m+"`") {
			t.Errorf("docs/gate.md does not explain %s", m)
		}
	}
}
