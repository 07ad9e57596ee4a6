// SPDX-License-Identifier: Apache-2.0

package oracle_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/cmd/carguardd/rig/oracle"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/cross/peerstest"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/store/journal"
	"github.com/carguardd/carguardd/harness/student/faulty"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

var (
	soakTurns = flag.Int("soak.turns", 300, "turns of TestSoak")
	soakPlot  = flag.String("soak.plot", "", "write TestSoak's curves to this SVG file")
	soakShow  = flag.Bool("soak.progress", false, "show TestSoak's progress on standard error")
)

// The budgets of a long run, in bytes.
const (
	soakRSS  = 60 << 20 // after the soak
	soakHeap = 4 << 20  // what the live heap may grow by between a tenth of the run and its end
	drives   = 8        // conversations that are under way side by side
)

// TestSoak drives turns on one bench, with something going wrong all the time:
// drafts, buses, broker, disk and clock. Every turn must be closed and none
// forgotten, nothing may leave that the policy forbids or that nobody asked for,
// and memory and goroutines must stay what they were.
func TestSoak(t *testing.T) { runSoak(t, *soakTurns) }

func runSoak(t *testing.T, turns int) {
	s := newSoak(t, turns)
	for k := range turns {
		s.turn(k)
		if k%s.every == s.every-1 {
			s.sample(k + 1)
		}
	}
	s.finish()
}

// soak is one long run.
type soak struct {
	t       *testing.T
	watch   *oracle.Watch
	clock   *vehicletest.Clock
	student *pupil
	bench   *rig.Rig
	disk    *soakDisk
	topics  *topicTap
	trouble *trouble
	ctx     context.Context

	turns    int
	begun    atomic.Int64 // when the turn that runs began, on the wall's clock; 0: none runs
	every    int          // turns between two samples
	samples  []sample
	took     []time.Duration // turns since the last sample
	unkept   int             // turns on a full disk
	outcomes map[string]int

	question [drives]*oracle.Question
	heard    [drives]string
	fastest  [drives]bool // the fastest road was asked for; what is not done yet outlasts a reload
}

func newSoak(t *testing.T, turns int) *soak {
	t.Helper()
	s := &soak{t: t, turns: turns, watch: oracle.NewWatch(), student: &pupil{}, disk: openSoakDisk(t), outcomes: map[string]int{},
		clock: vehicletest.NewClock(time.Date(2026, 3, 14, 10, 30, 0, 0, time.UTC)), every: max(1, turns/100)}
	percent := debug.SetGCPercent(50) // as the daemon has it
	t.Cleanup(func() { debug.SetGCPercent(percent) })
	s.watch.Now = s.clock.Mono
	var end context.CancelFunc
	s.ctx, end = context.WithTimeout(context.Background(), time.Minute+time.Duration(turns)*time.Second)
	t.Cleanup(end)
	var err error
	s.bench, err = rig.New(s.ctx, rig.Options{
		Files: testdata.FS, Profile: testdata.DemoEV, Bundle: testdata.InCarBundle, Language: "en",
		Fast: true, Clock: s.clock, Log: zerolog.Nop(), Tap: s.watch.Frame, Store: s.disk,
		Student: func(system.Words) (harness.Student, error) { return s.student, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.bench.Close)
	s.watch.Signal = s.bench.Bench.Car.Get
	s.topics = tapTopics(s.ctx, t, s.bench)
	s.trouble = &trouble{t: t, rig: s.bench, clock: s.clock, disk: s.disk, topics: s.topics, counts: map[string]int{}}
	s.pace()
	return s
}

// pace turns the clock on where a turn waits for something that will not come:
// nobody else does.
func (s *soak) pace() {
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				if at := s.begun.Load(); at != 0 && time.Now().UnixNano()-at > int64(20*time.Millisecond) {
					s.clock.Leap(500 * time.Millisecond)
				}
			}
		}
	}()
	s.t.Cleanup(func() { close(stop); <-done })
}

