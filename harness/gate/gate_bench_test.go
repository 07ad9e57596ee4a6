// SPDX-License-Identifier: Apache-2.0

package gate_test

import (
	"fmt"
	"testing"

	"github.com/carguardd/carguardd/harness/gate"
)

// BenchmarkPropose is one proposed call at the boundary, from its line to its
// verdict, with everything read.
func BenchmarkPropose(b *testing.B) {
	for _, bm := range []struct{ name, tool, args, want string }{
		{"read", "get_climate_settings", `{}`, "allow"},
		{"allowed", "set_fan_speed", `{"level":2}`, "allow"},
		{"rejected by schema", "set_fan_speed", `{"level":9}`, "reject"},
		{"rejected by rule", "set_air_conditioning", `{"on":true}`, "reject"},
	} {
		b.Run(bm.name, func(b *testing.B) {
			c, err := gate.NewConversation(inCar(b))
			if err != nil {
				b.Fatal(err)
			}
			take := func(line string) gate.Answer {
				e, err := gate.Parse([]byte(line))
				if err != nil {
					b.Fatal(err)
				}
				return c.Take(e)
			}
			take(`{"type":"user","text":"set the fan to level 2 and turn on the air conditioning"}`)
			take(`{"type":"result","tool":"get_vehicle_window_positions","value":{"window_driver_position":0,"window_passenger_position":60,"window_driver_rear_position":0,"window_passenger_rear_position":0}}`)
			take(`{"type":"result","tool":"get_climate_settings","value":{"fan_speed":1,"air_conditioning":false}}`)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				id := fmt.Sprintf("c%d", i)
				a := take(`{"type":"propose","id":"` + id + `","tool":"` + bm.tool + `","arguments":` + bm.args + `}`)
				if len(a.Verdicts) != 1 || string(a.Verdicts[0].Decision) != bm.want {
					b.Fatalf("%+v", a)
				}
				if bm.want == "allow" { // it is not to be under way for ever
					b.StopTimer()
					take(`{"type":"user","text":"set the fan to level 2"}`)
					b.StartTimer()
				}
			}
		})
	}
}
