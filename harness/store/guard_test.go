// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOpeningsThatKillTheProcess(t *testing.T) {
	dir := t.TempDir()
	s, err := OpenBolt(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for range maxDeaths {
		if _, err := beginOpening(dir); err != nil { // and never done
			t.Fatal(err)
		}
	}
	_, err = OpenBolt(dir, Options{})
	if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "the last 3 attempts to open it ended the process") {
		t.Fatalf("got %v", err)
	}
	if _, err := Quarantine(dir); err != nil {
		t.Fatal(err)
	}
	if s, err = OpenBolt(dir, Options{}); err != nil {
		t.Fatalf("after quarantine: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestOpeningMark(t *testing.T) {
	tests := []struct {
		name, mark string
		refused    bool
	}{
		{"none", "", false},
		{"one death", "1\n", false},
		{"one too many", "3\n", true},
		{"cut by a power cut", "\x00\x00", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			if test.mark != "" {
				if err := os.WriteFile(filepath.Join(dir, openingFile), []byte(test.mark), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			guard, err := beginOpening(dir)
			if refused := errors.Is(err, ErrDamaged); refused != test.refused {
				t.Fatalf("got %v", err)
			}
			if test.refused {
				return
			}
			if err := guard.done(); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(filepath.Join(dir, openingFile)); err == nil {
				t.Error("the mark is still there")
			}
		})
	}
}

// An opening that fails with an error is no death: the tenth says what the first
// said.
func TestErrorsAreNoDeaths(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, boltFolder), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, boltFolder, boltFile), []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 * maxDeaths {
		_, err := OpenBolt(dir, Options{})
		if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "only 8 bytes") {
			t.Fatalf("got %v", err)
		}
	}
}

func FuzzParseWaterMark(f *testing.F) {
	f.Add([]byte("carguardd store 1 0000000000000007 3f1ef5ea\n"))
	f.Add([]byte(""))
	f.Add([]byte("carguardd store 1 ffffffffffffffff 00000000\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		generation := parseWaterMark(text)
		if generation == 0 {
			return
		}
		dir := t.TempDir()
		w, err := openWaterMark(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.set(generation), w.close()); err != nil {
			t.Fatal(err)
		}
		if again, err := readWaterMark(dir); err != nil || again != generation {
			t.Errorf("%d came back as %d, %v", generation, again, err)
		}
	})
}
