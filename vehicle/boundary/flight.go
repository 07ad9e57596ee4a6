// SPDX-License-Identifier: Apache-2.0

package boundary

import (
	"time"

	"github.com/carguardd/carguardd/vehicle"
)

// flight is the last command of a signal that left, or may have.
type flight struct {
	sig   *vehicle.Signal
	value vehicle.Value
	call  string
	sent  time.Duration // monotonic
	until time.Duration // the effect is overdue
	wait  time.Duration // how long after the write that is
	ended bool          // nobody waits for it any more
}

// launch notes that a command is leaving. b.mu is held.
func (b *Boundary) launch(w *write) *flight {
	settle := w.sig.Settle
	if settle <= 0 {
		settle = vehicle.DefaultSettle
	}
	f := &flight{sig: w.sig, value: w.cmd.Value, call: w.cmd.Call, sent: w.now, until: w.now + settle, wait: settle}
	b.flights[w.cmd.Signal] = f
	return f
}

// underWay reports whether the command still has its signal for itself.
func (b *Boundary) underWay(f *flight, now time.Duration) bool {
	return !f.ended && now < f.until && !b.arrived(f)
}

// arrived reports whether the target was observed after the command left.
func (b *Boundary) arrived(f *flight) bool {
	o := b.cfg.Live.Get(f.sig.ID)
	return o.Fresh && o.Mono >= f.sent && f.sig.Reached(o.Value, f.value)
}

// landed counts the time for the effect from the end of the write.
func (b *Boundary) landed(flights []*flight) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range flights {
		f.until = b.cfg.Clock.Mono() + f.wait
	}
}

// end says that nobody waits for the flights.
func (b *Boundary) end(flights []*flight) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range flights {
		f.ended = true
		b.ease(f)
	}
}
