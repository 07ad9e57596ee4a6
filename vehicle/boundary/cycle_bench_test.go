// SPDX-License-Identifier: Apache-2.0

package boundary_test

import (
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/dbc"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/boundary"
)

// One operation is one cycle of 20 ms, on the machine's clock. The metrics are
// by how much of a cycle the gaps between frames differ from it: a tenth is the
// aim on an idle machine.
func BenchmarkCycleJitter(b *testing.B) {
	const cycle = 20 * time.Millisecond
	db, err := dbc.Parse("jitter.dbc", []byte(`BU_: HU BCM
BO_ 1 Wiper: 1 HU
 SG_ Target : 0|8@1+ (1,0) [0|100] "" BCM
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 10000;
BA_ "GenMsgCycleTime" BO_ 1 20;
`), dbc.Options{})
	if err != nil {
		b.Fatal(err)
	}
	p := vehicle.NewProfile(vehicle.Profile{Name: "jitter", Buses: []vehicle.Bus{{Name: "body", DB: db}}, Limits: vehicle.Limits{BusLoad: 400},
		Signals: []*vehicle.Signal{{Name: "wiper", Type: vehicle.TypeInteger, Max: 100, Command: &vehicle.Binding{Bus: "body", Message: "Wiper", Signal: "Target", Idle: "255"}}}})
	clock := vehicle.NewSystemClock()
	x := &canbus.Exchange{Sync: true}
	var mu sync.Mutex
	var at []time.Time
	enough := make(chan struct{})
	x.Join("body").Subscribe(func(canbus.Event) {
		mu.Lock()
		defer mu.Unlock()
		if at = append(at, time.Now()); len(at) == b.N+2 {
			close(enough)
		}
	})
	bd, err := boundary.New(boundary.Config{Live: vehicle.NewLive(p, clock), Clock: clock, Buses: map[string]boundary.Bus{"body": x.Join("body")}})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	<-enough
	bd.Close()
	mu.Lock()
	defer mu.Unlock()
	off := make([]float64, 0, b.N)
	for i := range b.N {
		off = append(off, 100*math.Abs(float64(at[i+1].Sub(at[i])-cycle))/float64(cycle))
	}
	slices.Sort(off)
	b.ReportMetric(off[len(off)/2], "%median")
	b.ReportMetric(off[len(off)*99/100], "%p99")
}
