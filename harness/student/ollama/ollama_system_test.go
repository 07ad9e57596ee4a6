// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package ollama

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/cross/ollama/ollamatest"
	"github.com/carguardd/carguardd/cross/peerstest"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/schema"
	"github.com/carguardd/carguardd/harness/student/studenttest"
	"github.com/carguardd/carguardd/vehicle"
)

// drafts is how many drafts are asked for in all.
const drafts = 200

// A real server with a model that says anything: no draft panics, every
// failure has a kind, and both ways of asking give calls.
func TestSystemMonkey(t *testing.T) {
	p := studenttest.Prompt("heat the top zone")
	srv := ollamatest.Start(t, p.Tools)
	if m, err := Find(t.Context(), Options{URL: srv.URL}); err != nil || !strings.HasPrefix(m.Name, ollamatest.Model) || !m.Tools {
		t.Fatalf("found %+v, %v", m, err)
	}
	for _, constrained := range []bool{false, true} {
		name := map[bool]string{false: "tools", true: "constrained"}[constrained]
		t.Run(name, func(t *testing.T) {
			kinds := map[string]int{}
			calls, valid, raw := 0, 0, 0
			for seed := range drafts / 2 {
				s, err := New(Options{URL: srv.URL, Model: ollamatest.Model, Seed: &seed, Constrained: constrained, NumPredict: 512, Timeout: 30 * time.Second})
				if err != nil {
					t.Fatal(err)
				}
				d, err := s.Draft(t.Context(), p)
				if err != nil {
					if student.KindOf(err) == "" {
						t.Fatalf("seed %d: an error without a kind: %v", seed, err)
					}
					kinds[string(student.KindOf(err))]++
					continue
				}
				kinds["draft"]++
				for i := range d.Calls {
					c := &d.Calls[i]
					calls++
					if c.Raw != "" {
						raw++
					} else if tool := p.Tools.Tool(c.Tool); tool != nil && len(tool.Input.Validate(c.Args)) == 0 {
						valid++
					}
				}
			}
			t.Logf("%d drafts: %v; %d calls, %d of them valid, %d unreadable", drafts/2, kinds, calls, valid, raw)
			if kinds["draft"] < drafts/5 || calls == 0 || valid == 0 {
				t.Error("hardly anything came through")
			}
			peerstest.Count(t, peerstest.Load, "drafts of a random model read, "+name, drafts/2)
			if kinds[string(student.Server)]+kinds[string(student.Refused)]+kinds[string(student.Unreachable)] > 0 {
				t.Errorf("the server failed")
			}
		})
	}
}

// The same seed gives the same draft, so that a failure can be replayed.
func TestSystemReplays(t *testing.T) {
	p := studenttest.Prompt("heat the top zone")
	srv := ollamatest.Start(t, p.Tools)
	for seed := range 10 {
		s, err := New(Options{URL: srv.URL, Model: ollamatest.Model, Seed: &seed, Constrained: true})
		if err != nil {
			t.Fatal(err)
		}
		outcome := func() string {
			d, err := s.Draft(t.Context(), p)
			if err != nil {
				return err.Error()
			}
			for i := range d.Calls {
				d.Text += " " + d.Calls[i].Canonical()
			}
			return d.Text
		}
		if a, b := outcome(), outcome(); a != b {
			t.Errorf("seed %d: first %s\nthen %s", seed, a, b)
		}
	}
}

// The server is killed in the middle of an answer: that is a failure of a
// kind, the next ones too until it is back, and then all is well.
func TestSystemKilled(t *testing.T) {
	p := studenttest.Prompt("heat the top zone")
	srv := ollamatest.Start(t, p.Tools)
	seed := 3
	o := Options{URL: srv.URL, Model: ollamatest.Model, Seed: &seed}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	cut := &ollamatest.Cutter{}
	first, lose := cut.Arm()
	long := o
	long.Transport = cut
	long.NumPredict = 4000
	ls, err := New(long)
	if err != nil {
		t.Fatal(err)
	}
	result := make(chan error, 1)
	go func() {
		_, err := ls.Draft(context.Background(), p)
		result <- err
	}()
	select {
	case <-first:
	case err := <-result:
		t.Fatalf("the answer ended before it could be cut: %v", err)
	}
	srv.Kill()
	lose()
	if err := <-result; !student.Down(err) || !(errors.Is(err, student.Incomplete) || errors.Is(err, student.Unreachable)) {
		t.Fatalf("killed in mid-stream: %v", err)
	} else {
		t.Logf("killed in mid-stream: %v", err)
	}
	if _, err := s.Draft(t.Context(), p); !errors.Is(err, student.Unreachable) {
		t.Fatalf("after the kill: %v", err)
	}
	srv.Restart()
	for n := range 20 {
		seed = n
		if _, err := s.Draft(t.Context(), p); err == nil {
			return
		} else if student.Down(err) {
			t.Fatalf("after the restart: %v", err)
		}
	}
	t.Fatal("no draft after the restart")
}

// Schemas that kill the server as they are do not as they are sent.
func TestSystemSchemas(t *testing.T) {
	srv := ollamatest.Start(t, nil)
	for name, doc := range map[string]string{
		"lookahead":     `{"type": "object", "properties": {"a": {"type": "string", "pattern": "^(?=a)b$"}}, "required": ["a"]}`,
		"leading star":  `{"type": "object", "properties": {"a": {"type": "string", "pattern": "^*a$"}}, "required": ["a"]}`,
		"long string":   `{"type": "object", "properties": {"a": {"type": "string", "maxLength": 5000}}, "required": ["a"]}`,
		"long list":     `{"type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer"}, "maxItems": 5000}}, "required": ["a"]}`,
		"no types":      `{"type": "object", "properties": {"a": {}}, "required": ["a"]}`,
		"recursion":     `{"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}`,
		"dangling ref":  `{"type": "object", "properties": {"a": {"$ref": "#/$defs/none"}}, "required": ["a"]}`,
		"odd type":      `{"type": "object", "properties": {"a": {"type": "date"}}, "required": ["a"]}`,
		"empty enum":    `{"type": "object", "properties": {"a": {"enum": []}}, "required": ["a"]}`,
		"kept pattern":  `{"type": "object", "properties": {"a": {"type": "string", "pattern": "^prg_[0-9]{1,4}$"}}, "required": ["a"]}`,
		"kept choice":   `{"type": "object", "properties": {"a": {"type": "string", "pattern": "^(ab|cd)-x$"}}, "required": ["a"]}`,
		"kept integers": `{"type": "object", "properties": {"a": {"type": "integer", "minimum": -3, "maximum": 3}}, "required": ["a"]}`,
		"several types": `{"type": "object", "properties": {"a": {"type": ["string", "null"], "maxLength": 5}}, "required": ["a"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			tool := &vehicle.Tool{Name: "t", Input: &vehicle.Schema{Raw: vehicle.MustJSON(doc)}}
			p := studenttest.Prompt("go")
			p.Tools = vehicle.NewCatalog(&vehicle.Profile{}, tool)
			kinds := map[student.Kind]int{}
			for seed := range 5 {
				s, err := New(Options{URL: srv.URL, Model: ollamatest.Model, Seed: &seed, Constrained: true, NumPredict: 256})
				if err != nil {
					t.Fatal(err)
				}
				_, err = s.Draft(t.Context(), p)
				kinds[student.KindOf(err)]++
				if student.Down(err) {
					t.Fatalf("%v\nsent %s", err, schema.Arguments(tool))
				}
			}
			t.Log(kinds)
		})
	}
}
