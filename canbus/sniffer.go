// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// Sniffer keeps a table of what was seen on one or several buses: how often each
// identifier came and which bits ever changed. It may be used from any goroutine.
type Sniffer struct {
	mu   sync.Mutex
	seen map[sniffKey]*Seen
}

type sniffKey struct {
	bus string
	key Key
}

// Seen is one row of the table.
type Seen struct {
	Bus     string    `json:"bus"`
	Key     Key       `json:"key"`
	Count   uint64    `json:"count"`
	First   time.Time `json:"first"` // Event.Time
	Last    time.Time `json:"last"`
	Frame   Frame     `json:"frame"`   // the latest
	Changed Data      `json:"changed"` // bits that differed between any two frames in sequence
}

// Period is the mean time between two frames, 0 with less than two.
func (s Seen) Period() time.Duration {
	if s.Count < 2 {
		return 0
	}
	return s.Last.Sub(s.First) / time.Duration(s.Count-1)
}

// Observe takes one event of the named bus; link events are ignored.
func (s *Sniffer) Observe(bus string, ev Event) {
	if ev.Kind != FrameEvent {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	k := sniffKey{bus, ev.Frame.Key()}
	row, ok := s.seen[k]
	if !ok {
		if s.seen == nil {
			s.seen = map[sniffKey]*Seen{}
		}
		row = &Seen{Bus: bus, Key: k.key, First: ev.Time, Frame: ev.Frame}
		s.seen[k] = row
	}
	for i := range row.Changed {
		row.Changed[i] |= row.Frame.Data[i] ^ ev.Frame.Data[i]
	}
	row.Count, row.Last, row.Frame = row.Count+1, ev.Time, ev.Frame
}

// Table returns the rows by bus and identifier, standard before extended.
func (s *Sniffer) Table() []Seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	rows := make([]Seen, 0, len(s.seen))
	for _, row := range s.seen {
		rows = append(rows, *row)
	}
	slices.SortFunc(rows, func(a, b Seen) int { return cmp.Or(cmp.Compare(a.Bus, b.Bus), cmp.Compare(a.Key, b.Key)) })
	return rows
}
