// SPDX-License-Identifier: Apache-2.0

package gate_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness/gate"
)

// A line that is wrong gets an error with its number and costs nothing: what
// was said before it holds.
func TestBadLines(t *testing.T) {
	long := `{"type":"user","text":"` + strings.Repeat("a", 300) + `"}`
	a, n := play(t, greenhouse(t), gate.Limits{Line: 200},
		`{"type":"user","text":"heat to 18 degrees"}`,
		``, "   ", // blank lines are passed over, and counted
		`{"type":"result","tool":"get_vents","value":{"vents":{"north":0,"south":0,"east":0,"west":0}}}`,
		`no json`,
		long,
		`{"type":"result","tool":"get_vens","value":1}`,
		`{"type":"result","id":"zzz","value":1}`,
		`{"type":"session","tools":[{"name":"a b"}]}`, // no session begins, the old one goes on
		`{"type":"session","language":"xx"}`,
		`{"type":"propose","id":"h","tool":"set_heater","arguments":{"mode":"HEAT","temperature":18}}`,
		`{"type":"propose","id":"h","tool":"set_heater","arguments":{"mode":"HEAT","temperature":18}}`,
	)
	want := []struct {
		line int
		want string
	}{{1, ""}, {4, ""}, {5, "no JSON"}, {6, "longer than 200 bytes"}, {7, "did you mean get_vents?"}, {8, "no call zzz was proposed"},
		{9, "no tool name"}, {10, "there are words for"}, {11, ""}, {12, "proposed before"}}
	if len(a) != len(want) {
		t.Fatalf("%d answers, want %d: %+v", len(a), len(want), a)
	}
	for i, w := range want {
		if a[i].Line != w.line || (w.want == "") != (a[i].Error == "") || !strings.Contains(a[i].Error, w.want) {
			t.Errorf("answer %d: line %d, error %q, want line %d, %q", i, a[i].Line, a[i].Error, w.line, w.want)
		}
	}
	if got := short(a[8]); got != "h allow" {
		t.Errorf("the conversation suffered: %s", got)
	}
	if n.Lines != 10 || n.Bad != 7 || n.Allowed != 1 || n.Rejected != 0 {
		t.Errorf("counts %+v", n)
	}
}

// A conversation is bounded; another one may begin.
func TestEventLimit(t *testing.T) {
	say := `{"type":"user","text":"hello"}`
	a, _ := play(t, greenhouse(t), gate.Limits{Events: 2}, say, say, say, `{"type":"session"}`, say, say)
	for i, bad := range []bool{false, false, true, false, false, true} {
		if (a[i].Error != "") != bad {
			t.Errorf("answer %d: %q", i, a[i].Error)
		}
	}
}

// Every answer is written before the next line is read, so that an agent can
// write one and wait for the other.
func TestOneAnswerALine(t *testing.T) {
	c, err := gate.NewConversation(greenhouse(t))
	if err != nil {
		t.Fatal(err)
	}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() {
		_, err := gate.Serve(context.Background(), c, inR, outW, gate.Limits{})
		done <- err
	}()
	buf := make([]byte, 4096)
	for range 3 {
		if _, err := io.WriteString(inW, `{"type":"user","text":"hello"}`+"\n"); err != nil {
			t.Fatal(err)
		}
		n, err := outR.Read(buf)
		if err != nil || !bytes.HasSuffix(buf[:n], []byte("\"ok\":true}\n")) {
			t.Fatalf("%q, %v", buf[:n], err)
		}
	}
	inW.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// It ends with its context though the input goes on, and says when the answer
// cannot be written or the input breaks.
func TestServeEnds(t *testing.T) {
	c, err := gate.NewConversation(greenhouse(t))
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	in, w := io.Pipe()
	defer w.Close()
	end()
	if _, err := gate.Serve(ctx, c, in, io.Discard, gate.Limits{}); err != nil {
		t.Error(err)
	}
	line := `{"type":"user","text":"hello"}` + "\n"
	if _, err := gate.Serve(context.Background(), c, strings.NewReader(line), broken{}, gate.Limits{}); !errors.Is(err, errBroken) {
		t.Errorf("a broken output: %v", err)
	}
	if _, err := gate.Serve(context.Background(), c, io.MultiReader(strings.NewReader(line), broken{}), io.Discard, gate.Limits{}); !errors.Is(err, errBroken) ||
		!strings.Contains(err.Error(), "line 2") {
		t.Errorf("a broken input: %v", err)
	}
}

var errBroken = errors.New("broken")

type broken struct{}

func (broken) Read([]byte) (int, error)  { return 0, errBroken }
func (broken) Write([]byte) (int, error) { return 0, errBroken }
