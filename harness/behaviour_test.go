// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// The behaviours that gates must and must not show, by the numbers of the
// list that the design was written against: what the gates hold against one
// draft, after some history, in the invented oven and in the demonstration
// car.

// behaviour is one acceptance case.
type behaviour struct {
	id    string // number and situation
	car   domain
	set   func(b *bench) // what happened before
	say   string         // empty: a command that names the draft's tools
	draft harness.Draft
	want  []string // findings, as [shown] writes them
	note  string   // must be in a note to the student
	gate  string   // the only one looked at; empty: those judged
}

// domain makes a bench.
type domain func(t *testing.T, without ...string) *bench

// bench is a conversation of which the gates alone are asked.
type bench struct {
	t     *testing.T
	cat   *vehicle.Catalog
	car   *harnesstest.Car
	suite *harness.Suite
	n     int
}

// world is what a domain is made of, read once.
type world struct {
	profile *vehicle.Profile
	set     *rules.Set
	lang    func(*vehicle.Catalog) harness.Language
	err     error
}

var ovenWorld = sync.OnceValue(func() (w world) {
	if w.profile, w.err = vehicle.Load(os.DirFS("testdata/oven-profile"), "profile.yaml"); w.err == nil {
		w.set, w.err = rules.Load(os.DirFS("testdata/oven"), ".", vehicle.NewCatalog(w.profile))
	}
	w.lang = func(*vehicle.Catalog) harness.Language { return harnesstest.Plain{} }
	return w
})

var carWorld = sync.OnceValue(func() (w world) {
	if w.profile, w.err = vehicle.Load(testdata.FS, testdata.DemoEV); w.err != nil {
		return w
	}
	cat := vehicle.NewCatalog(w.profile)
	if w.set, w.err = rules.Load(testdata.FS, testdata.InCarBundle, cat); w.err != nil {
		return w
	}
	all, err := words.Load()
	if err != nil {
		return world{err: err}
	}
	data, err := testdata.FS.ReadFile("profiles/demo-ev/lexicon/en.yaml")
	if err != nil {
		return world{err: err}
	}
	f, err := words.ParseLexicon("en.yaml", data)
	if err != nil {
		return world{err: err}
	}
	lex, err := all.For("en").NewLexicon(cat, f)
	w.lang, w.err = func(*vehicle.Catalog) harness.Language { return harness.NewTongue(lex) }, err
	return w
})

func inOven(t *testing.T, without ...string) *bench { return newBench(t, ovenWorld(), without) }

func inCar(t *testing.T, without ...string) *bench { return newBench(t, carWorld(), without) }

