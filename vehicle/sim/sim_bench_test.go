// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"testing"

	"github.com/carguardd/carguardd/canbus/dbc"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
)

func BenchmarkCallWrite(b *testing.B) {
	c := sim.NewInCar(nil)
	args := vehicle.MustJSON(`{"window":"ALL","percentage":20}`)
	b.ReportAllocs()
	for b.Loop() {
		c.Call("open_close_window", args)
	}
}

func BenchmarkCallRead(b *testing.B) {
	c := sim.NewInCar(nil)
	b.ReportAllocs()
	for b.Loop() {
		c.Call("get_climate_settings", vehicle.ObjectOf())
	}
}

func BenchmarkReplay(b *testing.B) {
	data, tasks, runs := load(b)
	b.ReportAllocs()
	for b.Loop() {
		for i := range runs {
			if _, _, err := sim.Replay(tasks[runs[i].Task], data, &runs[i]); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkCommand is one command frame and the status frame that answers it.
func BenchmarkCommand(b *testing.B) {
	r := newRig(b, true)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n = (n + 1) % 100
		r.send("ShutterCommand", dbc.Set("LeftTarget", float64(n)))
	}
}
