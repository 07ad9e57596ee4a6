// SPDX-License-Identifier: Apache-2.0

package peerstest

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

//go:embed python_node.py
var pythonNode []byte

// Node is python-can on a bus that socketcand clients can join. Tell it "send
// MESSAGE SIGNAL=VALUE ..." to send a frame, or "every SECONDS MESSAGE ..." to
// send it in a cycle.
type Node struct{ *Script }

// Frame is what a frame says, decoded by canmatrix.
type Frame struct {
	Message string
	Signals map[string]float64 // without counters, and without what asks for nothing
	Count   int                // of this message so far
}

// JoinCAN has python-can join a bus on a loopback port, and decode its frames
// with a DBC file.
func JoinCAN(t testing.TB, port, bus, dbc string) *Node {
	t.Helper()
	script := filepath.Join(t.TempDir(), "python_node.py")
	if err := os.WriteFile(script, pythonNode, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dbc); err != nil {
		t.Fatal(err)
	}
	n := &Node{Run(t, Python(t, "can", "canmatrix"), script, "127.0.0.1", port, bus, dbc)}
	n.Await("python-can to join", func(line string) bool { return line == "ready" })
	return n
}

// Sees waits for a frame that says something new, and returns it with those
// that came since the last call. A frame that the DBC does not have fails the
// test.
func (n *Node) Sees(what string, match func(Frame) bool) (Frame, []Frame) {
	n.t.Helper()
	var all []Frame
	n.Await(what, func(line string) bool {
		var f Frame
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			n.t.Fatalf("%v: %s", err, line)
		}
		if f.Message == "" {
			n.t.Errorf("a frame that the DBC does not have: %s", line)
		}
		all = append(all, f)
		return match(f)
	})
	return all[len(all)-1], all[:len(all)-1]
}

// Says matches a message whose signal has the value.
func Says(message, signal string, value float64) func(Frame) bool {
	return func(f Frame) bool {
		v, ok := f.Signals[signal]
		return f.Message == message && ok && v == value
	}
}

// Commands are the requests in frames whose message is named so, as
// "Signal=value" in their order.
func Commands(frames []Frame) []string {
	var out []string
	for _, f := range frames {
		if strings.HasSuffix(f.Message, "Command") {
			for _, s := range slices.Sorted(maps.Keys(f.Signals)) {
				out = append(out, fmt.Sprintf("%s=%v", s, f.Signals[s]))
			}
		}
	}
	return out
}
