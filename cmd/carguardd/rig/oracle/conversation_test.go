// SPDX-License-Identifier: Apache-2.0

package oracle_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/cmd/carguardd/rig/oracle"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student/faulty"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

// conversation is a run of turns that its seed decides. What happens in a turn
// depends on the seed and its number alone, and on what the turns before it
// left behind: it can be begun in the middle.
type conversation struct {
	seed     uint64
	from, to int    // numbers of turns
	without  string // a rule that is taken out
	ungated  string // a gate that is taken out with it, since it holds to the same by itself
	stress   stress
}

// stress says what a conversation is about.
type stress struct {
	tools   []string // drafted more often than others
	knobs   []string // turned more often than others
	errands []errand // run more often than others
}

// run runs the turns and returns the first that went wrong, or nil.
func (c conversation) run(t testing.TB, n *tally) *failure {
	t.Helper()
	ctx, end := context.WithTimeout(context.Background(), 2*time.Minute)
	defer end()
	watch := oracle.NewWatch()
	clock := vehicletest.NewClock(time.Date(2026, 3, 14, 10, 30, 0, 0, time.UTC))
	watch.Now = clock.Mono
	student := &pupil{}
	gates := slices.DeleteFunc(harness.Gates(), func(g harness.Gate) bool { return g.Name == c.ungated })
	bench, err := rig.New(ctx, rig.Options{
		Gates: gates,
		Files: testdata.FS, Profile: testdata.DemoEV, Bundle: testdata.InCarBundle, Language: "en",
		Fast: true, Clock: clock, Log: zerolog.Nop(), Tap: watch.Frame,
		Student: func(system.Words) (harness.Student, error) { return student, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer bench.Close()
	if c.without != "" {
		*bench.Rules = *bench.Rules.Without(c.without)
	}
	watch.Signal = bench.Bench.Car.Get
	topics := tapTopics(ctx, t, bench)
	d, about := driver{}, c.about()
	for k := c.from; k < c.to; k++ {
		if k%chapter == 0 {
			watch.Anew()
			d.question, d.heard = nil, ""
		}
		r := rand.New(rand.NewPCG(c.seed, uint64(k)))
		h := hands{t, bench, clock, r}
		clock.Leap(c.pause(r))
		c.disturb(h, k == c.from)
		d.r, d.trip = r, h.trip()
		said, errand := d.say(about)
		student.Random = faulty.NewRandom(c.options(r.Uint64(), h.place(), errand.wish))
		student.runs(errand, r)
		inner := rand.New(rand.NewPCG(c.seed, uint64(k)<<32|1))
		student.before = func() {
			watch.Drafts()
			if inner.IntN(25) == 0 {
				hands{t, bench, clock, inner}.turn()
			}
		}
		watch.Begin(said, h.place())
		doc, err := bench.System.Turn(ctx, fmt.Sprint("drive ", k/chapter), said.Text)
		if err != nil {
			t.Fatal(err)
		}
		turn := read(doc)
		bad := append(watch.End(turn), topics.compare(ctx, doc)...)
		bad = append(bad, counts(watch, bench)...)
		for _, note := range doc.Notes {
			if strings.Contains(note, "broke off") || strings.Contains(note, "failed and was open") {
				bad = append(bad, oracle.Violation{Statement: "crash", Text: note})
			}
		}
		if ctx.Err() != nil {
			bad = append(bad, oracle.Violation{Statement: "hang", Text: "the turn took too long"})
		}
		if len(bad) > 0 {
			return &failure{c, k, said.Text, bad, d.question, d.heard, doc}
		}
		n.add(bench, doc, said)
		d.question, d.heard = turn.Question, turn.Reply
	}
	return nil
}

// pause is the time until the driver speaks again; now and then it is longer
// than a question waits.
func (c conversation) pause(r *rand.Rand) time.Duration {
	if r.IntN(30) == 0 {
		return 150 * time.Second
	}
	return time.Duration(1000+r.IntN(8000)) * time.Millisecond
}

// disturb changes the car by hand; in the beginning thoroughly.
func (c conversation) disturb(h hands, begin bool) {
	n := 0
	if h.r.IntN(3) == 0 {
		n = 1 + h.r.IntN(3)
	}
	if begin {
		n = 12
	}
	for range n {
		switch {
		case len(c.stress.knobs) > 0 && h.r.IntN(2) == 0:
			name := pick(h.r, c.stress.knobs)
			for _, k := range knobs {
				if k.signal == name {
					h.set(name, vehicle.MustJSON(pick(h.r, k.values)))
				}
			}
		case h.r.IntN(5) == 0:
			h.travel(begin)
		default:
			h.turn()
		}
	}
}

// read takes from a turn's document what the oracle looks at.
func read(d *harness.Turn) *oracle.Turn {
	t := &oracle.Turn{Reply: d.Reply, Outcome: string(d.Outcome)}
	for _, st := range d.Steps {
		t.Steps = append(t.Steps, oracle.Step{Calls: st.Released, Results: st.Results})
	}
	if q := d.Question; q != nil {
		t.Question = &oracle.Question{Text: q.Text, Cites: q.Rules, Facts: map[string]vehicle.Value{}}
		for _, o := range q.Options {
			t.Question.Packages = append(t.Question.Packages, o.Calls)
		}
		for _, f := range q.Facts {
			t.Question.Facts[f.Name] = f.Value
		}
	}
	return t
}
