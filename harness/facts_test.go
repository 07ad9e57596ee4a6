// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"testing"
	"time"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// A live signal is an observation where no offered read would be one. Where a
// read is offered it is made, and the live signal corrects it from then on.
func TestLiveSignals(t *testing.T) {
	p, err := vehicle.Load(testdata.FS, testdata.DemoEV)
	if err != nil {
		t.Fatal(err)
	}
	fan := p.Signal("fan_speed").ID
	live := vehicle.NewState(len(p.Signals))
	live[fan] = vehicle.NumberOf(3)
	for _, tc := range []struct {
		name  string
		tools []*vehicle.Tool
		read  bool
		want  rules.Why
	}{
		{"a read is offered", nil, false, rules.Unread},
		{"it was made", nil, true, rules.Observed},
		{"no read is offered", []*vehicle.Tool{p.Tool("set_fan_speed")}, false, rules.Observed},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFacts(vehicle.NewCatalog(p, tc.tools...))
			if tc.read {
				f.record(vehicle.Call{ID: "r", Tool: "get_climate_settings"}, vehicle.Result{CallID: "r", Status: vehicle.Done, Value: vehicle.MustJSON(`{"fan_speed":1}`)}, 1)
			}
			f.sync(live, time.Time{})
			got := f.fact(fan)
			if got.Why != tc.want || got.Known() && !got.Value.Equal(live[fan]) {
				t.Errorf("got %+v", got)
			}
		})
	}
}
