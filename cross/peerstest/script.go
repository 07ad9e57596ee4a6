// SPDX-License-Identifier: Apache-2.0

package peerstest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"testing"
	"time"
)

// Patience is how long a test waits for something that should happen at once.
const Patience = 20 * time.Second

// Script is a program that is spoken to line by line.
type Script struct {
	t     testing.TB
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
	mu    sync.Mutex
	said  bytes.Buffer // on standard error
	ended chan struct{}
	rest  []string

	sign  string        // a line that is not kept: the program listens
	signs chan struct{} // closed when it came first
}

// Run starts a program. It is killed when the test ends.
func Run(t testing.TB, name string, args ...string) *Script {
	t.Helper()
	return run(t, "", exec.Command(name, args...))
}

func run(t testing.TB, sign string, cmd *exec.Cmd) *Script {
	t.Helper()
	s := &Script{t: t, cmd: cmd, lines: make(chan string, 4096), ended: make(chan struct{}), sign: sign, signs: make(chan struct{})}
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.cmd.Stderr = s
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go s.read(out)
	t.Cleanup(s.Kill)
	return s
}

// longest bounds a line; turn documents are long.
const longest = 16 << 20

func (s *Script) read(out io.Reader) {
	defer close(s.ended)
	defer close(s.lines)
	sc := bufio.NewScanner(out)
	sc.Buffer(nil, longest)
	for seen := false; sc.Scan(); {
		if s.sign == "" || sc.Text() != s.sign {
			s.lines <- sc.Text()
		} else if !seen {
			seen = true
			close(s.signs)
		}
	}
	if err := sc.Err(); err != nil {
		fmt.Fprintf(s, "reading from it: %v", err)
		_, _ = io.Copy(io.Discard, out)
	}
	_ = s.cmd.Wait() // the test looks at what was said
}

// Write takes what the program says on standard error.
func (s *Script) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.said.Write(p)
}

// Complaints is what the program has said on standard error.
func (s *Script) Complaints() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.said.String()
}

// Tell sends the program a line.
func (s *Script) Tell(format string, args ...any) {
	s.t.Helper()
	if _, err := fmt.Fprintf(s.in, format+"\n", args...); err != nil {
		s.t.Fatalf("%s takes no more input: %v\n%s", s.cmd.Path, err, s.Complaints())
	}
}

// Await returns the next line for which match holds, and those before it.
func (s *Script) Await(what string, match func(line string) bool) (line string, before []string) {
	s.t.Helper()
	late := time.After(Patience)
	for {
		select {
		case l, ok := <-s.lines:
			if !ok {
				s.t.Fatalf("waiting for %s: %s ended\n%s", what, s.cmd.Path, s.Complaints())
			}
			if match(l) {
				return l, before
			}
			before = append(before, l)
		case <-late:
			s.t.Fatalf("%s did not come within %v; before that: %q\n%s", what, Patience, tail(before, 10), s.Complaints())
		}
	}
}

// Kill ends the program at once. What it has still said is what [Script.Rest]
// returns.
func (s *Script) Kill() {
	_ = s.cmd.Process.Kill() // it may have ended
	for l := range s.lines {
		s.rest = append(s.rest, l)
	}
	<-s.ended
}

// Rest is what a killed program had said that nobody awaited.
func (s *Script) Rest() []string { return s.rest }

func tail(l []string, n int) []string { return l[max(0, len(l)-n):] }
