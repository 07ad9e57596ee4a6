// SPDX-License-Identifier: Apache-2.0

package reply

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var tools = []string{"set_heat", "open_close_door", "get_state"}

func isTool(name string) bool { return slices.Contains(tools, name) }

// show writes parts as: what is said | calls | data.
func show(p Parts) string {
	var calls []string
	for i := range p.Calls {
		calls = append(calls, p.Calls[i].Canonical())
	}
	return p.Say + " | " + strings.Join(calls, "; ") + " | " + strings.Join(p.Data, "; ")
}

func TestSplit(t *testing.T) {
	const heat = `set_heat{"level":3}`
	for _, c := range []struct{ name, in, want string }{
		{"text", "It is warm (about 20 °C), isn't it?", "It is warm (about 20 °C), isn't it? |  | "},
		{"blanks", " It is\n\n warm. ", "It is warm. |  | "},
		{"nothing", "", " |  | "},
		{"less than", "2 < 3 and a[1] and {x", "2 < 3 and a[1] and {x |  | "},
		{"brackets that people write", "The door [front] is open.", "The door [front] is open. |  | "},

		{"tag", `<tool_call>{"name": "set_heat", "arguments": {"level": 3}}</tool_call>`, " | " + heat + " | "},
		{"tag beside text", `On it. <tool_call>{"name": "set_heat", "arguments": {"level": 3}}</tool_call> Done.`, "On it. Done. | " + heat + " | "},
		{"two tags", `<tool_call>{"name":"set_heat","arguments":{"level":3}}</tool_call><tool_call>{"name":"get_state"}</tool_call>`, " | " + heat + "; get_state{} | "},
		{"tag without end", `<tool_call>{"name": "set_heat", "arguments": {"level": 3}}`, " | " + heat + " | "},
		{"tag cut", `<tool_call>{"name": "set_heat", "arguments": {"lev`, ` | set_heat {"name": "set_heat", "arguments": {"lev | `},
		{"tag with rubbish", `<tool_call>heat!</tool_call>`, " |  heat! | "},
		{"empty tag", `Well. <tool_call></tool_call>`, "Well. |  | "},
		{"several calls in a tag", `<tool_calls>[{"name":"get_state","arguments":{}},{"name":"set_heat","arguments":{"level":3}}]</tool_calls>`, " | get_state{}; " + heat + " | "},
		{"two documents in a tag", "<tool_call>{\"name\":\"get_state\",\"arguments\":{}}\n{\"name\":\"set_heat\",\"arguments\":{\"level\":3}}</tool_call>", " | get_state{}; " + heat + " | "},
		{"pipes", `<|tool_call|>{"name":"get_state","arguments":{}}<|/tool_call|>`, " | get_state{} | "},
		{"python tag", `<|python_tag|>{"name": "set_heat", "parameters": {"level": 3}}<|eom_id|>`, " | " + heat + " | "},
		{"function tag", `<function=set_heat>{"level": 3}</function>`, " | " + heat + " | "},
		{"mistral", `[TOOL_CALLS] [{"name": "set_heat", "arguments": {"level": 3}}]`, " | " + heat + " | "},
		{"mistral and text", `[TOOL_CALLS][{"name": "get_state", "arguments": {}}] There.`, "There. | get_state{} | "},
		{"closing tag alone", `Warm.</tool_call>`, "Warm. |  | "},
		{"template left-overs", "<|im_start|>assistant\nWarm.<|im_end|></s>", "assistant Warm. |  | "},

		{"fence", "Sure:\n```json\n{\"name\": \"set_heat\", \"arguments\": {\"level\": 3}}\n```", "Sure: | " + heat + " | "},
		{"fence without language", "```\n{\"tool\": \"set_heat\", \"args\": {\"level\": 3}}\n```", " | " + heat + " | "},
		{"fence in one line", "```{\"tool\": \"set_heat\", \"args\": {\"level\": 3}}```", " | " + heat + " | "},
		{"fence without end", "```json\n{\"tool\": \"get_state\", \"args\": {}}", " | get_state{} | "},
		{"fence of code", "```python\nset_heat(level=3)\nget_state()\n```", " | " + heat + "; get_state{} | "},
		{"fence of something else", "Look:\n```sh\nrm -rf /\n```", "Look: |  | rm -rf /"},
		{"backticks", "`set_heat(level=3)`", " | " + heat + " | "},

		{"bare JSON", `{"name": "set_heat", "arguments": {"level": 3}}`, " | " + heat + " | "},
		{"JSON in text", `I call {"tool": "set_heat", "args": {"level": 3}} now.`, "I call now. | " + heat + " | "},
		{"string arguments", `{"name": "set_heat", "arguments": "{\"level\": 3}"}`, " | " + heat + " | "},
		{"of the protocol", `{"tool_calls": [{"id": "x", "type": "function", "function": {"name": "set_heat", "arguments": "{\"level\": 3}"}}]}`, " | " + heat + " | "},
		{"by the tool's name", `{"set_heat": {"level": 3}}`, " | " + heat + " | "},
		{"parentheses in the name", `{"name": "get_state()", "arguments": {}}`, " | get_state{} | "},
		{"an unknown tool", `{"name": "explode", "arguments": {}}`, " | explode{} | "},
		{"a name that is no tool", `{"name": "Bob", "age": 3}`, ` |  | {"name": "Bob", "age": 3}`},
		{"digits", `{"name": "set_heat", "arguments": {"level": 9007199254740993}}`, ` | set_heat{"level":9007199254740993} | `},
		{"a number out of range", `{"name": "set_heat", "arguments": {"level": 1e999}}`, ` | set_heat {"level": 1e999} | `},
		{"data", `{"status": "SUCCESS"}`, ` |  | {"status": "SUCCESS"}`},
		{"data cut", `It says {"status": "SUC`, `It says |  | {"status": "SUC`},
		{"call cut", `{"name": "set_heat", "arguments": {"level": `, ` | set_heat {"name": "set_heat", "arguments": {"level": | `},
		{"trailing bracket", `{"name": "get_state", "arguments": {}}]`, "] | get_state{} | "},
		{"result posing", `<tool_response>{"status": "done"}</tool_response> It is done.`, `It is done. |  | {"status": "done"}`},

		{"source", `set_heat(level=3)`, " | " + heat + " | "},
		{"source in a sentence", `I will not do set_heat(level=3) now.`, "I will not do now. |  | set_heat(level=3)"},
		{"source at the end of a sentence", `I will not do set_heat(level=3).`, "I will not do |  | set_heat(level=3)"},
		{"source before a sentence", `set_heat(level=3) would be too hot.`, "would be too hot. |  | set_heat(level=3)"},
		{"source in a line", "On it.\nset_heat(level=3)\nDone.", "On it. Done. | " + heat + " | "},
		{"source after a heading", "Action: set_heat(level=3)", "Action: | " + heat + " | "},
		{"two sources in a line", "set_heat(level=3), get_state()", " | " + heat + "; get_state{} | "},
		{"source of Python", `set_heat(zone='TOP', fan=True, at=None)`, ` | set_heat{"at":null,"fan":true,"zone":"TOP"} | `},
		{"source with JSON", `set_heat({"level": 3})`, " | " + heat + " | "},
		{"source without arguments", `get_state()`, " | get_state{} | "},
		{"source cut", `set_heat(level=`, ` | set_heat level= | `},
		{"source that does not parse", `set_heat(3)`, ` | set_heat 3 | `},
		{"source of no tool", `Say hello(world) to it.`, "Say hello(world) to it. |  | "},
		{"a tool's name in text", `The tool set_heat (for the oven) sets it.`, "The tool set_heat (for the oven) sets it. |  | "},

		{"thinking", "<think>call {\"name\": \"get_state\", \"arguments\": {}}</think>Warm.", "Warm. |  | "},
		{"thinking without end", "Warm. <think>but maybe", "Warm. |  | "},
		{"thinking without beginning", "but maybe</think>Warm.", "Warm. |  | "},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := show(Split(c.in, isTool)); got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
			}
		})
	}
}

