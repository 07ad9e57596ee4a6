// SPDX-License-Identifier: Apache-2.0

package system

import (
	"fmt"
	"testing"
	"time"

	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

// Room for one more conversation is made where it costs least.
func TestMakeRoom(t *testing.T) {
	const now = time.Hour
	idle := func(since time.Duration) *conversation { return &conversation{moved: now - since} }
	asked := func(since time.Duration) *conversation { return &conversation{moved: now - since, asked: true} }
	busy := func(since time.Duration) *conversation { return &conversation{moved: now - since, running: 1} }
	tests := []struct {
		name string
		have []*conversation
		want int // which one is ended; -1: none
	}{
		{"idle longest", []*conversation{idle(5 * time.Minute), idle(7 * time.Minute), idle(time.Minute)}, 1},
		{"a turn runs", []*conversation{busy(50 * time.Minute), idle(time.Second)}, 1},
		{"a question waits", []*conversation{asked(time.Minute), idle(time.Second)}, 1},
		{"a question has lapsed", []*conversation{asked(time.Minute), busy(0), asked(3 * time.Minute), asked(4 * time.Minute)}, 3},
		{"idle goes before lapsed", []*conversation{asked(40 * time.Minute), idle(time.Second), asked(50 * time.Minute)}, 1},
		{"none", []*conversation{asked(time.Minute), busy(time.Minute)}, -1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			clock := vehicletest.NewClock(time.Unix(0, 0))
			clock.Advance(now)
			s := &System{o: Options{Clock: clock}, sessions: map[string]*conversation{}}
			for i, c := range test.have {
				c.of = &Settings{}
				s.sessions[fmt.Sprint(i)] = c
			}
			if got := s.makeRoom(); got != (test.want >= 0) {
				t.Errorf("made room: %t", got)
			}
			for i := range test.have {
				if _, there := s.sessions[fmt.Sprint(i)]; there == (i == test.want) {
					t.Errorf("conversation %d is there: %t", i, there)
				}
			}
		})
	}
}
