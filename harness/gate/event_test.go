// SPDX-License-Identifier: Apache-2.0

package gate_test

import (
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness/gate"
	"github.com/carguardd/carguardd/vehicle"
)

// What is wrong with a line is said in words that name the place.
func TestParseErrors(t *testing.T) {
	for _, tc := range []struct{ name, line, want string }{
		{"no JSON", `hello`, "no JSON document"},
		{"cut off", `{"type":"user","text":"a`, "no JSON document"},
		{"two documents", `{"type":"user","text":"a"}{}`, "text after the document"},
		{"a list", `[1]`, "the line is a list"},
		{"no type", `{"text":"a"}`, "there is no type"},
		{"unknown type", `{"type":"usr","text":"a"}`, "did you mean user?"},
		{"unknown key", `{"type":"user","texd":"a"}`, "did you mean text?"},
		{"a key of another event", `{"type":"user","text":"a","tool":"b"}`, `"tool" is not known here`},
		{"a key twice", `{"type":"user","text":"a","text":"b"}`, `"text" occurs twice`},
		{"no text", `{"type":"user"}`, "text is missing"},
		{"an empty text", `{"type":"assistant","text":" "}`, "text is missing"},
		{"text is a number", `{"type":"user","text":3}`, "text is a number"},
		{"no time", `{"type":"user","text":"a","at":"noon"}`, "2026-03-14T10:00:00Z"},
		{"context is a list", `{"type":"session","context":[1]}`, "context is a list"},
		{"nothing proposed", `{"type":"propose"}`, "one of tool, calls and text"},
		{"too much proposed", `{"type":"propose","text":"a","tool":"b"}`, "one of tool, calls and text"},
		{"no calls", `{"type":"propose","calls":[]}`, "no list of calls"},
		{"calls are text", `{"type":"propose","calls":"a"}`, "no list of calls"},
		{"a call is text", `{"type":"propose","calls":["a"]}`, "calls[0] is a string"},
		{"a call without tool", `{"type":"propose","calls":[{"tool":"a"},{"id":"b"}]}`, "calls[1]: tool is missing"},
		{"a call with more", `{"type":"propose","calls":[{"tool":"a","args":{}}]}`, `calls[0]: key "args"`},
		{"too many calls", `{"type":"propose","calls":[` + strings.Repeat(`{"tool":"a"},`, 64) + `{"tool":"a"}]}`, "more than 64"},
		{"a result of nothing", `{"type":"result","value":1}`, "id of its call"},
		{"an unknown status", `{"type":"result","id":"a","status":"fine"}`, `status "fine"`},
		{"done and an error", `{"type":"result","id":"a","status":"done","error":"x"}`, "no error"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := gate.Parse([]byte(tc.line))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v, want %s", err, tc.want)
			}
		})
	}
}

// Arguments come as an object or as text that holds one; what is neither is for
// a gate to judge.
func TestParseArguments(t *testing.T) {
	for _, tc := range []struct{ name, args, canonical, raw string }{
		{"an object", `{"b":1,"a":2}`, `{"a":2,"b":1}`, ""},
		{"text", `"{\"a\":2}"`, `{"a":2}`, ""},
		{"null", `null`, `{}`, ""},
		{"empty text", `""`, `{}`, ""},
		{"a list", `[{"a":2}]`, `[{"a":2}]`, ""},
		{"broken text", `"{\"a\":"`, "", `{"a":`},
		{"many digits", `{"id":123456789012345678901}`, `{"id":123456789012345678901}`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e, err := gate.Parse([]byte(`{"type":"propose","tool":"t","arguments":` + tc.args + `}`))
			if err != nil {
				t.Fatal(err)
			}
			c := e.Calls[0]
			if c.Raw != tc.raw || tc.raw == "" && c.Args.Canonical() != tc.canonical {
				t.Errorf("%s %q, want %s %q", c.Args.Canonical(), c.Raw, tc.canonical, tc.raw)
			}
		})
	}
}

