// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/carguardd/carguardd/harness/student/studenttest"
	"github.com/carguardd/carguardd/vehicle"
)

func TestReduce(t *testing.T) {
	const any = `{"type":["object","array","string","number","boolean","null"]}`
	for _, c := range []struct{ name, in, want string }{
		{"kept", `{"type":"object","properties":{"a":{"type":"boolean","description":"d"}},"required":["a"],"additionalProperties":false}`,
			`{"type":"object","properties":{"a":{"description":"d","type":"boolean"}},"required":["a"],"additionalProperties":false}`},
		{"no type", `{}`, any},
		{"an unknown type", `{"type":"date"}`, any},
		{"several types", `{"type":["string","null"],"maxLength":3}`, `{"type":["string","null"]}`},
		{"one type in a list", `{"type":["integer"],"minimum":1}`, `{"type":"integer","minimum":1}`},
		{"lookahead", `{"type":"string","pattern":"^(?=a)b$"}`, `{"type":"string"}`},
		{"pattern not anchored", `{"type":"string","pattern":"a+"}`, `{"type":"string"}`},
		{"pattern with escapes", `{"type":"string","pattern":"^\\d+$"}`, `{"type":"string"}`},
		{"pattern that starts with a star", `{"type":"string","pattern":"^*a$"}`, `{"type":"string"}`},
		{"pattern with a bad range", `{"type":"string","pattern":"^[z-a]$"}`, `{"type":"string"}`},
		{"pattern with many repeats", `{"type":"string","pattern":"^a{1000}$"}`, `{"type":"string"}`},
		{"empty pattern", `{"type":"string","pattern":""}`, `{"type":"string"}`},
		{"simple pattern", `{"type":"string","pattern":"^prg_[0-9]{1,4}$","maxLength":9}`, `{"type":"string","pattern":"^prg_[0-9]{1,4}$"}`},
		{"pattern of words", `{"type":"string","pattern":"^(on|off)$"}`, `{"type":"string","pattern":"^(on|off)$"}`},
		{"lengths", `{"type":"string","minLength":2,"maxLength":20}`, `{"type":"string","minLength":2,"maxLength":20}`},
		{"great lengths", `{"type":"string","minLength":5000,"maxLength":5000}`, `{"type":"string","minLength":1000}`},
		{"great lists", `{"type":"array","items":{"type":"null"},"maxItems":5000}`, `{"type":"array","items":{"type":"null"}}`},
		{"a list of anything", `{"type":"array"}`, `{"type":"array","items":` + any + `}`},
		{"bounds of a number", `{"type":"number","minimum":0,"maximum":1}`, `{"type":"number"}`},
		{"bounds of an integer", `{"type":"integer","minimum":0,"maximum":9}`, `{"type":"integer","minimum":0,"maximum":9}`},
		{"odd bounds of an integer", `{"type":"integer","minimum":0.5,"maximum":1e300}`, `{"type":"integer"}`},
		{"enum", `{"type":"string","enum":["a","b"],"pattern":"x"}`, `{"type":"string","enum":["a","b"]}`},
		{"empty enum", `{"type":"string","enum":[]}`, `{"type":"string"}`},
		{"const", `{"const":3}`, `{"const":3}`},
		{"oneOf", `{"oneOf":[{"type":"null"},{"type":"string","format":"date"}]}`, `{"anyOf":[{"type":"null"},{"type":"string"}]}`},
		{"reference", `{"$defs":{"z":{"type":"string","enum":["A"]}},"type":"object","properties":{"a":{"$ref":"#/$defs/z"}}}`,
			`{"type":"object","properties":{"a":{"type":"string","enum":["A"]}}}`},
		{"reference to nothing", `{"$ref":"#/$defs/z"}`, any},
		{"reference elsewhere", `{"$ref":"https://example.org/s"}`, any},
		{"misplaced keywords", `{"type":"object","properties":{"a":{"type":"null"},"required":["a"]},"required":["a","b"]}`,
			`{"type":"object","properties":{"a":{"type":"null"}},"required":["a"]}`},
		{"not a schema", `true`, any},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(Reduce(vehicle.MustJSON(c.in)).AppendJSON(nil)); got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
			}
		})
	}
}

