// SPDX-License-Identifier: Apache-2.0

package vehicle_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

// One mapping, two uses: after any calls that are Done the car is where
// projection says, signal by signal; a call that is not Done leaves every
// signal alone that it may not touch.
func TestActuationIsProjection(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		percent, level := rapid.IntRange(0, 100), rapid.IntRange(0, 7)
		calls := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) vehicle.Call {
			var tool, args string
			switch rapid.IntRange(0, 6).Draw(t, "tool") {
			case 0:
				tool, args = "open_close_window", fmt.Sprintf(`{"window":%q,"percentage":%d}`, rapid.SampledFrom([]string{"ALL", "DRIVER", "PASSENGER"}).Draw(t, "window"), percent.Draw(t, "to"))
			case 1:
				tool, args = "set_climate", fmt.Sprintf(`{"level":%d,"on":%v}`, level.Draw(t, "level"), rapid.Bool().Draw(t, "on"))
			case 2:
				tool, args = "open_close_sunshade", fmt.Sprintf(`{"percentage":%d}`, percent.Draw(t, "to"))
			case 3:
				tool, args = "open_close_sunroof", fmt.Sprintf(`{"percentage":%d}`, percent.Draw(t, "to"))
			case 4:
				tool, args = "open_roof", fmt.Sprintf(`{"percentage":%d}`, percent.Draw(t, "to"))
			case 5:
				tool, args = "open_close_trunk_door", fmt.Sprintf(`{"action":%q}`, rapid.SampledFrom([]string{"OPEN", "CLOSE"}).Draw(t, "action"))
			default:
				tool, args = "set_ambient_light", fmt.Sprintf(`{"color":%q}`, rapid.SampledFrom([]string{"OFF", "RED", "BLUE"}).Draw(t, "color"))
			}
			return vehicle.Call{ID: "c", Tool: tool, Args: vehicle.MustJSON(args)}
		}), 1, 8).Draw(rt, "calls")
		synctest.Test(t, func(t *testing.T) {
			b := vehicletest.NewBench(vehicle.NewSystemClock())
			defer b.Close()
			time.Sleep(2 * time.Second)
			for _, c := range calls {
				want := b.Live.Snapshot(nil)
				as, err := b.Profile.Tool(c.Tool).Effects(c.Args, nil)
				if err != nil {
					t.Fatal(err)
				}
				r := b.Executor.Do(t.Context(), c)
				time.Sleep(300 * time.Millisecond)
				got := b.Live.Snapshot(nil)
				want.Apply(as)
				touched := map[vehicle.SignalID]bool{}
				for _, a := range as {
					touched[a.Signal] = true
				}
				for id, s := range b.Profile.Signals {
					if touched[vehicle.SignalID(id)] && r.Status != vehicle.Done {
						continue
					}
					if !got[id].Equal(want[id]) && !s.Reached(got[id], want[id]) {
						t.Fatalf("after %s %s (%s %s) %s is %v, projected %v", c.Tool, c.Args.Canonical(), r.Status, r.Reason, s.Name, got[id], want[id])
					}
				}
			}
		})
	})
}
