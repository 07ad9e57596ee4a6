// SPDX-License-Identifier: Apache-2.0

package journal_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
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
	// What is open is kept, with all that came after it.
	write(t, j, harness.Record{Kind: harness.TurnBegun, Session: "s", Turn: "open"})
	for _, id := range []string{"a", "b", "c"} {
		write(t, j, harness.Record{Kind: harness.TurnClosed, Session: "s", Turn: id, Doc: &harness.Turn{ID: id}})
	}
	if err := j.Retain(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	if got, _ := j.Turns(100); len(got) != 3 {
		t.Errorf("%d turns left while one before them is open, want 3", len(got))
	}
	c, err := j.Check(context.Background())
	if err != nil || c.Records != 4 || c.Open != 1 || c.Turns != 3 || c.Broken != "" || c.Missing != 0 {
		t.Errorf("left is %+v, %v", c, err)
	}
}

func TestRetainForgetsEndedSessions(t *testing.T) {
	j := open(t, &store.Memory{})
	ctx := context.Background()
	for i, session := range []string{"old", "new", "new"} {
		id := fmt.Sprint(session, "-", i)
		write(t, j, harness.Record{Kind: harness.TurnBegun, Session: session, Turn: id, Number: i + 1},
			harness.Record{Kind: harness.TurnClosed, Session: session, Turn: id, Doc: &harness.Turn{ID: id}})
		if err := j.SaveAsks(ctx, session, []*harness.Ask{{ID: "1"}}); err != nil {
			t.Fatal(err)
		}
	}
	if j.Closed() != 3 {
		t.Errorf("%d turns are closed, want 3", j.Closed())
	}
	if err := j.Retain(ctx, 2); err != nil || j.Closed() != 2 {
		t.Fatalf("%v, %d turns left", err, j.Closed())
	}
	for session, want := range map[string]int{"old": 0, "new": 3} {
		if n, err := j.LastTurn(ctx, session); n != want || err != nil {
			t.Errorf("the last turn of %s is %d, %v; want %d", session, n, err, want)
		}
		if asks, err := j.LoadAsks(ctx, session); (len(asks) > 0) != (want > 0) || err != nil {
			t.Errorf("session %s has asks %v, %v", session, asks, err)
		}
	}
}

// TestGap reads a journal that lost some of its middle.
func TestGap(t *testing.T) {
	m := new(store.Memory)
	j := open(t, m)
	for i := range 9 {
		id := fmt.Sprint(i + 1)
		write(t, j, harness.Record{Kind: harness.TurnClosed, Session: "s", Turn: id, Doc: &harness.Turn{ID: id}})
	}
	for n := byte(4); n < 6; n++ {
		if err := m.Batch(store.Delete([]byte("turn/r\x00\x00\x00\x00\x00\x00\x00" + string(n)))); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := j.Turns(100); len(got) != 7 || err != nil {
		t.Errorf("%d turns of 7, %v", len(got), err)
	}
	if turn, err := j.Turn("2"); err != nil || turn.ID != "2" {
		t.Errorf("behind the gap: %v, %v", turn, err)
	}
	c, err := j.Check(context.Background())
	if err != nil || c.Missing != 2 || c.Turns != 7 || !strings.Contains(c.Broken, "numbers 4 to 5") {
		t.Errorf("%+v, %v", c, err)
	}
	var out strings.Builder
	if n, err := j.Export(context.Background(), &out); n != 7 || err != nil {
		t.Errorf("%d exported, %v", n, err)
	}
	if lines := strings.Split(strings.TrimSpace(out.String()), "\n"); len(lines) != 8 || lines[3] != `{"missing":{"first":4,"last":5}}` {
		t.Errorf("exported:\n%s", out.String())
	}
	if err := j.Retain(context.Background(), 6); err != nil {
		t.Fatal(err)
	}
	if got, _ := j.Turns(100); len(got) != 6 {
		t.Errorf("%d turns left, want 6", len(got))
	}
}
