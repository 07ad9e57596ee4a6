// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"strings"
	"testing"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
)

func TestParseState(t *testing.T) {
	p := hutProfile()
	for _, c := range []struct{ name, text, want, err string }{
		{"several", "left_shutter=25,heater=low, lamp=on", `left_shutter=25 heater=LOW lamp=true`, ""},
		{"units", "left_shutter=25 %,speed=80km/h", `left_shutter=25 speed=80`, ""},
		{"list", `orders=["tea","a,b"],lamp=off`, `orders=["tea","a,b"] lamp=false`, ""},
		{"unknown", "speed=unknown", "speed=unknown", ""},
		{"nothing", " ", "", ""},
		{"no such signal", "left_shuter=1", "", "did you mean left_shutter?"},
		{"out of range", "left_shutter=101", "", "outside 0..100"},
		{"not whole", "left_shutter=1.5", "", "no whole number"},
		{"no member", "heater=warm", "", "none of"},
		{"no value", "heater", "", "want signal=value"},
		{"twice", "lamp=on,lamp=off", "", "given twice"},
		{"all problems", "heater=warm,lamp=maybe", "", "neither true nor false"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := sim.ParseState(p, c.text)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %v, want %q", err, c.err)
				}
				return
			}
			var got []string
			for _, s := range l {
				got = append(got, s.Signal.Name+"="+s.Value.String())
			}
			if err != nil || strings.Join(got, " ") != c.want {
				t.Fatalf("%v, %v; want %s", got, err, c.want)
			}
		})
	}
}

func TestParseFault(t *testing.T) {
	r := newRig(t, true)
	for _, c := range []struct{ text, err string }{
		{"blocked:left_shutter@40", ""}, {"reversed:right_shutter@20", ""}, {"delayed:heater@3s", ""},
		{"wrong:heater@HIGH", ""}, {"stale:speed", ""}, {"silent:mqtt", ""}, {"silent:hut", ""}, {"silent:ShutterStatus", ""},
		{"bus-off:hut", ""}, {"failing:ask_cook", ""}, {"refused:lamp", ""},
		{"blocked", "want KIND:TARGET"}, {"broken:left_shutter", "want KIND:TARGET"}, {"blocked:left_shuttr", "did you mean"},
		{"blocked:left_shutter@140", "outside"}, {"delayed:heater@soon", "duration"}, {"delayed:heater", "duration"},
		{"wrong:heater", "want a value"}, {"bus-off:cellar", "no bus"}, {"silent:cellar", "neither"}, {"failing:nothing", "no tool"},
		{"stale:speed@3", "takes no value"}, {"bus-off:hut@1", "takes no value"}, {"reversed:heater", "position"},
	} {
		t.Run(c.text, func(t *testing.T) {
			f, err := r.ParseFault(c.text)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %v, want %q", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if f.String() != c.text {
				t.Fatalf("prints as %s", f)
			}
		})
	}
}

func FuzzParseState(f *testing.F) {
	for _, s := range []string{"left_shutter=25", `orders=["a,b"],lamp=on`, "=,=", `orders="[`, "speed=1e400", "heater=\xff"} {
		f.Add(s)
	}
	p := hutProfile()
	f.Fuzz(func(t *testing.T, text string) {
		l, err := sim.ParseState(p, text)
		for _, s := range l {
			if s.Value.Kind() != vehicle.Unknown && s.Signal.Check(s.Value) != nil {
				t.Fatalf("%q gave %s a value it cannot have: %v", text, s.Signal.Name, s.Value)
			}
		}
		if err != nil && len(l) > 0 {
			t.Fatalf("%q: half applied", text)
		}
	})
}

func FuzzParseFault(f *testing.F) {
	for _, s := range []string{"blocked:left_shutter@40", "wrong:speed@130", "delayed:heater@3s", "silent:hut", "::@@", "reversed:left_shutter@1e9"} {
		f.Add(s)
	}
	p := hutProfile()
	b, err := sim.NewBench(sim.NewCar(offBus(p), nil, sim.Context{}), sim.Config{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x, err := b.ParseFault(text)
		if err != nil {
			return
		}
		if y, err := b.ParseFault(x.String()); err != nil || y.String() != x.String() {
			t.Fatalf("%q reads as %s, and that as %s (%v)", text, x, y, err)
		}
	})
}

// offBus is the profile without its bindings.
func offBus(p *vehicle.Profile) *vehicle.Profile {
	for _, s := range p.Signals {
		s.Status, s.Command = nil, nil
	}
	return p
}