// turn is one turn of one of the drives, with its trouble.
func (s *soak) turn(k int) {
	drive := k / chapter % drives
	if k%chapter == 0 {
		s.watch.Anew()
		s.question[drive], s.heard[drive] = nil, ""
		if drive == 0 { // a reload begins all of them anew
			if err := s.bench.System.Change(s.bench.System.Settings()); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	r := rand.New(rand.NewPCG(77, uint64(k)))
	c := conversation{seed: 77}
	h := hands{s.t, s.bench, s.clock, r}
	s.clock.Leap(c.pause(r))
	c.disturb(h, k == 0)
	d := driver{r: r, question: s.question[drive], heard: s.heard[drive], trip: h.trip()}
	said, errand := d.say(nil)
	s.fastest[drive] = s.fastest[drive] || said.Fastest
	said.Fastest = s.fastest[drive]
	s.student.Random = faulty.NewRandom(soakDrafts(c.options(r.Uint64(), h.place(), errand.wish), r))
	s.student.runs(errand, r)
	inner := rand.New(rand.NewPCG(77, uint64(k)<<32|1))
	s.student.before = func() {
		s.watch.Drafts()
		s.trouble.meanwhile(inner)
	}
	s.trouble.begin(r)
	if s.disk.full.Load() {
		s.unkept++
	}
	s.watch.Begin(said, h.place())
	began := time.Now()
	s.begun.Store(began.UnixNano())
	doc, err := s.bench.System.Turn(s.ctx, fmt.Sprint("drive ", drive), said.Text)
	s.begun.Store(0)
	s.took = append(s.took, time.Since(began))
	if err != nil {
		s.t.Fatal(err)
	}
	s.judge(k, said, doc)
	turn := read(doc)
	s.question[drive], s.heard[drive] = turn.Question, turn.Reply
	s.trouble.end(s.ctx)
}

// soakDrafts makes the drafts of every second turn mostly garbage.
func soakDrafts(o faulty.Options, r *rand.Rand) faulty.Options {
	if r.IntN(2) == 0 {
		o.Faults = faulty.DefaultFaults()
		o.Faults[faulty.Valid] = 1
	}
	return o
}

// judge fails on a turn that went wrong.
func (s *soak) judge(k int, said oracle.Said, doc *harness.Turn) {
	bad := append(s.watch.End(read(doc)), counts(s.watch, s.bench)...)
	if s.trouble.brokerLeft {
		s.topics.take(s.ctx, 0) // who heard what is left to chance
	} else {
		bad = append(bad, s.topics.compare(s.ctx, doc)...)
	}
	for _, note := range doc.Notes {
		if strings.Contains(note, "broke off") || strings.Contains(note, "failed and was open") {
			bad = append(bad, oracle.Violation{Statement: "crash", Text: note})
		}
	}
	if doc.Outcome == "" || doc.Reply == "" {
		bad = append(bad, oracle.Violation{Statement: "closed", Text: "the turn has no outcome, or the driver heard nothing"})
	}
	if s.trouble.busLeft() {
		bad = slices.DeleteFunc(bad, untold)
	}
	s.outcomes[string(doc.Outcome)]++
	if len(bad) > 0 {
		f := &failure{turn: k, said: said.Text, violations: bad, doc: doc}
		s.t.Fatalf("with %v: %v", s.trouble.now, f)
	}
}

// untold says that the driver was not told something about the car: who does not hear
// the car cannot tell.
func untold(v oracle.Violation) bool { return strings.Contains(v.Text, "does not say so") }

// finish ends the run and looks at what is left.
func (s *soak) finish() {
	contents, err := s.journal()
	if err != nil {
		s.t.Fatal(err)
	}
	if want := s.turns - s.unkept; contents.Turns != want || contents.Open != 0 || contents.Missing != 0 || contents.Broken != "" || contents.Unreadable != 0 {
		s.t.Errorf("the journal has %+v, want %d turns", contents, want)
	}
	s.t.Logf("%d turns, %v; trouble: %v; %d turns on a full disk are not in the journal", s.turns, s.outcomes, s.trouble.counts, s.unkept)
	s.flat()
	for _, what := range troubles {
		if s.trouble.counts[what] == 0 && s.turns >= 1000 {
			s.t.Errorf("there was no %s", what)
		}
	}
	if *soakPlot != "" {
		if err := os.WriteFile(*soakPlot, plotSoak(s.samples), 0o644); err != nil {
			s.t.Error(err)
		}
	}
}

// flat fails if the process has grown. A tenth of the run is left out, in which
// conversations and store fill up; each end is the median of some samples, since the
// store's memory goes up and down.
func (s *soak) flat() {
	n := len(s.samples)
	first, last := typical(s.samples[n/10:n/10+max(1, n/5)]), typical(s.samples[n-max(1, n/5):])
	if err := system.GiveBack(); err != nil {
		s.t.Error(err)
	}
	rss, err := residentSet()
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Logf("memory %.1f to %.1f MB, %.1f in the end, when nobody speaks; live heap %.1f to %.1f MB; goroutines %d to %d; turns of %v in the median, %v at the 99th percentile",
		mb(first.rss), mb(last.rss), mb(rss), mb(first.heap), mb(last.heap), first.goroutines, last.goroutines, last.median, last.p99)
	grown := uint64(soakHeap)
	if s.turns < 1000 {
		grown *= 2 // a short run fills up most of its time
	}
	if last.heap > first.heap+grown {
		s.t.Errorf("the live heap grew from %.1f to %.1f MB", mb(first.heap), mb(last.heap))
	}
	if last.goroutines > first.goroutines+4 {
		buf := make([]byte, 1<<20)
		s.t.Errorf("there were %d goroutines and are %d:\n%s", first.goroutines, last.goroutines, buf[:runtime.Stack(buf, true)])
	}
	if !raceEnabled && rss > soakRSS {
		s.t.Errorf("the process takes %.1f MB, of at most %.0f", mb(rss), mb(soakRSS))
	}
	peerstest.Count(s.t, peerstest.Load, "turns of the soak", s.turns)
	peerstest.Count(s.t, peerstest.Fault, "faults of the soak: buses, broker, disk, clock, actuators", s.trouble.total())
	peerstest.Count(s.t, peerstest.Losses, "turns of the soak that were lost, or acted on twice", 0) // any ends the test
}

// journal waits until what the disk was slow with is written, and reads it.
func (s *soak) journal() (journal.Contents, error) {
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		c, err := s.bench.System.Journal.Check(s.ctx)
		if err != nil || c.Open == 0 || time.Now().After(end) {
			return c, err
		}
	}
}
