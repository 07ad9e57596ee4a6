// SPDX-License-Identifier: Apache-2.0

package system

import (
	"errors"
	"flag"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/cross/goldentest"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

var update = flag.Bool("update", false, "write the golden files anew")

// bare is a system of the demonstration car with buses that nobody else is on.
func bare(t *testing.T) *System {
	t.Helper()
	return bareOn(t, &canbus.Exchange{})
}

// bareOn is bare on the buses of the exchange.
func bareOn(t *testing.T, x *canbus.Exchange) *System {
	t.Helper()
	p, err := vehicle.Load(testdata.FS, testdata.DemoEV)
	if err != nil {
		t.Fatal(err)
	}
	w, err := LoadWords(testdata.FS, "profiles/demo-ev", "en", vehicle.NewCatalog(p))
	if err != nil {
		t.Fatal(err)
	}
	set, err := rules.Load(testdata.FS, testdata.InCarBundle, w.Catalog)
	if err != nil {
		t.Fatal(err)
	}
	buses := map[string]canbus.Bus{}
	for _, b := range p.Buses {
		buses[b.Name] = x.Join(b.Name)
	}
	s, err := New(Options{Profile: p, Rules: set, Student: harnesstest.NewStudent(), Language: harness.NewTongue(w.Lexicon),
		Clock: vehicle.NewSystemClock(), Log: zerolog.Nop(), Buses: buses})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// The metrics are a format that others read: names, help, types, labels.
func TestMetrics(t *testing.T) {
	s := bare(t)
	o := observer{s}
	o.GateRan("obligation", 2*time.Millisecond, 3, nil)
	o.GateRan("obligation", time.Millisecond, 0, nil)
	o.GateRan("loop", 0, 0, errors.New("broke off"))
	s.turns["spoke"], s.turns["asked"] = 2, 1
	got := s.Metrics([]byte("# before\n"))
	goldentest.Check(t, *update, "testdata/metrics.txt", got)
	checkExposition(t, got)
}

// checkExposition makes sure of what every reader of the text format relies
// on: a help and a type line before each family, each family in one piece.
func checkExposition(t *testing.T, text []byte) {
	t.Helper()
	sample := regexp.MustCompile(`^(carguardd_[a-z_]+)(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+$`)
	family, done := "", map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if name, ok := strings.CutPrefix(line, "# TYPE "); ok {
			name, _, _ = strings.Cut(name, " ")
			if done[name] {
				t.Errorf("%s comes twice", name)
			}
			family, done[name] = name, true
		}
		if strings.HasPrefix(line, "#") {
			continue
		}
		if m := sample.FindStringSubmatch(line); m == nil || m[1] != family {
			t.Errorf("in %s: %q", family, line)
		}
	}
}

// A store that is not there is told as a degraded part.
func TestNoStore(t *testing.T) {
	s := bare(t)
	observer{s}.JournalFailed(errors.New("disk full"))
	for _, c := range s.Checks() {
		if c.Name == "journal" {
			t.Errorf("%+v without a store", c)
		}
	}
	s.o.NoStore = errors.New("read-only file system")
	if !slices.Contains(s.Checks(), api.Check{Name: "journal", State: api.Degraded, Detail: "read-only file system"}) {
		t.Errorf("a store that could not be opened is not told: %+v", s.Checks())
	}
	if _, err := s.Turns(1); !errors.Is(err, errNoJournal) {
		t.Error(err)
	}
	if _, err := s.PastTurn("x"); !errors.Is(err, errNoJournal) {
		t.Error(err)
	}
}