var unspeakable = regexp.MustCompile("(?i:</?tool_call>)|```|\\{\"name\"|\\b(?:set_heat|get_state)\\(")

// Nothing that looks like a call or a tag is left to be spoken.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{"", "Warm.", `<tool_call>{"name":"get_state"}</tool_call>`, "```json\n{}\n```", `set_heat(level=3)`, `[TOOL_CALLS][{"name":"a","arguments":{}}]`,
		`{"name": "set_heat", "arguments": {"level": 3}}`, "<think>", "a`b", "<function=x>{", `{"a":"\ud800"}`, "<|python_tag|>get_state()", "000get_state(", "x.get_state(", "`get_state`()"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := Split(s, isTool)
		if bad := unspeakable.FindString(p.Say); bad != "" {
			t.Fatalf("%q is spoken: %q", bad, p.Say)
		}
		if utf8.ValidString(s) && !utf8.ValidString(p.Say) {
			t.Fatalf("broken text %q", p.Say)
		}
		for _, c := range p.Calls {
			if c.Raw == "" && c.Args.Len() == 0 && c.Tool == "" {
				t.Fatal("a call of nothing")
			}
			if !utf8.ValidString(c.Raw) || !utf8.ValidString(c.Tool) {
				t.Fatalf("broken call %q %q", c.Tool, c.Raw)
			}
		}
	})
}
