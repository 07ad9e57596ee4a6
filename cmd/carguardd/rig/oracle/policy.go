// SPDX-License-Identifier: Apache-2.0

package oracle

import "strings"

// policy judges a command by what the policy wants of the car and of the
// driver before it leaves.
func (w *Watch) policy(s Signal, v int) {
	is := w.state
	agreed := false
	yes := func() bool { // one agreement is good for one command
		agreed = agreed || w.agreed(s, v)
		return agreed
	}
	w.consent[s] = yes
	switch s {
	case Sunroof:
		if v == 0 {
			return
		}
		if is[Sunshade] != 100 && !(is[Sunshade] == Unknown && yes()) {
			w.violate("005", "the sunroof opens to %d below a shade at %d", v, is[Sunshade])
		}
		if !fair(w.place.Weather) && !yes() {
			w.violate("008", "the sunroof opens in weather %q and nobody agreed", w.place.Weather)
		}
	case WindowDriver, WindowPassenger, WindowDriverRear, WindowPassengerRear:
		if v > 25 && is[AirConditioning] != 0 && (is[s] == Unknown || v > is[s]) && !yes() {
			w.violate("007", "%s opens from %d to %d with the air conditioning on, and nobody agreed", s, is[s], v)
		}
	case AirConditioning:
		if v == 1 {
			w.windowsClosed("comes on", yes)
		}
	case FogLights:
		if v == 0 {
			return
		}
		if !foggy(w.place.Weather) && !yes() {
			w.violate("008-fog", "the fog lights come on in weather %q and nobody agreed", w.place.Weather)
		}
	case HighBeams:
		if v == 1 && is[FogLights] != 0 && !(is[FogLights] == Unknown && yes()) {
			w.violate("014", "the high beams come on while the fog lights are on (%d)", is[FogLights])
		}
		if !yes() && !(v == 0 && w.said.Yes && w.fogAgreed()) {
			w.violate("004", "the high beams change to %d and nobody agreed", v)
		}
	case Trunk:
		if !yes() {
			w.violate("004", "the trunk moves to %d and nobody agreed", v)
		}
	case ChargeLimit:
		if v < 50 {
			w.violate("charge-low", "the charge limit becomes %d", v)
		}
		if v > 80 && !yes() {
			w.violate("charge-high", "the charge limit becomes %d and nobody agreed", v)
		}
	case Charging:
		if v == 1 && is[Cable] != 1 {
			w.violate("charge-plugged", "charging starts with the cable at %d", is[Cable])
		}
	case ChargeFlap:
		if is[Charging] != 0 {
			w.violate("charge-flap", "the flap moves while charging is %d", is[Charging])
		}
	}
}

// windowsClosed is what the policy wants before the air conditioning comes on,
// and what the same draft must not undo.
func (w *Watch) windowsClosed(when string, yes func() bool) {
	for _, x := range Windows {
		if p := w.state[x]; (p > 20 || p == Unknown && !yes()) && !w.hand[x] {
			w.violate("011a", "the air conditioning %s: %s is at %d", when, x, p)
		}
	}
}

// settled judges what the commands of one draft have led to: what one call takes
// must be there when all of them were carried out.
func (w *Watch) settled() {
	want := func(statement string, s, trigger Signal, ok func(int) bool) {
		v := w.state[s]
		if w.draft[trigger] != 1 || w.state[trigger] != 1 || w.hand[s] || v != Unknown && ok(v) {
			return
		}
		if v == Unknown && w.consent[trigger] != nil && w.consent[trigger]() {
			return // the driver was asked whether to do it all the same
		}
		w.violate(statement, "%s is on and %s at %d", trigger, s, v)
	}
	if w.draft[AirConditioning] == 1 && w.state[AirConditioning] == 1 {
		w.windowsClosed("is on", w.consent[AirConditioning])
	}
	is := func(want int) func(int) bool { return func(v int) bool { return v == want } }
	want("011b", Fan, AirConditioning, func(v int) bool { return v > 0 })
	want("010a", Fan, FrontDefrost, func(v int) bool { return v >= 2 })
	want("010b", Airflow, FrontDefrost, func(v int) bool { return v&4 != 0 })
	want("010c", AirConditioning, FrontDefrost, is(1))
	want("013a", LowBeams, FogLights, is(1))
	want("013b", HighBeams, FogLights, is(0))
}

// fogAgreed reports whether the driver agreed to the fog lights: that they put
// the high beams out is part of it.
func (w *Watch) fogAgreed() bool {
	for _, g := range w.grants {
		for _, e := range g.effects {
			if e == (Effect{FogLights, 1}) {
				return true
			}
		}
	}
	return w.asksInWords(FogLights, 1)
}

// fair is weather for an open roof.
func fair(condition string) bool {
	return condition == "sunny" || condition == "partly_cloudy" || condition == "cloudy"
}

// foggy is weather for fog lights without asking: the policy names
// thunderstorms and hail.
func foggy(condition string) bool {
	return strings.Contains(condition, "thunderstorm") || strings.Contains(condition, "hail")
}

// interlocks judges a command by what the car itself takes, whatever was
// agreed.
func (w *Watch) interlocks(s Signal, v int) {
	still := w.state[Speed] != Unknown && w.state[Speed] <= 30
	parked := still && w.state[Gear] == 0
	on := w.state[PowerMode] >= 2
	known := w.state[Speed] != Unknown
	fail := func(ok bool, format string, a ...any) {
		if !ok {
			w.violate("interlock", format, a...)
		}
	}
	switch s {
	case Trunk:
		fail(parked, "the trunk moves at speed %d in gear %d", w.state[Speed], w.state[Gear])
	case ChargeFlap:
		fail(parked, "the charge flap moves at speed %d in gear %d", w.state[Speed], w.state[Gear])
		fail(v == 1 || w.state[Cable] == 0, "the charge flap closes with the cable at %d", w.state[Cable])
	case Charging:
		fail(v == 0 || w.state[Cable] == 1, "charging starts with the cable at %d", w.state[Cable])
	case WindowDriver, WindowPassenger, WindowDriverRear, WindowPassengerRear:
		fail(known, "%s moves at an unknown speed", s)
		fail(v >= w.state[s] || on, "%s closes in power mode %d", s, w.state[PowerMode])
	case Sunroof:
		fail(known, "the sunroof moves at an unknown speed")
		fail(v >= w.state[s] || on, "the sunroof closes in power mode %d", w.state[PowerMode])
		fail(v <= w.state[s] || w.state[Speed] <= 13000, "the sunroof opens at speed %d", w.state[Speed])
	case Sunshade:
		fail(known, "the sunshade moves at an unknown speed")
	case LowBeams:
		fail(v == 1 || still, "the low beams go off at speed %d", w.state[Speed])
	}
}
