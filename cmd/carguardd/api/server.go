// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// Daemon is what the API speaks to. Its methods may be called at the same
// time by many requests.
type Daemon interface {
	// Turn runs one utterance of a session and returns its document. Turns of
	// one session run one after the other. The error says why no turn could
	// begin at all: a session name that is not allowed, a daemon that stops.
	Turn(ctx context.Context, session, text string) (*harness.Turn, error)
	// Stop ends every movement. It never waits for a turn.
	Stop(ctx context.Context) error
	// State returns every signal as observed now.
	State() []Signal
	// Subscribe returns events from now on, and a function that ends them. A
	// subscriber that does not keep up loses the oldest.
	Subscribe() (<-chan Event, func())
	// Turns returns the newest n closed turns that were kept, newest first.
	Turns(n int) ([]*harness.Turn, error)
	// PastTurn returns a closed turn; the error matches [ErrNoTurn] when there
	// is none of that id.
	PastTurn(id string) (*harness.Turn, error)
	// Checks are the daemon's parts with what is wrong with them.
	Checks() []Check
	// Buses are the CAN buses with their state and counters.
	Buses() []Bus
	// Metrics appends the metrics in the Prometheus text format.
	Metrics(dst []byte) []byte
}

// Signal is one observed signal.
type Signal struct {
	Name    string        `json:"name"`
	VSS     string        `json:"vss,omitempty"`
	Value   vehicle.Value `json:"v"`
	Unit    vehicle.Unit  `json:"unit,omitempty"`
	At      *time.Time    `json:"ts,omitempty"`
	Quality string        `json:"q"` // ok, stale, unknown
}

// Bus is one CAN bus. All numbers count from when it was opened.
type Bus struct {
	Name     string `json:"name"`
	State    string `json:"state"` // up, warning, passive, bus-off, down, …
	Cause    string `json:"cause,omitempty"`
	TxErrors uint8  `json:"tx_errors"` // transmit error counter of the controller, now
	RxErrors uint8  `json:"rx_errors"` // receive error counter of the controller, now

	Received    uint64 `json:"received"`
	Sent        uint64 `json:"sent"`
	SendErrors  uint64 `json:"send_errors"`  // refused or failed
	Dropped     uint64 `json:"dropped"`      // lost because the receiver was too slow
	ErrorFrames uint64 `json:"error_frames"` // of the controller
	BusOffs     uint64 `json:"bus_offs"`     // times it left the bus
	Restarts    uint64 `json:"restarts"`     // times it came back
	Redials     uint64 `json:"redials"`      // times interface, adapter or peer came back
	Unsupported uint64 `json:"unsupported"`  // CAN FD, and malformed input

	Protected []vehicle.ProtectionState `json:"protected,omitempty"` // messages that are protected end to end
}

// Event is one thing that happened. Data is sent as JSON.
type Event struct {
	Kind string // check, result, turn, health
	Data any
}

// Check is one part of the daemon. A degraded part does not make the daemon
// unready, a failed one does.
type Check struct {
	Name   string `json:"name"`
	State  string `json:"state"` // ok, degraded, failed
	Detail string `json:"detail,omitempty"`
}

// The states of a check.
const (
	OK       = "ok"
	Degraded = "degraded"
	Failed   = "failed"
)

// maxBody bounds a request. An utterance is a sentence.
const maxBody = 64 << 10

// Handler serves the API for a daemon.
func Handler(d Daemon) http.Handler {
	h := &handler{d}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/turns", h.turn)
	mux.HandleFunc("GET /v1/turns", h.turns)
	mux.HandleFunc("GET /v1/turns/{id}", h.pastTurn)
	mux.HandleFunc("GET /v1/state", h.state)
	mux.HandleFunc("GET /v1/events", h.events)
	mux.HandleFunc("POST /v1/stop", h.stop)
	mux.HandleFunc("GET /v1/bundle", h.bundleStatus)
	mux.HandleFunc("GET /v1/bundle/history", h.bundleHistory)
	mux.HandleFunc("POST /v1/bundle/install", h.changeBundle(installBundle))
	mux.HandleFunc("POST /v1/bundle/pin", h.changeBundle(pinBundle))
	mux.HandleFunc("POST /v1/bundle/unpin", h.changeBundle(unpinBundle))
	mux.HandleFunc("POST /v1/bundle/rollback", h.changeBundle(rollBackBundle))
	mux.HandleFunc("GET /healthz", h.healthz)
	mux.HandleFunc("GET /readyz", h.readyz)
	mux.HandleFunc("GET /metrics", h.metrics)
	return refuseUnknown(mux)
}

type handler struct{ d Daemon }

// Serve answers on the listener until ctx ends, then lets running requests
// finish for at most two seconds.
func Serve(ctx context.Context, ln net.Listener, h http.Handler) error {
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, MaxHeaderBytes: 16 << 10, ConnContext: withConn,
		BaseContext: func(net.Listener) context.Context { return ctx }}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(ln) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	err := srv.Shutdown(grace)
	if errors.Is(err, context.DeadlineExceeded) {
		err = srv.Close()
	}
	<-failed
	return err
}
