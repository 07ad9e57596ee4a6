// SPDX-License-Identifier: Apache-2.0

package bench_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bench"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

func catalog(t *testing.T, profile string) *vehicle.Catalog {
	t.Helper()
	p, err := vehicle.Load(testdata.FS, profile)
	if err != nil {
		t.Fatal(err)
	}
	return vehicle.NewCatalog(p)
}

// TestGenerate: generated bundles load for both profiles, of the size that
// was asked for, and are of several types.
func TestGenerate(t *testing.T) {
	for _, profile := range []string{testdata.DemoEV, testdata.Greenhouse} {
		cat := catalog(t, profile)
		fsys, err := bench.Generate(cat, 200)
		if err != nil {
			t.Fatal(err)
		}
		set, err := rules.Load(fsys, bench.Dir, cat)
		if err != nil {
			t.Fatal(err)
		}
		types := map[rules.Type]int{}
		wildcards := 0
		for _, r := range set.Rules {
			types[r.Type]++
			if r.Items() != nil {
				wildcards++
			}
		}
		if len(set.Rules) != 200 || len(types) != 4 || wildcards == 0 {
			t.Errorf("%s: %d rules, %v, %d wildcards", profile, len(set.Rules), types, wildcards)
		}
	}
}

func TestGenerateOnlySomeTools(t *testing.T) {
	cat := catalog(t, testdata.Greenhouse)
	fsys, err := bench.Generate(cat, 10, "set_vent")
	if err != nil {
		t.Fatal(err)
	}
	set, err := rules.Load(fsys, bench.Dir, cat)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(set.On("set_vent")); n != 10 {
		t.Errorf("%d rules wait for set_vent", n)
	}
	if _, err := bench.Generate(cat, 10, "no_such_tool"); err == nil {
		t.Error("rules for no tool")
	}
}

// ticking is a clock that goes on by a millisecond each time it is read.
func ticking() bench.Clock {
	var now time.Duration
	return func() time.Duration {
		now += time.Millisecond
		return now
	}
}

func TestRun(t *testing.T) {
	cat := catalog(t, testdata.Greenhouse)
	rep, err := bench.Run(ticking(), 1, testdata.FS, testdata.GreenhouseBundle, cat)
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Bundle) != 2 || len(rep.Set200) != 3 || len(rep.Rules) != 15 || len(rep.History) != 5 || rep.History[0].N != 0 || rep.History[4].N != 10000 {
		t.Errorf("%+v", rep)
	}
	for _, f := range rep.Rules {
		if f.Median != time.Millisecond {
			t.Errorf("%s of %d takes %v by this clock", f.Name, f.N, f.Median)
		}
	}
	if rep.Set200[0].Budget == 0 || rep.Set200[1].Budget == 0 {
		t.Error("budgets are missing")
	}
	var b bytes.Buffer
	if err := rep.Write(&b); err != nil || !strings.Contains(b.String(), "200 generated rules") {
		t.Errorf("%s, %v", &b, err)
	}
}

func TestRunSaysWhatIsWrong(t *testing.T) {
	cat := catalog(t, testdata.DemoEV)
	var ps vehicle.Problems
	if _, err := bench.Run(ticking(), 1, testdata.FS, testdata.GreenhouseBundle, cat); !errors.As(err, &ps) {
		t.Errorf("got %v", err)
	}
}

// TestPlot: the picture is well-formed and has a line for each name.
func TestPlot(t *testing.T) {
	figures := []bench.Figure{{Name: "a", N: 10, Median: 12 * time.Microsecond}, {Name: "a", N: 100, Median: 150 * time.Microsecond}, {Name: "b", N: 10, Median: time.Millisecond}}
	var b bytes.Buffer
	if err := bench.Plot(&b, &bench.Report{Rules: figures, History: []bench.Figure{{Name: "draft", N: 0, Median: 5}}}); err != nil {
		t.Fatal(err)
	}
	lines := 0
	for d := xml.NewDecoder(&b); ; {
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := tok.(xml.StartElement); ok && e.Name.Local == "polyline" {
			lines++
			if strings.Contains(e.Attr[0].Value, "NaN") || strings.Contains(e.Attr[0].Value, "Inf") {
				t.Errorf("points %s", e.Attr[0].Value)
			}
		}
	}
	if lines != 3 {
		t.Errorf("%d lines", lines)
	}
}
