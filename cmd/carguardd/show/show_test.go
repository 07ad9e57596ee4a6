// SPDX-License-Identifier: Apache-2.0

package show_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/cmd/carguardd/show"
	"github.com/carguardd/carguardd/cross/goldentest"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

var update = flag.Bool("update", false, "write the golden files anew")

func demo(t *testing.T) *vehicle.Profile {
	t.Helper()
	p, err := vehicle.Load(testdata.FS, testdata.DemoEV)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Every turn document in testdata has its rendering beside it.
func TestTurn(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no turn documents: %v", err)
	}
	p := demo(t)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var turn harness.Turn
			if err := json.Unmarshal(data, &turn); err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := show.Turn(&got, &turn, p); err != nil {
				t.Fatal(err)
			}
			goldentest.Check(t, *update, strings.TrimSuffix(file, ".json")+".txt", got.Bytes())
		})
	}
}

// What went wrong is told too, whatever the profile knows of it.
func TestTurnThatFailed(t *testing.T) {
	call := func(id, tool, args string, by vehicle.Origin) vehicle.Call {
		return vehicle.Call{ID: id, Tool: tool, Args: vehicle.MustJSON(args), Origin: by}
	}
	trunk, fan := call("c1", "open_close_trunk_door", `{"action":"OPEN"}`, vehicle.ByStudent), call("c2", "set_fan_speed", `{"level":3}`, vehicle.ByRule)
	mail := call("c3", "send_email", `{"to":["a@b.example"],"text":"on my way"}`, vehicle.ByStudent)
	turn := &harness.Turn{
		ID: "bench-7", Utterance: "open the trunk and mail Anna", Student: "ollama x", Outcome: harness.Spoke, Reply: "I could not.",
		Notes: []string{"the student's reply was replaced: set_fan_speed{\"level\":3} was not done"}, Usage: harness.Usage{ModelCalls: 3},
		Withheld: []harness.Held{{Call: trunk, Gate: "prohibition", Rule: "g1", Reason: "not while driving"}},
		Steps: []*harness.Step{
			{Draft: harness.Draft{Student: "offline", Text: "done!", Calls: []vehicle.Call{trunk, {ID: "c0", Tool: "set_fan_speed", Raw: "{level: three"}}},
				Checks: []harness.Check{{Findings: []harness.Finding{
					{Gate: "prohibition", Tier: harness.Hard, Action: harness.Block, Rule: "g1", Note: "rule g1: not while driving",
						Evidence: []rules.Evidence{{Left: "vehicle_speed", Value: vehicle.NumberOf(42.5), Op: "gt", Right: vehicle.NumberOf(0), Truth: rules.True, Why: rules.Observed}}},
					{Gate: "argument-format", Tier: harness.Hard, Action: harness.Repair, Note: "the arguments are no object"},
					{Gate: "scope", Tier: harness.Advisory, Action: harness.Say, Rule: "g2", Note: "say less",
						Evidence: []rules.Evidence{{Left: "fan_speed", Value: vehicle.NumberOf(3), Op: "le", Right: vehicle.NumberOf(2), Truth: rules.False}}},
				}}},
				Released: []vehicle.Call{fan, mail},
				Results: []vehicle.Result{
					{CallID: "c2", Tool: fan.Tool, Status: vehicle.Unconfirmed, Reason: "fan_speed is 0 after 2s",
						Trace: []vehicle.Trace{{Dir: "tx", Bus: "body", Text: "430#FFFF7BFF0700", Signal: "fan_speed", Value: vehicle.NumberOf(3)}}},
					{CallID: "c3", Tool: mail.Tool, Status: vehicle.Done, Value: vehicle.MustJSON(`{"id":"m1","sent":true}`)},
				}},
			{Draft: harness.Draft{Student: "offline", Report: true, NotUnderstood: []string{"mail Anna"}}},
			{},
		},
	}
	var got bytes.Buffer
	if err := (show.Printer{Profile: demo(t)}).Turn(&got, turn); err != nil {
		t.Fatal(err)
	}
	goldentest.Check(t, *update, "testdata/failed.txt", got.Bytes())
}

func TestColored(t *testing.T) {
	tty, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // a character device
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	plain, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	for _, tc := range []struct {
		name string
		w    *os.File
		env  map[string]string
		want bool
	}{
		{"terminal", tty, map[string]string{"TERM": "xterm"}, true},
		{"file", plain, map[string]string{"TERM": "xterm"}, false},
		{"no color", tty, map[string]string{"TERM": "xterm", "NO_COLOR": "1"}, false},
		{"dumb terminal", tty, map[string]string{"TERM": "dumb"}, false},
		{"no terminal type", tty, nil, false},
	} {
		if got := show.Colored(tc.w, func(k string) string { return tc.env[k] }); got != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
	if show.Colored(&bytes.Buffer{}, func(string) string { return "xterm" }) {
		t.Error("a buffer is no terminal")
	}
}

// What a model says never commands the terminal.
func TestHostileText(t *testing.T) {
	turn := &harness.Turn{ID: "t", Outcome: harness.Spoke, Utterance: "a\x1b[2Jb\u202ec\xff\r\nd", Reply: strings.Repeat("word ", 60),
		Steps: []*harness.Step{{Draft: harness.Draft{Text: "\x07\x1b]0;x\a"}}}}
	for _, color := range []bool{false, true} {
		var b bytes.Buffer
		if err := (show.Printer{Color: color}).Turn(&b, turn); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if color {
			for _, c := range []string{"\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[0m"} {
				if !strings.Contains(text, c) {
					t.Errorf("no %q in a coloured rendering", c)
				}
				text = strings.ReplaceAll(text, c, "")
			}
		}
		if i := strings.IndexFunc(text, func(r rune) bool { return r < ' ' && r != '\n' || r == '\u202e' || r == '\ufffd' }); i >= 0 {
			t.Errorf("raw control character in %q", text[i:])
		}
		for _, l := range strings.Split(text, "\n") {
			if len(l) > 120 {
				t.Errorf("line is not wrapped: %q", l)
			}
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("plain")
	f.Add("\x1b[31m\x00\u200f\xfe")
	f.Fuzz(func(t *testing.T, s string) {
		got := show.Clean(s)
		if show.Clean(got) != got {
			t.Errorf("%q is cleaned further", got)
		}
		if !strings.Contains(s, "\ufffd") && strings.Contains(got, "\ufffd") {
			t.Errorf("%q became %q", s, got)
		}
	})
}