// A write that is reported as failed, in whatever form, has no effect.
func TestResultForms(t *testing.T) {
	for _, tc := range []struct {
		name, event string
		done        bool
	}{
		{"status done", `"status":"done"`, true},
		{"nothing said", `"value":null`, true},
		{"envelope", `"value":{"status":"SUCCESS","result":{"bed":"NORTH"}}`, true},
		{"success true", `"value":{"success":true}`, true},
		{"no errors", `"value":{"errors":[],"bed":"NORTH"}`, true},
		{"text", `"value":"The vent moves."`, true},
		{"MCP", `"value":{"content":[{"type":"text","text":"{\"bed\":\"NORTH\"}"}],"isError":false}`, true},
		{"a state called status", `"value":{"status":"open"}`, true},
		{"error text", `"value":"Error: no power"`, false},
		{"an error", `"error":"no power"`, false},
		{"status failed", `"status":"failed"`, false},
		{"unconfirmed", `"status":"unconfirmed"`, false},
		{"FAILURE", `"value":{"status":"FAILURE"}`, false},
		{"FAILURE as text", `"value":"{\"status\":\"FAILURE\",\"errors\":{\"E1\":\"no power\"}}"`, false},
		{"an unknown status around a result", `"value":{"status":"PARTIAL","result":{}}`, false},
		{"success false", `"value":{"success":false}`, false},
		{"errors", `"value":{"errors":{"E1":"no power"}}`, false},
		{"error member", `"value":{"error":"no power"}`, false},
		{"MCP error", `"value":{"content":[{"type":"text","text":"no power"}],"isError":true}`, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a, _ := play(t, greenhouse(t), gate.Limits{},
				`{"type":"user","text":"close the north vent, and heat to 18 degrees"}`,
				`{"type":"result","tool":"get_vents","value":{"vents":{"north":60,"south":0,"east":0,"west":0}}}`,
				`{"type":"propose","id":"v","tool":"set_vent","arguments":{"bed":"NORTH","opening":0}}`,
				`{"type":"result","id":"v",`+tc.event+`}`,
				`{"type":"propose","id":"h","tool":"set_heater","arguments":{"mode":"HEAT","temperature":18}}`)
			if got := short(a[4]); (got == "h allow") != tc.done {
				t.Errorf("heating with that vent: %s", got)
			}
		})
	}
}

// FuzzParse reads arbitrary lines. Whatever they hold, Parse says what is wrong
// or returns an event that a conversation can take.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"type":"session","tools":[{"name":"a"}],"language":"de","policy":"p","context":{"here.id":"x"},"at":"2026-03-14T10:00:00Z"}`,
		`{"type":"user","text":"heat to 18 degrees"}`, `{"type":"assistant","text":"Shall I?"}`,
		`{"type":"propose","calls":[{"id":"a","tool":"set_vent","arguments":"{\"bed\":\"NORTH\",\"opening\":0}"}]}`,
		`{"type":"propose","tool":"set_heater","arguments":{"mode":"HEAT"}}`, `{"type":"propose","text":"Done."}`,
		`{"type":"result","id":"a","value":{"status":"SUCCESS","result":{"vents":{"north":null}}}}`,
		`{"type":"result","tool":"get_vents","arguments":{},"error":"x"}`, `[`, `{"type":"\ud83c"}`,
	} {
		f.Add([]byte(seed))
	}
	d := greenhouse(f)
	f.Fuzz(func(t *testing.T, line []byte) {
		e, err := gate.Parse(line)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without words")
			}
			return
		}
		c, err := gate.NewConversation(d)
		if err != nil {
			t.Fatal(err)
		}
		a := c.Take(e)
		if strings.Contains(a.Error, "could not be judged") {
			t.Errorf("%s: %s", line, a.Error)
		}
		if given := len(a.Verdicts) > 0; e.Kind == gate.Propose && a.Error == "" && !given || a.OK && given {
			t.Errorf("%s: %+v", line, a)
		}
		for _, v := range a.Verdicts {
			if v.Decision == gate.Allow && len(e.Calls) > 0 && vehicle.NewCatalog(d.Profile).Tool(v.Tool) == nil && e.Kind == gate.Propose {
				t.Errorf("%s: a tool that is not there was allowed", line)
			}
		}
	})
}
