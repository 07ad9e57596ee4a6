// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"math"
	"sync"
	"time"

	"github.com/carguardd/carguardd/canbus"
)

// Source says where an observation came from.
type Source struct {
	Bus   string       // CAN bus name, mqtt, or the service that says it
	Frame canbus.Frame // the frame, on a CAN bus
	Text  string       // topic and payload, elsewhere
}

// String is the frame in candump form, or the text.
func (s Source) String() string {
	if s.Text != "" || s.Frame == (canbus.Frame{}) {
		return s.Text
	}
	return s.Frame.String()
}

// Reading is a value seen for a signal.
type Reading struct {
	Signal SignalID
	Value  Value
}

// Observation is the latest that was seen of a signal.
type Observation struct {
	Signal SignalID
	Value  Value     // what was seen, also when it is stale; unknown when it was invalid
	At     time.Time // wall clock when it came, for people
	Source Source
	Count  uint64        // observations of the signal so far; 0: never seen
	Mono   time.Duration // when it came, on the live state's clock
	Age    time.Duration // since it came
	Still  time.Duration // since the value last changed to another, or was first seen
	Moved  bool          // it did change since it was first seen
	Fresh  bool          // seen, its source not lost, and no older than the signal allows
	Lost   bool          // its source was lost since
	// Recalled: it was kept by somebody since an unknown time, see [Live.Recall];
	// Mono is before all else then, and Age beyond every limit.
	Recalled bool
}

// ago says when the value came, for people.
func (o Observation) ago() string {
	if o.Recalled {
		return "at an unknown time"
	}
	return o.Age.Round(time.Millisecond).String() + " ago"
}

// Known returns the value if it is fresh, else unknown.
func (o Observation) Known() Value {
	if !o.Fresh {
		return Value{}
	}
	return o.Value
}

// Live is what has been observed of every signal of a car. A value that the
// signal cannot have is kept as unknown, never moved to the nearest possible
// one. Freshness is judged by monotonic time alone. All methods may be called
// concurrently.
type Live struct {
	profile *Profile
	clock   Clock

	mu      sync.Mutex // guards everything that follows
	slots   []slot
	watches []*Watch
	stats   LiveStats
}

// LiveStats are counters of a live state since it was made.
type LiveStats struct {
	Observed uint64 `json:"observed"` // values taken in
	Invalid  uint64 `json:"invalid"`  // of these, values that the signal cannot have
	Lost     uint64 `json:"lost"`     // signals made stale because their source was lost
}

type slot struct {
	value   Value
	known   Value // the last value that was not unknown
	source  Source
	at      time.Time
	mono    time.Duration
	changed time.Duration
	moved   bool
	count   uint64
	fresh   time.Duration // 0: never stale
	lost    bool
	recall  bool
}

// NewLive returns the state of a car of which nothing has been observed.
func NewLive(p *Profile, c Clock) *Live {
	l := &Live{profile: p, clock: c, slots: make([]slot, len(p.Signals))}
	for i, s := range p.Signals {
		l.slots[i].fresh = s.Fresh
	}
	return l
}

// Profile returns the profile whose signals are observed.
func (l *Live) Profile() *Profile { return l.profile }

// SetFresh sets how old a value of the signal may be, for a signal that does
// not declare it itself; 0 is for ever.
func (l *Live) SetFresh(id SignalID, d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.profile.Signals[id].Fresh == 0 {
		l.slots[id].fresh = d
	}
}

// Observe takes in one value. The age of the value counts from this call, on
// the monotonic clock; at is only remembered.
func (l *Live) Observe(id SignalID, v Value, at time.Time, src Source) {
	l.ObserveAll(at, src, Reading{id, v})
}

// ObserveAll takes in what one frame or message says, as one change.
func (l *Live) ObserveAll(at time.Time, src Source, rs ...Reading) {
	l.take(false, at, src, rs...)
}

// Recall takes in a value that somebody has kept, nobody knows since when: a
// retained message. A signal whose values never get stale has it from now on;
// for any other, and as the answer to a command, it is too old.
func (l *Live) Recall(id SignalID, v Value, at time.Time, src Source) {
	l.take(true, at, src, Reading{id, v})
}

func (l *Live) take(recall bool, at time.Time, src Source, rs ...Reading) {
	mono := l.clock.Mono()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range rs {
		l.observe(r, at, mono, &src)
		if s := &l.slots[r.Signal]; recall {
			s.mono, s.recall = longAgo, true
		}
	}
}

// longAgo is older than any limit of age, and as far from the ends of its type.
const longAgo time.Duration = math.MinInt64 / 2

// observe stores one reading that came at mono. l.mu is held.
func (l *Live) observe(r Reading, at time.Time, mono time.Duration, src *Source) {
	s := &l.slots[r.Signal]
	l.stats.Observed++
	v := r.Value
	if v.kind != Unknown && l.profile.Signals[r.Signal].Check(v) != nil {
		v = Value{}
		l.stats.Invalid++
	}
	change := s.count == 0 || s.lost || !s.value.Equal(v)
	if s.count == 0 {
		s.changed = mono
	}
	if v.kind != Unknown {
		if s.known.kind != Unknown && !s.known.Equal(v) {
			s.changed, s.moved = mono, true
		}
		s.known = v
	}
	s.value, s.source, s.at, s.mono, s.lost, s.recall = v, *src, at, mono, false, false
	s.count++
	l.tell(r.Signal, change)
}

// Lose makes signals stale at once, because nobody can be heard any more who
// would say that they changed. The next observation makes them fresh again.
func (l *Live) Lose(ids ...SignalID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, id := range ids {
		if s := &l.slots[id]; s.count > 0 && !s.lost {
			s.lost = true
			l.stats.Lost++
			l.tell(id, true)
		}
	}
}

// Get returns the latest observation of the signal, stale or not.
func (l *Live) Get(id SignalID) Observation {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.get(id, l.clock.Mono())
}

// get returns an observation as of now. l.mu is held.
func (l *Live) get(id SignalID, now time.Duration) Observation {
	s := &l.slots[id]
	o := Observation{Signal: id, Value: s.value, At: s.at, Source: s.source, Count: s.count, Mono: s.mono}
	if s.count > 0 {
		// An observation may be stored between reading the clock and here.
		o.Age, o.Still = max(0, now-s.mono), max(0, now-s.changed)
		o.Lost, o.Moved, o.Recalled = s.lost, s.moved, s.recall
		o.Fresh = !s.lost && (s.fresh == 0 || o.Age <= s.fresh)
	}
	return o
}

// Value returns the signal's value, unknown when it is stale.
func (l *Live) Value(id SignalID) Value { return l.Get(id).Known() }

// Snapshot writes the value of every signal into dst, growing it as needed,
// and returns it; stale values are unknown. All are of one moment.
func (l *Live) Snapshot(dst State) State {
	if cap(dst) < len(l.slots) {
		dst = NewState(len(l.slots))
	}
	dst = dst[:len(l.slots)]
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock.Mono()
	for i := range l.slots {
		s := &l.slots[i]
		dst[i] = Value{}
		if s.count > 0 && !s.lost && (s.fresh == 0 || now-s.mono <= s.fresh) {
			dst[i] = s.value
		}
	}
	return dst
}

// Stats returns the counters.
func (l *Live) Stats() LiveStats {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stats
}
