// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/carguardd/carguardd/cross/sharedtest"
)

// sharedFiles returns every public DBC file, relative to the folder.
func sharedFiles(t testing.TB) (dir string, files []string) {
	t.Helper()
	dir = sharedtest.Path(t, "dbc")
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && regexp.MustCompile(`(?i)\.dbc$`).MatchString(path) {
			rel, _ := filepath.Rel(dir, path)
			files = append(files, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir, files
}

// countExceptions lists the files whose counts differ, with the reason.
var countExceptions = map[string]string{}

// TestEveryPublicFileLoads compares the number of messages and signals of each
// file with a plain count of its lines.
func TestEveryPublicFileLoads(t *testing.T) {
	dir, files := sharedFiles(t)
	if len(files) < 100 {
		t.Fatalf("only %d files in %s", len(files), dir)
	}
	if len(countExceptions) > 5 {
		t.Fatalf("%d exceptions, at most 5", len(countExceptions))
	}
	plainMessage, plainSignal := regexp.MustCompile(`(?m)^\s*BO_ `), regexp.MustCompile(`(?m)^\s*SG_ `)
	for _, name := range files {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			db, err := Parse(name, data, Options{})
			if err != nil {
				t.Fatal(err)
			}
			signals := 0
			for _, m := range db.Messages {
				signals += len(m.Signals)
			}
			wantM, wantS := len(plainMessage.FindAll(data, -1)), len(plainSignal.FindAll(data, -1))
			same := len(db.Messages) == wantM && signals == wantS
			if _, excepted := countExceptions[name]; excepted == same {
				t.Errorf("%d messages and %d signals, a plain count gives %d and %d (exception listed: %v)", len(db.Messages), signals, wantM, wantS, excepted)
			}
		})
	}
}
