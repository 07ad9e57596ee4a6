// SPDX-License-Identifier: Apache-2.0

package sharedtest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// probe is a test that writes down how it ended.
type probe struct {
	testing.TB
	failed, skipped bool
	said            string
}

func (p *probe) Helper() {}

func (p *probe) Fatalf(format string, args ...any) {
	p.failed, p.said = true, fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func (p *probe) Skipf(format string, args ...any) {
	p.skipped, p.said = true, fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// look asks for a path as a test of its own would.
func look(t *testing.T, name string) (p *probe, path string) {
	p = &probe{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		path = Path(p, name)
	}()
	<-done
	return p, path
}

func TestPath(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tools.json"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, file, ci  string
		failed, skipped bool
	}{
		{"there", "tools.json", "", false, false},
		{"there, in CI", "tools.json", "true", false, false},
		{"missing", "none.json", "", false, true},
		{"missing, CI denied", "none.json", "false", false, true},
		{"missing, CI denied with a number", "none.json", "0", false, true},
		{"missing, in CI", "none.json", "true", true, false},
		{"missing, in a CI with a name", "none.json", "woodpecker", true, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Setenv("CARGUARD_SHARED", dir)
			t.Setenv("CI", tc.ci)
			p, path := look(t, tc.file)
			if p.failed != tc.failed || p.skipped != tc.skipped {
				t.Fatalf("failed %v, skipped %v: %s", p.failed, p.skipped, p.said)
			}
			if want := filepath.Join(dir, tc.file); !p.failed && !p.skipped && path != want {
				t.Errorf("path %s, want %s", path, want)
			} else if path == "" && (!strings.Contains(p.said, want) || !strings.Contains(p.said, "CARGUARD_SHARED")) {
				t.Errorf("says %q, without the path or what to set", p.said)
			}
		})
	}
}

// Without CARGUARD_SHARED the data is looked for beside the repository.
func TestFolder(t *testing.T) {
	t.Setenv("CARGUARD_SHARED", "")
	want, err := filepath.Abs("../../../shared")
	if err != nil {
		t.Fatal(err)
	}
	if got := folder(t); got != want {
		t.Errorf("folder %s, want %s", got, want)
	}
}
