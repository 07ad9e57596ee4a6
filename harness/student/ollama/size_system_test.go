// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package ollama

import (
	"fmt"
	"testing"
	"time"

	"github.com/carguardd/carguardd/cross/ollama/ollamatest"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/schema"
	"github.com/carguardd/carguardd/harness/student/studenttest"
	"github.com/carguardd/carguardd/vehicle"
)

// The tools of a whole car make a schema that the server still turns into a
// grammar, and a prompt that it still reads.
func TestSystemManyTools(t *testing.T) {
	var tools []*vehicle.Tool
	for i := range 60 {
		in, err := vehicle.ParseSchema(vehicle.MustJSON(fmt.Sprintf(`{"type": "object", "additionalProperties": false, "required": ["zone"], "properties": {
			"zone": {"type": "string", "enum": ["ALL", "DRIVER", "PASSENGER", "DRIVER_REAR", "PASSENGER_REAR"], "description": "Which zone of the vehicle."},
			"level_%d": {"type": "integer", "minimum": 0, "maximum": %d, "description": "The level."},
			"options": {"type": "array", "items": {"type": "string", "enum": ["fast", "slow"]}},
			"at": {"type": "string", "format": "date-time"}, "note": {"type": "string"}, "gentle": {"type": "boolean"}}}`, i, i+5)))
		if err != nil {
			t.Fatal(err)
		}
		tools = append(tools, &vehicle.Tool{Name: fmt.Sprintf("set_thing_%d", i), Description: "Sets one of the things of the vehicle.", Input: in})
	}
	p := studenttest.Prompt("set the thing")
	p.Tools = vehicle.NewCatalog(&vehicle.Profile{}, tools...)
	srv := ollamatest.Start(t, p.Tools, p.Policy)
	t.Logf("the schema of a draft has %d bytes", len(schema.Draft(p.Tools).AppendJSON(nil)))
	calls := 0
	for _, constrained := range []bool{false, true} {
		drafts, start := 0, time.Now()
		for seed := range 6 {
			s, err := New(Options{URL: srv.URL, Model: ollamatest.Model, Seed: &seed, Constrained: constrained, NumCtx: 32768, NumPredict: 400, Timeout: 3 * time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			d, err := s.Draft(t.Context(), p)
			if student.Down(err) {
				t.Fatalf("constrained %v, seed %d: %v", constrained, seed, err)
			}
			if err == nil {
				drafts++
			}
			calls += len(d.Calls)
			if seed == 0 {
				t.Logf("constrained %v: first draft after %v, %d tokens read", constrained, time.Since(start), d.Usage.InputTokens)
			}
		}
		t.Logf("constrained %v: %d drafts, %d calls so far, in %v", constrained, drafts, calls, time.Since(start))
		if drafts == 0 {
			t.Error("nothing came through")
		}
	}
	if calls == 0 {
		t.Error("no call came through")
	}
}