// A schema that contains itself becomes finite, however often it does.
func TestReduceRecursion(t *testing.T) {
	in := `{"type":"object","properties":{"p0":{"$ref":"#"}`
	for i := range 20 {
		in += fmt.Sprintf(`,"q%d":{"type":"array","items":{"$ref":"#"}}`, i)
	}
	if n := len(Reduce(vehicle.MustJSON(in + `}}`)).AppendJSON(nil)); n > 1<<20 {
		t.Errorf("%d bytes", n)
	}
}

// Whatever a schema allows, its reduction allows.
func TestReduceWidens(t *testing.T) {
	cat := studenttest.Catalog()
	values := []string{`{}`, `{"zone":"TOP","level":3}`, `{"zone":"ALL","level":0,"fan":true}`, `{"percentage":55}`, `{"percentage":3}`, `{"query":"x"}`, `{"query":""}`,
		`{"program_id":"prg_12","steps":["a","b"],"at":"2026-01-01T00:00:00Z"}`, `{"program_id":"prg_x"}`, `{"zone":"MIDDLE","level":3}`, `{"level":12,"zone":"TOP"}`}
	rapid.Check(t, func(t *rapid.T) {
		tool := rapid.SampledFrom(cat.Tools).Draw(t, "tool")
		v := vehicle.MustJSON(rapid.SampledFrom(values).Draw(t, "value"))
		reduced, err := vehicle.ParseSchema(Arguments(tool))
		if err != nil {
			t.Fatal(err)
		}
		if len(tool.Input.Validate(v)) == 0 && len(reduced.Validate(v)) > 0 {
			t.Fatalf("%s allows %s, its reduction %s does not", tool.Name, v, reduced.Raw)
		}
	})
}

func TestDeclareSaysLimits(t *testing.T) {
	cat := studenttest.Catalog()
	for tool, words := range map[string]string{
		"set_heat": "0 to 9", "open_close_door": "0 to 100, in steps of 5", "start_program": "format date-time"} {
		if got := string(Declare(cat.Tool(tool)).AppendJSON(nil)); !strings.Contains(got, words) {
			t.Errorf("%s is declared as %s, without %q", tool, got, words)
		}
	}
	if got := Declare(&vehicle.Tool{Name: "t"}).String(); got != `{"type":"object","properties":{},"required":[],"additionalProperties":false}` {
		t.Errorf("a tool without arguments is declared as %s", got)
	}
}

// The schema of a draft is a schema, and says what a draft may be.
func TestDraftSchema(t *testing.T) {
	s, err := vehicle.ParseSchema(Draft(studenttest.Catalog()))
	if err != nil {
		t.Fatal(err)
	}
	for in, ok := range map[string]bool{
		`{"calls":[],"say":"hello"}`: true,
		`{"calls":[{"tool":"set_heat","args":{"zone":"TOP","level":1}}],"say":""}`:  true,
		`{"calls":[{"tool":"explode","args":{}}],"say":""}`:                         false,
		`{"calls":[{"tool":"set_heat","args":{"zone":"SIDE","level":1}}],"say":""}`: false,
		`{"say":"x"}`: false,
	} {
		if got := len(s.Validate(vehicle.MustJSON(in))) == 0; got != ok {
			t.Errorf("%s: %v", in, got)
		}
	}
	speak, err := vehicle.ParseSchema(Draft(nil))
	if err != nil || len(speak.Validate(vehicle.MustJSON(`{"say":"x"}`))) > 0 || len(speak.Validate(vehicle.MustJSON(`{"calls":[],"say":"x"}`))) == 0 {
		t.Errorf("the schema of speech is %s, %v", speak.Raw, err)
	}
}

func FuzzReduce(f *testing.F) {
	for _, s := range []string{`{}`, `{"type":"object","properties":{"a":{"$ref":"#"}}}`, `{"anyOf":[{},{"enum":[1]}]}`, `{"type":"string","pattern":"^(a|b)+$"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := vehicle.ParseJSON(b)
		if err != nil || len(b) > 4<<10 {
			return
		}
		once := Reduce(v)
		if _, err := vehicle.ParseSchema(once); err != nil {
			t.Fatalf("%s reduces to %s: %v", v, once, err)
		}
		if strings.Contains(string(once.AppendJSON(nil)), `"$ref"`) && !strings.Contains(string(b), `"properties"`) && !strings.Contains(string(b), "enum") && !strings.Contains(string(b), "const") {
			t.Fatalf("a reference is left in %s", once)
		}
		Describe(v)
	})
}
