// SPDX-License-Identifier: Apache-2.0

package boundary_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/boundary"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

func TestNewRefusesWhatItCannotSend(t *testing.T) {
	clock := vehicle.NewSystemClock()
	for _, c := range []struct {
		name  string
		spoil func(*vehicle.Profile)
		want  string
	}{
		{"no bus", func(p *vehicle.Profile) { p.Signal("fan_speed").Command.Bus = "chassis" }, `bus "chassis" is not connected`},
		{"no message", func(p *vehicle.Profile) { p.Signal("fan_speed").Command.Message = "Nothing" }, `no message "Nothing"`},
		{"no signal", func(p *vehicle.Profile) { p.Signal("fan_speed").Command.Signal = "Nothing" }, `no signal "Nothing"`},
		{"no place", func(p *vehicle.Profile) { p.Signal("fan_speed").Command = &vehicle.Binding{} }, "neither bus nor topic"},
		{"protected", func(p *vehicle.Profile) {
			m, _ := p.Buses[0].DB.Message("ClimateCommand")
			p.Buses[0].Protected = append(p.Buses[0].Protected, &vehicle.Protection{Message: m, Name: "acme"})
		}, "protected by a counter and checksum"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := vehicletest.Profile()
			c.spoil(p)
			x := &canbus.Exchange{Sync: true}
			_, err := boundary.New(boundary.Config{Live: vehicle.NewLive(p, clock), Clock: clock, Buses: map[string]boundary.Bus{"body": x.Join("body")}})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestAllowList(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		var got []string
		for _, a := range b.Boundary.AllowList() {
			got = append(got, fmt.Sprintf("%s %s %s%s %d [%s]", a.Signal, a.Bus, a.ID, a.Topic, a.Length, a.Mask))
		}
		want := `window_driver_position body 100 2 [FF 00]
window_passenger_position body 100 2 [00 FF]
sunroof_position body 102 2 [FF 00]
sunshade_position body 102 2 [00 FF]
fan_speed body 110 2 [0F 00]
air_conditioning body 110 2 [10 00]
trunk_door_position body 18FEF100 1 [03]
ambient_light mqtt set/ambient_light 0 []`
		if s := strings.Join(got, "\n"); s != want {
			t.Fatalf("allow-list is\n%s\nwant\n%s", s, want)
		}
	})
}

func TestClosedBoundarySendsNothing(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		b.Boundary.Close()
		_, err := b.Boundary.Stop(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, cmd := range []vehicle.Command{command(b, "window_driver_position", number(1)), command(b, "fan_speed", number(1)), command(b, "ambient_light", text("RED"))} {
			_, err = b.Boundary.Write(t.Context(), cmd)
			if r := refusal(t, err); r.Gate != vehicle.GateStop {
				t.Fatal(r)
			}
		}
	})
}
