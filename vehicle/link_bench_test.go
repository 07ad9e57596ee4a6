// SPDX-License-Identifier: Apache-2.0

package vehicle_test

import (
	"os"
	"testing"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/e2e"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

// One operation is one received frame, decoded and taken into the live state:
// 8,000 of them a second on a tenth of a core leave 12.5 µs for each.
func BenchmarkReceive(b *testing.B) {
	p := vehicletest.Profile()
	live := vehicle.NewLive(p, vehicle.NewSystemClock())
	link, err := vehicle.NewCANLink(live, "body", p.Databases()["body"], nil)
	if err != nil {
		b.Fatal(err)
	}
	w := live.Watch()
	defer w.Close()
	events := make([]canbus.Event, 0, 4)
	for _, s := range []string{"101#0A1401", "111#1300", "200#2A000400", "7FF#00"} {
		events = append(events, canbus.Event{Kind: canbus.FrameEvent, Frame: parseFrame(b, s)})
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		e := events[i%len(events)]
		e.Frame.Data[0] = byte(i % 100)
		link.Handle(e)
	}
}

// The same with a message that is protected end to end.
func BenchmarkReceiveProtected(b *testing.B) {
	p, err := vehicle.Load(os.DirFS("sim/testdata/protected"), "profile.yaml")
	if err != nil {
		b.Fatal(err)
	}
	live := vehicle.NewLive(p, vehicle.NewSystemClock())
	link, err := vehicle.NewCANLink(live, "body", p.Databases()["body"], nil)
	if err != nil {
		b.Fatal(err)
	}
	m, _ := p.Databases()["body"].Message("WindowStatus")
	s := e2e.NewSender(p.Protection("body", m.Key).Algorithm)
	events := make([]canbus.Event, 16)
	for i := range events {
		f := m.Blank()
		f.Data[2] = byte(i)
		f, _ = s.Protect(f)
		events[i] = canbus.Event{Kind: canbus.FrameEvent, Frame: f}
	}
	b.ReportAllocs()
	n := 0
	for ; b.Loop(); n++ {
		link.Handle(events[n%len(events)])
	}
	if got := link.Protection()[0].Frames; n > 2 && got.Good < uint64(n-1) {
		b.Fatalf("of %d frames: %+v", n, got)
	}
}
