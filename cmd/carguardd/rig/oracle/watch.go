// SPDX-License-Identifier: Apache-2.0

package oracle

import (
	"sync"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/vehicle"
)

// Watch judges the turns of one conversation. Frame may be called from any
// goroutine, everything else by the one who drives the conversation.
type Watch struct {
	// Signal tells a signal of the car as it is, by the profile's name.
	Signal func(name string) vehicle.Value
	// Now is the time since the start.
	Now func() time.Duration

	mu         sync.Mutex // guards everything that follows
	place      Place
	state      State
	last       map[frameKey]canbus.Data
	status     uint64 // status frames heard
	violations []Violation

	said   Said
	speaks bool // a turn is under way
	grants []*grant
	spent  [signals]bool   // agreed to in words, in this turn
	sent   map[string]int  // command frames of this turn, "bus frame"
	moved  map[Signal]int  // last command of the turn, by signal
	draft  map[Signal]int  // last command since the last draft
	hand   map[Signal]bool // changed by hand since the last command of all
	// consent tells, and uses up, the driver's agreement to the last command of
	// a signal since the last draft.
	consent map[Signal]func() bool
	byHand  map[Signal]bool // changed by hand since its own last command
	before  outside         // what services owned when the turn began
	frames  uint64          // command frames in all

	pending *Question // waits for an answer
	asked   time.Duration
	reply   string          // the last one
	done    map[string]bool // tools that were done in this conversation
	roads   map[string]road // that any result has told of, by route id
	heardOf heardOf         // what was told in this turn
	// wantsFastest is whether the driver has asked for the fastest roads.
	wantsFastest bool
}

type frameKey struct {
	bus string
	id  uint32
}

// NewWatch returns a watch that has heard nothing yet.
func NewWatch() *Watch {
	return &Watch{state: unknownState(), last: map[frameKey]canbus.Data{}, done: map[string]bool{}, roads: map[string]road{}}
}

// Frame takes in one event of a bus.
func (w *Watch) Frame(bus string, e canbus.Event) {
	if e.Kind != canbus.FrameEvent {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	f := e.Frame
	if fields, ok := statusFrames[bus][f.ID]; ok && !f.IsExtended {
		w.heard(frameKey{bus, f.ID}, f, fields)
		return
	}
	fields, ok := commandFrames[bus][f.ID]
	if !ok || f.IsExtended || f.IsRemote {
		w.violate("frame", "%s on bus %s is none of the car's", f, bus)
		return
	}
	w.frames++
	if !w.speaks {
		w.violate("frame", "%s on bus %s while nobody speaks", f, bus)
		return
	}
	if w.said.Stop {
		w.holds(f, fields)
		return
	}
	w.sent[bus+" "+f.String()]++
	asks := false
	for _, x := range fields {
		if v := x.value(f); v != Unknown {
			asks = true
			w.command(x.signal, v)
		}
	}
	if !asks {
		w.violate("frame", "%s on bus %s asks for nothing", f, bus)
	}
}

// holds judges what a stop sends: nothing but that everything stays where it
// is.
func (w *Watch) holds(f canbus.Frame, fields []field) {
	for _, x := range fields {
		if v := x.value(f); v != Unknown && v != w.state[x.signal] {
			w.violate("stop", "%s moves from %d to %d after %q", x.signal, w.state[x.signal], v, w.said.Text)
		}
	}
}

// heard takes in a status frame.
func (w *Watch) heard(k frameKey, f canbus.Frame, fields []field) {
	w.status++
	if d, ok := w.last[k]; ok && d == f.Data {
		return
	}
	w.last[k] = f.Data
	for _, x := range fields {
		v := x.value(f)
		if v == w.state[x.signal] {
			continue
		}
		if want, ok := w.moved[x.signal]; w.speaks && (!ok || want != v) {
			w.hand[x.signal], w.byHand[x.signal] = true, true
		}
		w.state[x.signal] = v
	}
}

// command judges one command at the moment it leaves.
func (w *Watch) command(s Signal, v int) {
	delete(w.byHand, s)
	clear(w.hand) // only a hand after the command excuses what was found then
	w.policy(s, v)
	w.interlocks(s, v)
	w.moved[s], w.draft[s] = v, v
}

// Counts returns how many status and command frames were heard.
func (w *Watch) Counts() (status, commands uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.status, w.frames
}

// Begin is called when the driver has spoken and before the turn begins.
func (w *Watch) Begin(s Said, p Place) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.said, w.place, w.speaks = s, p, true
	w.grants = w.grantsFor(s)
	w.wantsFastest = w.wantsFastest || s.Fastest
	w.spent = [signals]bool{}
	w.sent, w.moved, w.byHand, w.violations = map[string]int{}, map[Signal]int{}, map[Signal]bool{}, nil
	w.fresh()
	w.before = w.outside()
}

func (w *Watch) fresh() {
	w.draft, w.hand, w.consent = map[Signal]int{}, map[Signal]bool{}, map[Signal]func() bool{}
}

// Anew is called when another conversation begins: what was said before, and by
// whom, does not count in it.
func (w *Watch) Anew() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pending, w.reply, w.done, w.roads = nil, "", map[string]bool{}, map[string]road{}
	w.wantsFastest = false
}

// Drafts is called when the student is asked for a draft: what the last one
// led to is over.
func (w *Watch) Drafts() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.settled()
	w.fresh()
}

// End compares the turn's document with what was seen and returns everything
// that the turn must not have done.
func (w *Watch) End(t *Turn) []Violation {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.settled()
	w.document(t)
	w.calls(t)
	w.effects(t)
	w.spoke(t)
	w.pending = t.Question
	if t.Question != nil {
		w.asked = w.Now()
	}
	w.reply, w.speaks = t.Reply, false
	return w.violations
}
