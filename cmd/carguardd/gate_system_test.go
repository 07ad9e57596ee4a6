// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/cross/peerstest"
)

// agent is a foreign agent in Python around the program of docs/gate.md: its
// model is scripted, and heeds what it is told.
const agent = `

state = {"vents": {"north": 60, "south": 0, "east": 0, "west": 0}}
made = []


def run_tool(tool, arguments):
    made.append(tool)
    if tool == "get_vents":
        return state
    if tool == "set_vent":
        state["vents"][arguments["bed"].lower()] = arguments["opening"]
    return {"status": "SUCCESS"}


heat = {"tool": "set_heater", "arguments": {"mode": "HEAT", "temperature": 18}}


def model(messages):
    last = messages[-1]
    if last["role"] == "user":
        return {"calls": [heat]}
    said = json.loads(last["content"])
    if said.get("verdict") == "reject":
        return {"calls": said["remedy"]["first"]}
    return {"text": "The heater heats."} if "set_heater" in made else {"calls": [heat]}


gate = Gate("--rules", "builtin:greenhouse")
gate.tell(type="session")
print(turn(gate, model, run_tool, "heat to 18 degrees"))
print(" ".join(made))
`

// The Python program of the manual keeps a foreign agent to the rules.
func TestSystemPythonAgentAtTheGate(t *testing.T) {
	doc, err := os.ReadFile("../../docs/gate.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(doc), "<!-- a test runs this program -->\n```python\n")
	program, _, end := strings.Cut(rest, "\n```")
	if !ok || !end {
		t.Fatal("docs/gate.md has no program")
	}
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "carguardd"), ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command("python3", "-c", program+agent)
	cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if want := "The heater heats.\nget_vents set_vent set_heater\n"; err != nil || string(out) != want {
		t.Errorf("%v\n%s\nwant %s", err, out, want)
	}
	peerstest.Count(t, peerstest.Load, "turns of a foreign agent in Python at the gate", 1)
}
