// SPDX-License-Identifier: Apache-2.0

package oracle_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
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
	tools []string // drafted more often than others
	knobs []string // turned more often than others
}

// tally is what was counted in turns that went well.
type tally struct {
	turns, drafted, executed int
	fired                    map[string]int // turns in which a rule spoke
	kinds                    map[string]int // answers and outcomes
}

func newTally() *tally { return &tally{fired: map[string]int{}, kinds: map[string]int{}} }

// failure is a turn that went wrong.
type failure struct {
	conversation
	turn       int
	said       string
	violations []oracle.Violation
	waited     *oracle.Question // what the driver answered …
	heard      string           // … and what was said before it
	doc        *harness.Turn
}

// pupil is the student of a conversation: a random one for each turn.
type pupil struct {
	*faulty.Random
	before func()
}

func (p *pupil) Draft(ctx context.Context, prompt *harness.Prompt) (harness.Draft, error) {
	p.before()
	return p.Random.Draft(ctx, prompt)
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
		d.r = r
		said, wish := d.say(about)
		student.Random = faulty.NewRandom(c.options(r.Uint64(), h.place(), wish))
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

// about are the wishes for the tools that the conversation is about.
func (c conversation) about() (out []wish) {
	for _, w := range wishes {
		if slices.Contains(c.stress.tools, w.tool) {
			out = append(out, w)
		}
	}
	return out
}

// options weigh the student's drafts.
func (c conversation) options(seed uint64, p oracle.Place, w wish) faulty.Options {
	texts := func(l ...string) (out []vehicle.Value) {
		for _, s := range l {
			out = append(out, vehicle.TextOf(s))
		}
		return out
	}
	numbers := func(l ...int) (out []vehicle.Value) {
		for _, n := range l {
			out = append(out, vehicle.NumberOf(float64(n)))
		}
		return out
	}
	faults := faulty.DefaultFaults()
	faults[faulty.Valid] *= 5
	hints := map[string][]vehicle.Value{
		"location": texts("Lindau", "Ulm", "Bregenz"), "start_id": texts(p.ID, p.ID, "loc_ulm_113708"),
		"destination_id": texts("loc_ulm_113708", "loc_rav_545447"), "location_or_poi_id": texts(p.ID),
		"month": numbers(p.Month), "day": numbers(p.Day, p.Day, p.Day, p.Day+1), "time_hour_24hformat": numbers(p.Hour),
		"contact_first_name": texts("Mara", "Jonas"), "phone_number": texts("+49 89 99998 331"),
	}
	if w.args != "" {
		args := vehicle.MustJSON(w.args)
		for i := range args.Len() {
			hints[args.NameAt(i)] = []vehicle.Value{args.At(i)}
		}
	}
	return faulty.Options{
		Seed: seed, Faults: faults, Hints: hints, MaxCalls: 3, Steps: 3,
		Weight: func(t *vehicle.Tool) int {
			switch {
			case t.Name == w.tool:
				return 400
			case slices.Contains(c.stress.tools, t.Name):
				return 20
			case t.HasTag("navigation"):
				return 1
			case t.Access == vehicle.Write:
				return 3
			case t.Access == vehicle.Noop:
				return 0
			}
			return 1
		},
	}
}

// counts compares what was heard with what both ends say that they sent.
func counts(w *oracle.Watch, r *rig.Rig) (bad []oracle.Violation) {
	_, commands := w.Counts()
	sent := r.System.Boundary.Stats().Sent
	if n := sent["body"] + sent["powertrain"]; n != commands {
		bad = append(bad, oracle.Violation{Statement: "frame", Text: fmt.Sprintf("the boundary sent %d frames, %d were heard", n, commands)})
	}
	return bad
}

// add counts a turn that went well.
func (n *tally) add(r *rig.Rig, t *harness.Turn, said oracle.Said) {
	n.turns++
	n.kinds[string(t.Outcome)]++
	if t.Answer != "" {
		n.kinds["answered "+t.Answer]++
	}
	fired, valid, done := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, st := range t.Steps {
		for _, ck := range st.Checks {
			for _, f := range ck.Findings {
				if f.Rule != "" && f.Action != harness.DemandRead {
					fired[f.Rule] = true
				}
			}
		}
		for i := range st.Draft.Calls {
			c := &st.Draft.Calls[i]
			if tool := r.Words.Catalog.Tool(c.Tool); st.Draft.Student == "random" && tool != nil && oracle.Changes(c.Tool) &&
				c.Raw == "" && c.Args.Kind() == vehicle.Object && len(tool.Input.Validate(c.Args)) == 0 {
				valid[c.Canonical()] = true
			}
		}
		for i := range st.Released {
			c := &st.Released[i]
			if oracle.Changes(c.Tool) && st.Results[i].OK() && (valid[c.Canonical()] || c.Origin == vehicle.ByConsent) {
				done[c.Canonical()] = true
			}
		}
	}
	for id := range fired {
		n.fired[id]++
	}
	if !said.Question && !said.No && !said.Stop { // then nothing may be written
		n.drafted += len(valid)
		n.executed += len(done)
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

// shrink looks for a shorter conversation that goes wrong the same way: one
// that begins later.
func (f *failure) shrink(t testing.TB) *failure {
	best := f
	for lo, hi := f.from, f.turn; lo < hi; {
		mid := (lo + hi + 1) / 2
		c := f.conversation
		c.from, c.to = mid, f.turn+1
		if g := c.run(t, newTally()); g != nil {
			best, lo = g, mid
		} else {
			hi = mid - 1
		}
	}
	return best
}

func (f *failure) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d, turns %d to %d, without %q: %q\n", f.seed, f.from, f.turn, f.without, f.said)
	for _, v := range f.violations {
		fmt.Fprintf(&b, "  %s\n", v)
	}
	fmt.Fprintf(&b, "  after: %s\n", f.heard)
	if f.waited != nil {
		fmt.Fprintf(&b, "  waiting: %s %v on %v\n", f.waited.Text, f.waited.Packages, f.waited.Facts)
	}
	doc, _ := json.MarshalIndent(f.doc, "", "  ")
	b.Write(doc)
	return b.String()
}

func (n *tally) String() string {
	return fmt.Sprintf("%d turns, %d of %d valid writes carried out (%.0f %%), %v, %v", n.turns, n.executed, n.drafted,
		100*float64(n.executed)/max(1, float64(n.drafted)), maps.Clone(n.kinds), maps.Clone(n.fired))
}
