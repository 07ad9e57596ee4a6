// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundletest"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// benchCar answers reads from a fixed state and does nothing else.
type benchCar struct{ p *vehicle.Profile }

func (c benchCar) Do(_ context.Context, call vehicle.Call) vehicle.Result {
	t := c.p.Tool(call.Tool)
	read := func(sig *vehicle.Signal) vehicle.Value {
		switch sig.Type {
		case vehicle.TypeBool:
			return vehicle.BoolOf(false)
		case vehicle.TypeEnum:
			return vehicle.TextOf(sig.Allowed[0])
		case vehicle.TypeNumber, vehicle.TypeInteger:
			return vehicle.NumberOf(sig.Min)
		}
		return vehicle.Value{}
	}
	return vehicle.Result{Status: vehicle.Done, Value: t.Compose(c.p, call.Args, read)}
}
func (benchCar) Live(vehicle.State)         {}
func (benchCar) Stop(context.Context) error { return nil }

type silentStudent struct{}

func (silentStudent) Name() string                                  { return "silent" }
func (silentStudent) Draft(context.Context, *Prompt) (Draft, error) { return Draft{Report: true}, nil }

// benchRun is a turn of the demonstration car in which everything was read.
func benchRun(b testing.TB) *run {
	b.Helper()
	set, cat := bundletest.Load(b, testdata.FS, testdata.InCarBundle, testdata.DemoEV)
	all, err := words.Load()
	if err != nil {
		b.Fatal(err)
	}
	lex, err := all.For("en").NewLexicon(cat)
	if err != nil {
		b.Fatal(err)
	}
	s, err := NewSession(Parts{ID: "bench", Catalog: cat, Rules: func() *rules.Set { return set }, Car: benchCar{cat.Profile},
		Student: silentStudent{}, Language: NewTongue(lex)})
	if err != nil {
		b.Fatal(err)
	}
	r := s.newRun("turn on the air conditioning and open all windows")
	r.begin(Draft{})
	for _, t := range cat.Tools {
		if t.Access == vehicle.Read && t.ArgumentFree() && t.Service == "" {
			r.read(context.Background(), []vehicle.Call{{ID: s.newID(), Tool: t.Name, Args: vehicle.ObjectOf()}})
		}
	}
	return r
}

// blanks is another row of blanks for every number, for a while.
func blanks(i int) string {
	return strings.NewReplacer("0", " ", "1", "\t").Replace(fmt.Sprintf("%014b", i%(1<<14)))
}

// BenchmarkVerify is one full deterministic verification of a draft, of whose
// own text nothing is remembered: a session never sees the same reply twice.
func BenchmarkVerify(b *testing.B) {
	for _, bm := range []struct {
		name  string
		calls []vehicle.Call
		text  string
	}{
		{name: "reply", text: "The fan is at level 2."},
		{name: "read", calls: []vehicle.Call{{ID: "a", Tool: "get_climate_settings", Args: vehicle.ObjectOf()}}},
		{name: "clean-write", calls: []vehicle.Call{{ID: "a", Tool: "set_fan_speed", Args: vehicle.MustJSON(`{"level":2}`)}}},
		{name: "owed", calls: []vehicle.Call{{ID: "a", Tool: "set_air_conditioning", Args: vehicle.MustJSON(`{"on":true}`)}}},
		{name: "chain", calls: []vehicle.Call{{ID: "a", Tool: "set_window_defrost", Args: vehicle.MustJSON(`{"on":true,"defrost_window":"ALL"}`)}}},
		{name: "four-writes", calls: []vehicle.Call{
			{ID: "a", Tool: "open_close_window", Args: vehicle.MustJSON(`{"window":"ALL","percentage":50}`)},
			{ID: "b", Tool: "set_air_circulation", Args: vehicle.MustJSON(`{"mode":"AUTO"}`)},
			{ID: "c", Tool: "set_seat_heating", Args: vehicle.MustJSON(`{"level":1,"seat_zone":"DRIVER"}`)},
			{ID: "d", Tool: "open_close_sunroof", Args: vehicle.MustJSON(`{"percentage":20}`)}}},
	} {
		b.Run(bm.name, func(b *testing.B) {
			r := benchRun(b)
			d := Draft{Calls: bm.calls, Text: bm.text}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if d.Text != "" {
					d.Text = bm.text + blanks(i) // another text that says the same
				}
				r.s.check(r.v, &d)
			}
		})
	}
}