// newBench is a conversation in a car in which everything is at rest and
// nothing was read, without the tools named.
func newBench(t *testing.T, w world, without []string, more ...*vehicle.Tool) *bench {
	t.Helper()
	if w.err != nil {
		t.Fatal(w.err)
	}
	tools := slices.DeleteFunc(slices.Clone(w.profile.Tools), func(x *vehicle.Tool) bool { return slices.Contains(without, x.Name) })
	b := &bench{t: t, cat: vehicle.NewCatalog(w.profile, append(tools, more...)...)}
	b.car = harnesstest.NewCar(vehicle.NewCatalog(w.profile), atRest(w.profile))
	var err error
	b.suite, err = harness.NewSuite(harness.Parts{ID: "b", Catalog: b.cat, Rules: func() *rules.Set { return w.set }, Language: w.lang(b.cat),
		Policy:  "The chef's own recipe is rec_1001.",
		Context: func(name string) vehicle.Value { return around[name] }})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// around is where and when the cases happen.
var around = map[string]vehicle.Value{"here.id": vehicle.TextOf("loc_lin_545923"), "now.month": vehicle.NumberOf(3), "now.day": vehicle.NumberOf(14), "now.hour": vehicle.NumberOf(10)}

// atRest is off, closed and empty for every signal.
func atRest(p *vehicle.Profile) map[string]vehicle.Value {
	out := map[string]vehicle.Value{}
	for _, s := range p.Signals {
		switch s.Type {
		case vehicle.TypeNumber, vehicle.TypeInteger:
			out[s.Name] = vehicle.NumberOf(max(0, s.Min))
		case vehicle.TypeBool:
			out[s.Name] = vehicle.BoolOf(false)
		case vehicle.TypeEnum:
			out[s.Name] = vehicle.TextOf(s.Allowed[0])
		}
	}
	return out
}

// is sets signals of the car: name, value as JSON, ….
func (b *bench) is(nameValue ...string) {
	for i := 0; i < len(nameValue); i += 2 {
		b.car.Set(nameValue[i], vehicle.MustJSON(nameValue[i+1]))
	}
}

// hear begins a turn.
func (b *bench) hear(text string) { b.suite.Hear(text) }

// do carries out calls on the car and records them as one step.
func (b *bench) do(toolsAndArgs ...string) {
	d := harnesstest.Calls(toolsAndArgs...)
	var res []vehicle.Result
	for i := range d.Calls {
		b.n++
		d.Calls[i].ID = fmt.Sprintf("d%d", b.n)
		res = append(res, b.car.Do(context.Background(), d.Calls[i]))
	}
	b.suite.Record("", d.Calls, res)
}

// came records a call with a result of its own.
func (b *bench) came(tool, args string, r vehicle.Result) {
	b.n++
	c := vehicle.Call{ID: fmt.Sprintf("d%d", b.n), Tool: tool, Args: vehicle.MustJSON(args)}
	r.CallID, r.Tool = c.ID, tool
	b.suite.Record("", []vehicle.Call{c}, []vehicle.Result{r})
}

func done(value string) vehicle.Result {
	return vehicle.Result{Status: vehicle.Done, Value: vehicle.MustJSON(value)}
}

func failed(why string) vehicle.Result { return vehicle.Result{Status: vehicle.Failed, Reason: why} }

// said records a reply.
func (b *bench) said(text string) { b.suite.Record(text, nil, nil) }

// shown is a finding in one line: gate, action, rule and what its remedy adds
// (+), puts in place (=) or takes away (-).
func shown(f *harness.Finding, d *harness.Draft) string {
	s := f.Gate + " " + string(f.Action)
	if f.Rule != "" {
		s += " " + f.Rule
	}
	for _, p := range f.Remedy.Add {
		s += " +" + p.Call.Canonical()
	}
	for _, c := range d.Calls {
		if n, ok := f.Remedy.Replace[c.ID]; ok {
			s += " =" + n.Canonical()
		}
		if slices.Contains(f.Remedy.Remove, c.ID) || slices.Contains(f.Remedy.Defer, c.ID) {
			s += " -" + c.Canonical()
		}
	}
	return s
}

// judged are the gates that these cases are about; the others have cases of
// their own.
var judged = []string{"argument-format", "tool-exists", "schema", "provenance", "loop", "question-not-command", "gather", "obligation", "excess",
	"owed-on-reply", "precondition", "prohibition", "constraint", "selection", "missing-capability", "confirmation", "output-integrity",
	"completion", "disclosure"}

// play runs a table.
func play(t *testing.T, table []behaviour) {
	t.Helper()
	for _, tc := range table {
		t.Run(tc.id, func(t *testing.T) {
			b := tc.car(t)
			tc.run(b)
		})
	}
}

func (tc *behaviour) run(b *bench) {
	b.t.Helper()
	if tc.set != nil {
		tc.set(b)
	}
	say := tc.say
	if say == "" {
		say = "please do it:"
		for _, c := range tc.draft.Calls {
			say += " " + strings.NewReplacer("_", " ", "open close", "").Replace(c.Tool)
		}
	}
	if say != "-" {
		b.hear(say)
	}
	d := tc.draft
	d.Calls = slices.Clone(d.Calls)
	var got []string
	notes := ""
	for _, f := range b.suite.Judge(&d) {
		if tc.gate == "" && !slices.Contains(judged, f.Gate) || tc.gate != "" && f.Gate != tc.gate {
			continue
		}
		got = append(got, shown(&f, &d))
		notes += f.Note + "\n"
	}
	if diff := cmp.Diff(tc.want, got); diff != "" {
		b.t.Errorf("findings (-want +got):\n%s%s", diff, notes)
	}
	if !strings.Contains(notes, tc.note) {
		b.t.Errorf("no note says %q:\n%s", tc.note, notes)
	}
}
