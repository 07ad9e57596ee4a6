// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
)

func TestResultOf(t *testing.T) {
	for _, tc := range []struct{ name, content, status, value, reason string }{
		{"success", `{"status":"SUCCESS","result":{"a":1}}`, "done", `{"a":1}`, ""},
		{"success without a status", `{"result":[1,2]}`, "done", `[1,2]`, ""},
		{"an object without envelope", `{"day":1,"hour":2}`, "done", `{"day":1,"hour":2}`, ""},
		{"failure", `{"status":"FAILURE","errors":{"X_1":"X_1: no"}}`, "failed", "", "X_1: no"},
		{"failure without a status", `{"errors":{"X_1":"no way"}}`, "failed", "", "no way"},
		{"failure without errors", `{"status":"FAILURE"}`, "failed", "", "FAILURE"},
		{"no errors at all", `{"errors":{}}`, "failed", "", "{}"},
		{"a number", `3.5`, "done", `3.5`, ""},
		{"bare text", `noted`, "done", `"noted"`, ""},
		{"an error as text", `Error: it broke`, "failed", "", "it broke"},
		{"an unknown tool", `Unknown action fly`, "failed", "", "fly"},
		{"unknown parts stay", `{"status":"SUCCESS","result":{"a":"unknown"}}`, "done", `{"a":"unknown"}`, ""},
		{"empty", ``, "done", `""`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := resultOf(&vehicle.Call{ID: "c", Tool: "t"}, tc.content)
			value := ""
			if r.Value.Kind() != vehicle.Unknown {
				value = string(r.Value.AppendJSON(nil))
			}
			if string(r.Status) != tc.status || value != tc.value || r.Reason != tc.reason || r.CallID != "c" || r.Tool != "t" {
				t.Errorf("%s %s %q for %s %s, want %s %s %q", r.Status, value, r.Reason, r.CallID, r.Tool, tc.status, tc.value, tc.reason)
			}
		})
	}
}

func FuzzResultOf(f *testing.F) {
	for _, s := range []string{`{"status":"SUCCESS","result":{}}`, `{"errors":{"a":"b"}}`, `Error: `, `[`, `null`, `{"errors":[]}`, "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r := resultOf(&vehicle.Call{ID: "c", Tool: "t"}, s)
		if r.CallID != "c" || r.Status != vehicle.Done && r.Status != vehicle.Failed {
			t.Errorf("%q became %+v", s, r)
		}
	})
}

// Results belong to calls by id, whatever their order; equal ids and missing
// results are no reason to mix anything up.
func TestConversation(t *testing.T) {
	tool := func(id, s string) sim.Message { return sim.Message{Role: "tool", CallID: id, Content: s} }
	r := &sim.Run{Messages: []sim.Message{
		{Role: "user", Content: "hello"},
		{Role: "assistant", Calls: []vehicle.Call{{ID: "x", Tool: "a"}, {ID: "y", Tool: "b"}}},
		tool("y", `"of b"`), tool("x", `"of a"`),
		{Role: "assistant", Calls: []vehicle.Call{{ID: "x", Tool: "a"}, {ID: "x", Tool: "b"}}},
		tool("x", `"first"`), tool("x", `"second"`),
		{Role: "assistant", Content: "aside", Calls: []vehicle.Call{{ID: "z", Tool: "c"}, {ID: "none", Tool: "d"}}},
		tool("z", `"last"`),
		{Role: "assistant", Content: "done"},
		{Role: "user", Content: "bye"},
	}}
	c := NewConversation(r, &sim.Task{})
	var got []string
	for _, s := range c.Steps {
		for i, call := range s.Calls {
			got = append(got, call.ID+" "+call.Tool+" "+s.Results[i].CallID+" "+s.Results[i].Value.String()+s.Results[i].Reason)
		}
	}
	want := []string{"m1.0 a m1.0 of a", "m1.1 b m1.1 of b", "m4.0 a m4.0 first", "m4.1 b m4.1 second", "m7.0 c m7.0 last",
		"m7.1 d m7.1 " + vehicle.Value{}.String() + "the record has no result"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("calls and results (-want +got):\n%s", d)
	}
	if len(c.Turns) != 2 || c.Turns[0].Last != 4 || c.Turns[1].First != c.Turns[1].Last || !c.Steps[3].Speaks() || c.Steps[2].Speaks() {
		t.Errorf("turns %+v of %d steps", c.Turns, len(c.Steps))
	}
}

func TestRender(t *testing.T) {
	task := &sim.Task{Init: vehicle.MustJSON(`{"current_location":{"id":"l"},"current_datetime":{"hour":5}}`)}
	if got, want := render("at {{a}}, it is {{b}}.", task), `at {"id":"l"}, it is {"hour":5}.`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWithout(t *testing.T) {
	tools := vehicle.MustJSON(`[{"name":"a","parameters":{"properties":{"x":{},"y":{}},"required":["x","y"]}},{"name":"b"}]`)
	for _, tc := range []struct {
		removed []string
		want    string
	}{
		{nil, `[{"name":"a","parameters":{"properties":{"x":{},"y":{}},"required":["x","y"]}},{"name":"b"}]`},
		{[]string{"a"}, `[{"name":"b"}]`},
		{[]string{"a.x"}, `[{"name":"a","parameters":{"properties":{"y":{}},"required":["y"]}},{"name":"b"}]`},
		{[]string{"result.a.x", "b"}, `[{"name":"a","parameters":{"properties":{"x":{},"y":{}},"required":["x","y"]}}]`},
	} {
		if got := string(without(tools, tc.removed).AppendJSON(nil)); got != tc.want {
			t.Errorf("without %v: %s, want %s", tc.removed, got, tc.want)
		}
	}
}

// A judge's complaint is traced to the line whose words it uses, whatever the
// order of the lines.
func TestLineOf(t *testing.T) {
	policy := "- 002:Distances are told in kilometers and the time in the 24h format.\n" +
		"- 005:Another matter.\n" +
		"- 008:009:Some actions need an explicit confirmation:\n    - If the roof is opened and the weather is not sunny.\n" +
		"- not numbered\n" +
		"- 021:If a route includes toll roads, then the user must be informed about it.\n"
	lines := policyLines(policy)
	if len(lines) != 3 {
		t.Fatalf("%d lines, want three: 005 is judged by code", len(lines))
	}
	for complaint, want := range map[string]string{
		"The assistant did not mention the toll road on the route.":    "021",
		"The weather was rainy and the roof was opened unconfirmed.":   "008",
		"It said 5 PM, which is not in the 24h format, and used miles": "002",
		"":                  "",
		"nothing in common": "",
	} {
		if got := lineOf(lines, complaint); got != want {
			t.Errorf("%q is about %q, want %q", complaint, got, want)
		}
	}
}
