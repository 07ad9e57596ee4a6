// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"sync"
	"testing"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// fake is a daemon whose turns last as long as the test wants.
type fake struct {
	mu     sync.Mutex
	heard  []string // "session: text"
	stops  int
	begun  chan struct{} // receives when a turn has begun, if set
	finish chan struct{} // a turn waits for it, if set
	events chan api.Event
	ended  chan struct{} // closed when a subscription ends
	checks []api.Check
	err    error
}

func (f *fake) Turn(ctx context.Context, session, text string) (*harness.Turn, error) {
	f.mu.Lock()
	f.heard = append(f.heard, session+": "+text)
	err := f.err
	f.mu.Unlock()
	if err != nil {
		return nil, err
	}
	t := &harness.Turn{ID: session + "-1", Session: session, Utterance: text, Reply: "Okay, <b> & done.", Outcome: harness.Spoke}
	if f.begun != nil {
		f.begun <- struct{}{}
	}
	if f.finish != nil {
		select {
		case <-f.finish:
		case <-ctx.Done():
			t.Outcome = harness.Halted
		}
	}
	return t, nil
}

func (f *fake) Stop(context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stops++
	if f.finish != nil {
		close(f.finish)
	}
	return f.err
}

func (f *fake) State() []api.Signal {
	return []api.Signal{{Name: "fan_speed", Value: vehicle.NumberOf(3), Quality: "ok"}, {Name: "gear", Quality: "unknown"}}
}

func (f *fake) Subscribe() (<-chan api.Event, func()) {
	return f.events, func() {
		if f.ended != nil {
			close(f.ended)
		}
	}
}

func (f *fake) Turns(n int) ([]*harness.Turn, error) {
	if f.err != nil {
		return nil, f.err
	}
	turns := []*harness.Turn{{ID: "default-2", Utterance: "second", Reply: "b"}, {ID: "default-1", Utterance: "first", Reply: "a"}}
	return turns[:min(n, len(turns))], nil
}

func (f *fake) PastTurn(id string) (*harness.Turn, error) {
	switch {
	case f.err != nil:
		return nil, f.err
	case id != "default-1":
		return nil, fmt.Errorf("%w: %s", api.ErrNoTurn, id)
	}
	return &harness.Turn{ID: id, Utterance: "first"}, nil
}

func (f *fake) Checks() []api.Check { return f.checks }

func (f *fake) Buses() []api.Bus { return []api.Bus{{Name: "body", State: "up", Restarts: 2}} }

func (f *fake) Metrics(b []byte) []byte { return append(b, "carguardd_up 1\n"...) }

// serve serves the daemon on a unix socket until the test ends.
func serve(t *testing.T, d api.Daemon) (socket string, end func() error) {
	t.Helper()
	socket = filepath.Join(t.TempDir(), "s")
	ln, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- api.Serve(ctx, ln, api.Handler(d)) }()
	end = sync.OnceValue(func() error { cancel(); return <-done })
	t.Cleanup(func() { end() })
	return socket, end
}

var errBroken = errors.New("the daemon is stopping")
