// SPDX-License-Identifier: Apache-2.0

package boundary

import (
	"errors"
	"sync"

	"github.com/carguardd/carguardd/vehicle"
)

// Stats are counters of a boundary since it was made.
type Stats struct {
	Refused  map[vehicle.Gate]uint64 `json:"refused"`   // commands refused, by gate
	Sent     map[string]uint64       `json:"sent"`      // frames and messages that left for commands, by bus
	Cyclic   map[string]uint64       `json:"cyclic"`    // frames that were said again or in their cycle, by bus
	Failed   map[string]uint64       `json:"failed"`    // writes that the bus did not take, by bus
	Retried  map[string]uint64       `json:"retried"`   // attempts after a full queue, by bus
	Stops    uint64                  `json:"stops"`     // stops asked for
	UnderWay int                     `json:"under_way"` // commands whose effect is not yet observed
	Held     int                     `json:"held"`      // commands that are being said again
	Released uint64                  `json:"released"`  // frames that said that nothing is asked any more
	Dropped  uint64                  `json:"dropped"`   // holds that a gate, a stop or the loss of the bus ended
	Skipped  uint64                  `json:"skipped"`   // cycles left out: the bus had its share of frames, or the rest of the frame was not known
}

type counters struct {
	mu                    sync.Mutex
	refused               map[vehicle.Gate]uint64
	sent, failed, retried map[string]uint64
	cyclic                map[string]uint64
	stops                 uint64
}

// Stats returns a copy of the counters.
func (b *Boundary) Stats() Stats {
	s := Stats{Refused: map[vehicle.Gate]uint64{}}
	b.count.mu.Lock()
	for g, n := range b.count.refused {
		s.Refused[g] = n
	}
	s.Sent, s.Failed, s.Retried = clone(b.count.sent), clone(b.count.failed), clone(b.count.retried)
	s.Cyclic, s.Stops = clone(b.count.cyclic), b.count.stops
	b.count.mu.Unlock()

	b.mu.Lock()
	defer b.mu.Unlock()
	s.Released, s.Dropped, s.Skipped = b.released, b.dropped, b.skipped
	for _, m := range b.messages {
		s.Held += len(m.held)
	}
	now := b.cfg.Clock.Mono()
	for _, f := range b.flights {
		if b.underWay(f, now) {
			s.UnderWay++
		}
	}
	return s
}

func clone(m map[string]uint64) map[string]uint64 {
	c := make(map[string]uint64, len(m))
	for k, v := range m {
		c[k] = v
	}
	return c
}

func (c *counters) add(m *map[string]uint64, bus string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if *m == nil {
		*m = map[string]uint64{}
	}
	(*m)[bus]++
}

// refuse counts a refusal, reports it and returns it.
func (b *Boundary) refuse(cmd Command, err error) error {
	var r *Refusal
	if !errors.As(err, &r) {
		return err
	}
	b.count.mu.Lock()
	if b.count.refused == nil {
		b.count.refused = map[vehicle.Gate]uint64{}
	}
	b.count.refused[r.Gate]++
	b.count.mu.Unlock()
	if b.cfg.Refused != nil {
		b.cfg.Refused(cmd, r)
	}
	return err
}
