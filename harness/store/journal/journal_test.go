// SPDX-License-Identifier: Apache-2.0

package journal_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/store"
	"github.com/carguardd/carguardd/harness/store/journal"
	"github.com/carguardd/carguardd/vehicle"
)

func open(t *testing.T, s store.Store) *journal.Journal {
	t.Helper()
	j, err := journal.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func write(t *testing.T, j *journal.Journal, rs ...harness.Record) {
	t.Helper()
	for _, r := range rs {
		if err := j.Write(context.Background(), r, false); err != nil {
			t.Fatal(err)
		}
	}
}

func profile() *vehicle.Profile {
	sig := &vehicle.Signal{Name: "vent", Type: vehicle.TypeNumber, Max: 100}
	set := &vehicle.Tool{Name: "set_vent", Declared: true,
		Sets: []*vehicle.Effect{{To: vehicle.Target{Arg: vehicle.MustPath("to")}}}}
	return vehicle.NewProfile(vehicle.Profile{Signals: []*vehicle.Signal{sig}, Tools: []*vehicle.Tool{set}})
}

// A turn cut off in the middle is found, judged by what the car says, closed
// once, and nothing of it is there to be sent again.
func TestReconcile(t *testing.T) {
	call := func(id string, to float64) *vehicle.Call {
		return &vehicle.Call{ID: id, Tool: "set_vent", Args: vehicle.ObjectOf(vehicle.Field{Name: "to", Value: vehicle.NumberOf(to)})}
	}
	for _, tc := range []struct {
		name    string
		records []harness.Record
		live    vehicle.Value
		want    []journal.Outcome
	}{
		{"closed turn", []harness.Record{
			{Kind: harness.TurnBegun, Turn: "t1"}, {Kind: harness.CallActing, Turn: "t1", Call: call("a", 5)},
			{Kind: harness.CallObserved, Turn: "t1", Call: call("a", 5)}, {Kind: harness.TurnClosed, Turn: "t1", Doc: &harness.Turn{ID: "t1"}},
		}, vehicle.NumberOf(5), nil},
		{"sent and reached", []harness.Record{
			{Kind: harness.TurnBegun, Turn: "t1"}, {Kind: harness.CallActing, Turn: "t1", Call: call("a", 5)},
		}, vehicle.NumberOf(5), []journal.Outcome{{Turn: "t1", Call: *call("a", 5), Reached: true}}},
		{"sent and not reached", []harness.Record{
			{Kind: harness.TurnBegun, Turn: "t1"}, {Kind: harness.CallActing, Turn: "t1", Call: call("a", 5)},
		}, vehicle.NumberOf(40), []journal.Outcome{{Turn: "t1", Call: *call("a", 5)}}},
		{"the car does not say", []harness.Record{
			{Kind: harness.TurnBegun, Turn: "t1"}, {Kind: harness.CallActing, Turn: "t1", Call: call("a", 5)},
		}, vehicle.Value{}, []journal.Outcome{{Turn: "t1", Call: *call("a", 5), Unknown: true}}},
		{"one of two observed", []harness.Record{
			{Kind: harness.TurnBegun, Turn: "t1"}, {Kind: harness.CallActing, Turn: "t1", Call: call("a", 1)},
			{Kind: harness.CallActing, Turn: "t1", Call: call("b", 5)}, {Kind: harness.CallObserved, Turn: "t1", Call: call("a", 1)},
		}, vehicle.NumberOf(5), []journal.Outcome{{Turn: "t1", Call: *call("b", 5), Reached: true}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			disk := &store.Memory{}
			write(t, open(t, disk), tc.records...)
			j := open(t, disk)
			// A turn of this run is under way and none of its business.
			write(t, j, harness.Record{Kind: harness.TurnBegun, Turn: "t2"}, harness.Record{Kind: harness.CallActing, Turn: "t2", Call: call("c", 7)})
			for round, want := range [][]journal.Outcome{tc.want, nil} {
				got, err := j.Reconcile(context.Background(), profile(), vehicle.State{tc.live}, time.Unix(0, 0))
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(want, got, cmp.Comparer(vehicle.Value.Equal)); d != "" {
					t.Errorf("round %d (-want +got):\n%s", round, d)
				}
			}
			if still, err := j.OpenTurns(); err != nil || !slices.Equal(still, []string{"t2"}) {
				t.Errorf("open turns %v, %v; want the one of this run", still, err)
			}
		})
	}
}

func TestTurnsNewestFirst(t *testing.T) {
	j := open(t, &store.Memory{})
	for i := range 600 {
		id := fmt.Sprint(i)
		write(t, j, harness.Record{Kind: harness.TurnBegun, Turn: id},
			harness.Record{Kind: harness.TurnClosed, Turn: id, Doc: &harness.Turn{ID: id}})
	}
	got, err := j.Turns(400)
	if err != nil || len(got) != 400 || got[0].ID != "599" || got[399].ID != "200" {
		t.Fatalf("got %d turns, first %v, last %v, error %v", len(got), got[0].ID, got[len(got)-1].ID, err)
	}
	if d, err := j.Turn("7"); err != nil || d.ID != "7" {
		t.Errorf("turn 7: %v, %v", d, err)
	}
	if _, err := j.Turn("nope"); !errors.Is(err, journal.ErrNoTurn) {
		t.Errorf("unknown turn: %v", err)
	}
}

func TestAsksSurvive(t *testing.T) {
	s := &store.Memory{}
	asks := []*harness.Ask{{ID: "a1", Text: "open the vent", State: harness.AskOpen, Calls: []string{"c1"}}}
	if err := open(t, s).SaveAsks(context.Background(), "x", asks); err != nil {
		t.Fatal(err)
	}
	got, err := open(t, s).LoadAsks(context.Background(), "x")
	if err != nil || cmp.Diff(asks, got) != "" {
		t.Errorf("got %v, %v", got, err)
	}
	if none, err := open(t, s).LoadAsks(context.Background(), "y"); err != nil || none != nil {
		t.Errorf("another session: %v, %v", none, err)
	}
}

func TestRetainKeepsTheNewest(t *testing.T) {
	j := open(t, &store.Memory{})
	for i := range 30 {
		id := fmt.Sprint(i)
		write(t, j, harness.Record{Kind: harness.TurnBegun, Session: "s", Turn: id, Number: i},
			harness.Record{Kind: harness.CallActing, Turn: id, Call: &vehicle.Call{ID: "c"}},
			harness.Record{Kind: harness.TurnClosed, Turn: id, Doc: &harness.Turn{ID: id}})
	}
	if err := j.Retain(context.Background(), 10); err != nil {
		t.Fatal(err)
	}
	got, err := j.Turns(100)
	if err != nil || len(got) != 10 || got[9].ID != "20" {
		t.Fatalf("%d turns left, error %v", len(got), err)
	}
	if n, err := j.LastTurn(context.Background(), "s"); n != 29 || err != nil {
		t.Errorf("last turn %d, %v", n, err)
	}
	write(t, j, harness.Record{Kind: harness.TurnBegun, Session: "s", Turn: "open"})
	if err := j.Retain(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	if got, _ := j.Turns(100); len(got) != 10 {
		t.Errorf("%d turns left while one is open, want 10", len(got))
	}
}
