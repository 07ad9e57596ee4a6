// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/cross/goldentest"
)

var update = flag.Bool("update", false, "rewrite golden files")

// dump writes what a program sees of a database, one thing a line.
func dump(db *Database) string {
	var b strings.Builder
	for _, n := range db.Nodes {
		fmt.Fprintf(&b, "node %s%s\n", n.Name, dumpAttributes(n.Attributes))
	}
	for _, m := range db.Messages {
		fmt.Fprintf(&b, "message %q %v length %d from %v", m.Name, m.Key, m.Length, m.Transmitters)
		if m.CycleTime > 0 {
			fmt.Fprintf(&b, " every %v", m.CycleTime)
		}
		fmt.Fprintf(&b, "%s%s\n", dumpAttributes(m.Attributes), dumpRest(m.Comment, m.Unusable))
		for _, s := range m.Signals {
			dumpSignal(&b, s)
		}
	}
	fmt.Fprintf(&b, "network%s%s\n", dumpAttributes(db.Attributes), dumpRest(db.Comment, ""))
	for _, d := range db.Diagnostics {
		d.Pos.File = filepath.Base(d.Pos.File)
		fmt.Fprintln(&b, d)
	}
	return b.String()
}

func dumpSignal(b *strings.Builder, s *Signal) {
	order := "little"
	if s.BigEndian {
		order = "big"
	}
	fmt.Fprintf(b, "  signal %q bits %d+%d %s %v ×%v %+v", s.Name, s.Start, s.Length, order, s.Kind, s.Factor, s.Offset)
	if s.HasRange {
		fmt.Fprintf(b, " [%v, %v]", s.Min, s.Max)
	}
	if s.Unit != "" {
		fmt.Fprintf(b, " %q", s.Unit)
	}
	fmt.Fprintf(b, " to %v", s.Receivers)
	if s.Switch {
		b.WriteString(" switch")
	}
	if s.MuxedBy != nil {
		fmt.Fprintf(b, " if %s is %s", s.MuxedBy.Name, selectorText(s.Selectors))
	}
	if s.Values != nil {
		for _, e := range s.Values.Entries {
			fmt.Fprintf(b, " %d=%q", e.Raw, e.Text)
		}
	}
	fmt.Fprintf(b, "%s%s\n", dumpAttributes(s.Attributes), dumpRest(s.Comment, s.Unusable))
}

func dumpAttributes(as Attributes) string {
	var parts []string
	for name, a := range as {
		parts = append(parts, fmt.Sprintf(" %s:%v/%q", name, a.Number, a.Text))
	}
	slices.Sort(parts)
	return strings.Join(parts, "")
}

func dumpRest(comment, unusable string) string {
	s := ""
	if comment != "" {
		s += fmt.Sprintf(" comment %q", comment)
	}
	if unusable != "" {
		s += " UNUSABLE: " + unusable
	}
	return s
}

// One small file for each defect that real files have, with what becomes of it.
func TestDefects(t *testing.T) {
	files, err := filepath.Glob("testdata/defects/*.dbc")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".dbc"), func(t *testing.T) {
			db, err := Load(file, Options{})
			if err != nil {
				t.Fatal(err)
			}
			got, golden := dump(db), strings.TrimSuffix(file, ".dbc")+".golden"
			goldentest.Check(t, *update, golden, got)
			strictAgrees(t, file, db)
		})
	}
}

// strictAgrees checks that strict loading fails exactly on what is more than a
// note.
func strictAgrees(t *testing.T, file string, db *Database) {
	t.Helper()
	var bad []Diagnostic
	for _, d := range db.Diagnostics {
		if d.Severity >= Warning {
			bad = append(bad, d)
		}
	}
	_, err := Load(file, Options{Strict: true})
	var problems Problems
	if errors.As(err, &problems); len(problems) != len(bad) || (err == nil) != (len(bad) == 0) {
		t.Errorf("strict: %v, want %v", err, bad)
	}
	data, _ := os.ReadFile(file)
	if all, clean := Check(file, data); clean != (len(bad) == 0) || len(all) != len(db.Diagnostics) {
		t.Errorf("Check: %v %v", clean, all)
	}
}

func TestNotADBC(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "prose": "Hello, world.\n", "utf-16": "\xFF\xFEB\x00O\x00", "binary": "\x7fELF\x00\x01",
	} {
		if db, err := Parse(name, []byte(text), Options{}); err == nil {
			t.Errorf("%s was loaded: %v", name, dump(db))
		} else if ds, clean := Check(name, []byte(text)); clean || len(ds) != 1 || ds[0].Severity != Error {
			t.Errorf("%s: Check %v", name, ds)
		}
	}
	if _, err := Load("no/such.dbc", Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// defectTexts returns the small files as fuzz seeds.
func defectTexts(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/defects/*.dbc")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(data))
	}
	return out
}
