// SPDX-License-Identifier: Apache-2.0

package goldentest

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// probe is a test that only remembers whether it failed.
type probe struct {
	testing.TB
	failed bool
}

func (p *probe) Helper()               {}
func (p *probe) Errorf(string, ...any) { p.failed = true }
func (p *probe) Fatalf(string, ...any) { p.failed = true; runtime.Goexit() }
func (p *probe) Fatal(...any)          { p.failed = true; runtime.Goexit() }

func failed(t *testing.T, update bool, file, got string) bool {
	p := &probe{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		Check(p, update, file, got)
	}()
	<-done
	return p.failed
}

func TestCheck(t *testing.T) {
	file := filepath.Join(t.TempDir(), "testdata", "a.txt")
	for _, step := range []struct {
		name   string
		update bool
		got    string
		fails  bool
		holds  string
	}{
		{"no file", false, "a\n", true, ""},
		{"written", true, "a\n", false, "a\n"},
		{"the same", false, "a\n", false, "a\n"},
		{"another", false, "b\n", true, "a\n"},
		{"written anew", true, "b\n", false, "b\n"},
	} {
		if got := failed(t, step.update, file, step.got); got != step.fails {
			t.Errorf("%s: failed %v", step.name, got)
		}
		if data, _ := os.ReadFile(file); string(data) != step.holds {
			t.Errorf("%s: the file holds %q, want %q", step.name, data, step.holds)
		}
	}
}
