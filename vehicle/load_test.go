// SPDX-License-Identifier: Apache-2.0

package vehicle_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

var update = flag.Bool("update", false, "write the golden files anew")

// sound is what a case does not say itself, by top-level key.
var sound = []struct{ key, text string }{
	{"name", "name: test\n"},
	{"version", "version: \"1\"\n"},
	{"buses", "buses: {body: {dbc: base.dbc}}\n"},
	{"services", "services: [shop]\n"},
	{"signals", `signals:
  position: {type: integer, unit: percent, range: [0, 100], status: {can: body, message: Status, signal: Position}, command: {can: body, message: Command, signal: PositionTarget}}
  lamp: {type: boolean, status: {can: body, message: Status, signal: Lamp}, command: {can: body, message: Command, signal: LampRequest}}
  mode: {allowed: ["OFF", ECO, FULL], status: {can: body, message: Status, signal: Mode}, command: {can: body, message: Command, signal: ModeRequest}}
  temperature: {unit: Celsius, range: [-40, 87], status: {can: body, message: Status, signal: Temperature}}
  zone_left_heat: {type: integer, range: [0, 3], status: {topic: state/left}, command: {topic: set/left}}
  zone_right_heat: {type: integer, range: [0, 3], status: {topic: state/right}, command: {topic: set/right}}
  orders: {type: list, service: shop}
`},
}

// whole completes a case; its own lines keep their numbers.
func whole(text string) string {
	out := "\n" + text
	for _, s := range sound {
		if !strings.Contains(out, "\n"+s.key+":") {
			out += s.text
		}
	}
	return out[1:]
}

func load(t testing.TB, text string) (*vehicle.Profile, error) {
	t.Helper()
	base, err := os.ReadFile("testdata/load/base.dbc")
	if err != nil {
		t.Fatal(err)
	}
	return vehicle.Load(fstest.MapFS{
		"p/profile.yaml": {Data: []byte(text)}, "p/base.dbc": {Data: base}, "p/bad.dbc": {Data: []byte("no dbc\n")},
	}, "p/profile.yaml")
}

// TestLoadProblems holds one small broken profile for each kind of problem,
// with the exact messages.
func TestLoadProblems(t *testing.T) {
	files, _ := filepath.Glob("testdata/load/*.txtar")
	if len(files) == 0 {
		t.Fatal("no cases")
	}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out := &txtar.Archive{Comment: ar.Comment}
		want := map[string]string{}
		for _, f := range ar.Files {
			if strings.HasSuffix(f.Name, ".want") {
				want[strings.TrimSuffix(f.Name, ".want")] = string(f.Data)
			}
		}
		for _, f := range ar.Files {
			name, ok := strings.CutSuffix(f.Name, ".yaml")
			if !ok {
				continue
			}
			got := ""
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+name, func(t *testing.T) {
				p, err := load(t, whole(string(f.Data)))
				if err == nil {
					t.Fatal("loads, and should not")
				}
				var ps vehicle.Problems
				if p != nil || !errors.As(err, &ps) {
					t.Errorf("want no profile and Problems, have %v and %T", p, err)
				}
				got = strings.ReplaceAll(err.Error(), "p/profile.yaml:", "") + "\n"
				if d := cmp.Diff(want[name], got); d != "" && !*update {
					t.Error(d)
				}
			})
			out.Files = append(out.Files, f, txtar.File{Name: name + ".want", Data: []byte(got)})
		}
		if *update {
			if err := os.WriteFile(file, txtar.Format(out), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestLoadSound(t *testing.T) {
	p, err := load(t, whole(""))
	if err != nil {
		t.Fatal(err)
	}
	s := p.Signal("position")
	if s.Fresh != 2*time.Second || s.Step != 1 || s.Unit != "percent" {
		t.Errorf("position: fresh %v, step %g, unit %s; want ten cycles, 1, percent", s.Fresh, s.Step, s.Unit)
	}
	if s := p.Signal("zone_left_heat"); s.Fresh != 0 || s.Status.Topic != "state/left" {
		t.Errorf("zone_left_heat: %+v", s)
	}
	if p.Databases()["body"] == nil {
		t.Error("the bus has no database")
	}
}

func TestLoadMissingFile(t *testing.T) {
	_, err := vehicle.Load(fstest.MapFS{}, "none.yaml")
	want := "none.yaml: cannot be read: file does not exist (check the path of the profile)"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func loadEmbedded(t testing.TB, file string) *vehicle.Profile {
	t.Helper()
	p, err := vehicle.Load(testdata.FS, file)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestLoadEmbedded(t *testing.T) {
	for file, least := range map[string][2]int{testdata.DemoEV: {50, 61}, testdata.Greenhouse: {20, 12}} {
		p := loadEmbedded(t, file)
		if len(p.Signals) < least[0] || len(p.Tools) < least[1] || len(p.Limits.Interlocks) == 0 || len(p.Limits.Rates) == 0 {
			t.Errorf("%s has %d signals, %d tools, %d interlocks, %d rates", file, len(p.Signals), len(p.Tools), len(p.Limits.Interlocks), len(p.Limits.Rates))
		}
	}
}
