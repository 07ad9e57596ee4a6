// SPDX-License-Identifier: Apache-2.0

package vehicle_test

import (
	"testing"

	"github.com/carguardd/carguardd/vehicle"
)

// One operation is one frame of eight signals: 8,000 frames/s on a tenth of a
// core leave 12.5 µs for each.
func BenchmarkLiveObserveFrame(b *testing.B) {
	p := vehicle.Profile{}
	for i := range 80 {
		p.Signals = append(p.Signals, &vehicle.Signal{Name: string(rune('A' + i)), Type: vehicle.TypeNumber, Max: 255})
	}
	l := vehicle.NewLive(vehicle.NewProfile(p), vehicle.NewSystemClock())
	w := l.Watch()
	defer w.Close()
	rs := make([]vehicle.Reading, 8)
	b.ReportAllocs()
	for i := range b.N {
		for j := range rs {
			rs[j] = vehicle.Reading{Signal: vehicle.SignalID(i%10*8 + j), Value: vehicle.NumberOf(float64(i & 255))}
		}
		l.ObserveAll(epoch, vehicle.Source{Bus: "body"}, rs...)
	}
}

func BenchmarkLiveSnapshot(b *testing.B) {
	p := vehicle.Profile{}
	for i := range 80 {
		p.Signals = append(p.Signals, &vehicle.Signal{Name: string(rune('A' + i)), Type: vehicle.TypeNumber, Max: 255})
	}
	l := vehicle.NewLive(vehicle.NewProfile(p), vehicle.NewSystemClock())
	var st vehicle.State
	b.ReportAllocs()
	for b.Loop() {
		st = l.Snapshot(st)
	}
}
