// SPDX-License-Identifier: Apache-2.0

package recorded

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/studenttest"
	"github.com/carguardd/carguardd/vehicle"
)

const recording = `# a conversation
{"after": "fan on", "draft": {"calls": [{"id": "a", "tool": "set_fan", "args": {"level": 9007199254740993}}, {"id": "b", "tool": "get_state"}]}}

{"after": "fan on", "draft": {"text": "It is on already."}}
{"after": "result of get_state", "draft": {"text": "Done.", "student": "other"}}
{"after": "findings", "draft": {"text": "I cannot."}}
{"draft": {"text": "first"}}
{"error": {"kind": "timeout", "text": "slow"}}
`

func mustRead(t *testing.T, text string) []Entry {
	t.Helper()
	l, err := Read(strings.NewReader(text), "r.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestReplay(t *testing.T) {
	s := New("r.jsonl", mustRead(t, recording))
	say := func(p *harness.Prompt) string {
		d, err := s.Draft(t.Context(), p)
		if err != nil {
			return string(student.KindOf(err))
		}
		text := d.Student + ": " + d.Text
		for i := range d.Calls {
			text += d.Calls[i].Canonical()
		}
		return text
	}
	result := studenttest.Prompt("x")
	result.Messages = append(result.Messages, harness.Message{Role: harness.ToolRole, Result: &vehicle.Result{Tool: "get_state"}})
	findings := studenttest.Prompt("fan on")
	findings.Findings = "no"
	for i, c := range []struct {
		p    *harness.Prompt
		want string
	}{
		{studenttest.Prompt("hello"), "recorded r.jsonl: first"},
		{studenttest.Prompt("fan on"), `recorded r.jsonl: set_fan{"level":9007199254740993}get_state{}`},
		{result, "other: Done."},
		{findings, "recorded r.jsonl: I cannot."},
		{studenttest.Prompt("fan on"), "recorded r.jsonl: It is on already."},
		{studenttest.Prompt("fan on"), "recorded r.jsonl: It is on already."},
		{studenttest.Prompt("hello"), "timeout"},
		{studenttest.Prompt("hello"), "empty"},
	} {
		if got := say(c.p); got != c.want {
			t.Errorf("draft %d: %s, want %s", i, got, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Draft(ctx, findings); !errors.Is(err, student.Cancelled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"\n{", "r.jsonl:2: "},
		{`{"draft": {}, "ater": "x"}`, "unknown field"},
		{`{"draft": {"txt": "x"}}`, "unknown field"},
		{`{"after": "x"}`, "one of draft and error"},
		{`{"draft": {}, "error": {"kind": "timeout"}}`, "one of draft and error"},
		{`{"error": {"kind": "tired"}}`, `"tired"`},
		{`{"draft": {}} {"draft": {}}`, "more than one"},
	} {
		if _, err := Read(strings.NewReader(c.text), "r.jsonl"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}

// What a recorder writes, a student replays.
func TestRecordReplay(t *testing.T) {
	var file bytes.Buffer
	first := New("a", mustRead(t, recording))
	r := Record(first, &file)
	prompts := []*harness.Prompt{studenttest.Prompt("fan on"), studenttest.Prompt("hello"), studenttest.Prompt("hello"), studenttest.Prompt("hello")}
	var want []string
	run := func(s harness.Student) (out []string) {
		for _, p := range prompts {
			d, err := s.Draft(t.Context(), p)
			text := d.Text + string(student.KindOf(err))
			for i := range d.Calls {
				text += d.Calls[i].Canonical()
			}
			out = append(out, text)
		}
		return out
	}
	want = run(r)
	if r.Err() != nil || r.Name() != first.Name() {
		t.Fatal(r.Err(), r.Name())
	}
	if got := run(New("b", mustRead(t, file.String()))); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("replayed %q, recorded %q", got, want)
	}
}

func TestOpen(t *testing.T) {
	if _, err := Open(t.TempDir() + "/none"); err == nil {
		t.Error("a missing recording is opened")
	}
}

func FuzzRead(f *testing.F) {
	for _, l := range strings.Split(recording, "\n") {
		f.Add([]byte(l))
	}
	p := &harness.Prompt{Messages: []harness.Message{{Role: harness.User, Text: "fan on"}}}
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := Read(bytes.NewReader(b), "f")
		if err != nil {
			return
		}
		s := New("f", l)
		for range len(l) + 1 {
			if _, err := s.Draft(t.Context(), p); err != nil && student.KindOf(err) == "" {
				t.Fatalf("an error without a kind: %v", err)
			}
		}
	})
}
