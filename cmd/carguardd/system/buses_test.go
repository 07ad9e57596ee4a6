// SPDX-License-Identifier: Apache-2.0

package system

import (
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/canbus"
)

// What a bus goes through is in the state, in the line of its part and in the
// metrics.
func TestBusesTellWhatTheyWentThrough(t *testing.T) {
	x := &canbus.Exchange{Sync: true}
	s := bareOn(t, x)
	other := x.Join("body")
	for _, l := range []canbus.LinkState{canbus.LinkWarning, canbus.LinkBusOff, canbus.LinkUp, canbus.LinkBusOff, canbus.LinkWarning} {
		x.SetLink("body", canbus.Link{State: l, Cause: "a fault", TxErrors: 97})
	}
	f, _ := canbus.ParseFrame("320#0000000000000000")
	if err := other.Send(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); s.Buses()[0].Received == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nothing was received")
		}
	}
	b := s.Buses()[0]
	if b.Name != "body" || b.State != "warning" || b.Cause != "a fault" || b.TxErrors != 97 || b.BusOffs != 2 || b.Restarts != 2 || b.Received != 1 {
		t.Errorf("told %+v", b)
	}
	if other := s.Buses()[1]; other.Name != "powertrain" || other.State != "up" || other.BusOffs != 0 {
		t.Errorf("told %+v", other)
	}
	var detail string
	for _, c := range s.Checks() {
		if c.Name == "bus body" {
			detail = c.Detail
		}
	}
	if detail != "warning: a fault, 2 × bus-off, 2 × restarted" {
		t.Errorf("the part is %q", detail)
	}
	metrics := string(s.Metrics(nil))
	for _, want := range []string{`carguardd_can_bus_offs_total{bus="body"} 2`, `carguardd_can_restarts_total{bus="body"} 2`,
		`carguardd_can_link{bus="body",state="warning"} 1`, `carguardd_can_frames_total{bus="body",dir="rx"} 1`} {
		if !strings.Contains(metrics, want+"\n") {
			t.Errorf("the metrics have no %s", want)
		}
	}
}
