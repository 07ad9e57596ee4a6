// SPDX-License-Identifier: Apache-2.0

package reply

import (
	"errors"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/vehicle"
)

func TestArguments(t *testing.T) {
	for _, c := range []struct{ in, args, raw string }{
		{`{"a":1}`, `{"a":1}`, ""},
		{` {"a": 1.0} `, `{"a":1}`, ""},
		{`{"a":9007199254740993}`, `{"a":9007199254740993}`, ""},
		{`{"a":"\ud83c\udf78 \ud83c"}`, `{"a":"🍸 ` + "\uFFFD" + `"}`, ""},
		{``, `{}`, ""}, {`null`, `{}`, ""}, {`""`, `{}`, ""}, {`"{}"`, `{}`, ""},
		{`"{\"a\":1}"`, `{"a":1}`, ""},
		{`"\"{\\\"a\\\":1}\""`, `{"a":1}`, ""},
		{`[{"a":1}]`, `{"a":1}`, ""},
		{`[{"a":1},{"b":2}]`, `null`, `[{"a":1},{"b":2}]`},
		{`{"a":1}]`, `null`, `{"a":1}]`},
		{`{"a":1,"a":2}`, `null`, `{"a":1,"a":2}`},
		{`{"a":1e400}`, `null`, `{"a":1e400}`},
		{`{"a":1e1000001}`, `null`, `{"a":1e1000001}`},
		{`{"a":NaN}`, `null`, `{"a":NaN}`},
		{`true`, `null`, `true`}, {`12`, `null`, `12`},
		{`"on"`, `null`, `on`},
		{"\xff", `null`, "\uFFFD"},
		{strings.Repeat("[", 100), `null`, strings.Repeat("[", 100)},
	} {
		args, raw := Arguments([]byte(c.in))
		if args.Canonical() != c.args || raw != c.raw {
			t.Errorf("%s: %s and %q, want %s and %q", c.in, args.Canonical(), raw, c.args, c.raw)
		}
	}
	if _, raw := Arguments([]byte(strings.Repeat("x", 1<<20))); len(raw) > maxRaw {
		t.Errorf("keeps %d bytes", len(raw))
	}
}

func TestIdentify(t *testing.T) {
	p := &harness.Prompt{
		Messages: []harness.Message{{Role: harness.Assistant, Calls: []vehicle.Call{{ID: "a"}, {ID: "call_4"}}}, {Role: harness.ToolRole, Result: &vehicle.Result{CallID: "b"}}},
		Rejected: []harness.Draft{{Calls: []vehicle.Call{{ID: "r"}}}},
	}
	calls := []vehicle.Call{{ID: "a"}, {ID: "mine"}, {ID: ""}, {ID: "mine"}, {ID: "b"}, {ID: "r"}, {ID: "bad id"}, {ID: "\uFFFD"}, {ID: strings.Repeat("x", 100)}}
	Identify(p, calls)
	seen := map[string]bool{"a": true, "call_4": true, "b": true, "r": true}
	for i, c := range calls {
		if seen[c.ID] || !proper(c.ID) {
			t.Errorf("call %d is called %q", i, c.ID)
		}
		seen[c.ID] = true
	}
	if calls[1].ID != "mine" {
		t.Errorf("a good identifier is replaced by %q", calls[1].ID)
	}
}

func TestDraftFailures(t *testing.T) {
	p := &harness.Prompt{}
	many := make([]vehicle.Call, MaxCalls+1)
	for _, c := range []struct {
		name, text string
		calls      []vehicle.Call
		want       student.Kind
	}{
		{"nothing", " \n", nil, student.Empty},
		{"thinking alone", "<think>hm</think>", nil, student.Empty},
		{"too many calls", "", many, student.TooLarge},
		{"too much text", strings.Repeat("and then ", 5000), nil, student.TooLarge},
		{"data", `{"status": 1}`, nil, student.Protocol},
	} {
		if _, err := Draft(p, c.text, c.calls); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

func FuzzConstrained(f *testing.F) {
	for _, s := range []string{"", "{}", `{"calls":[],"say":"a"}`, `{"calls":[{"tool":"t","args":{"a":1e999}}],"say":""}`, `{"calls":[{"tool":"t","args":"x"}]`, `[`} {
		f.Add(s)
	}
	p := &harness.Prompt{}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := Constrained(p, s)
		if err != nil && student.KindOf(err) == "" {
			t.Fatalf("an error without a kind: %v", err)
		}
		if err == nil && d.Text == "" && len(d.Calls) == 0 {
			t.Fatal("an empty draft")
		}
	})
}

func FuzzArguments(f *testing.F) {
	for _, s := range []string{"", "{}", `"{}"`, `[{}]`, `{"a":1e999}`, `"\ud800"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		args, raw := Arguments(b)
		if (args.Kind() == vehicle.Object) == (raw != "") {
			t.Fatalf("arguments %s and raw %q", args, raw)
		}
		if raw == "" {
			again, raw := Arguments(args.AppendJSON(nil))
			if raw != "" || !again.Equal(args) {
				t.Fatalf("%s reads as %s", args, again)
			}
		}
	})
}
