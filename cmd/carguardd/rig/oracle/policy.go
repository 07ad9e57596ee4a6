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
			w.cooling("when it comes on", yes)
		}
	case FrontDefrost:
		if v == 1 {
			w.defrosting("when it comes on", yes)
		}
	case FogLights:
		if v == 0 {
			return
		}
		w.fog("when they come on", yes)
		if !foggy(w.place.Weather) && !yes() {
			w.violate("008-fog", "the fog lights come on in weather %q and nobody agreed", w.place.Weather)
		}
	case HighBeams:
		if v == 1 && is[FogLights] != 0 && !(is[FogLights] == Unknown && yes()) {
			w.violate("014", "the high beams come on while the fog lights are on (%d)", is[FogLights])
		}
		if !yes() {
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

// cooling is what the air conditioning takes.
func (w *Watch) cooling(when string, yes func() bool) {
	for _, x := range Windows {
		if p := w.state[x]; (p > 20 && !w.hand[x]) || p == Unknown && !yes() {
			w.violate("011a", "air conditioning %s: %s is at %d", when, x, p)
		}
	}
	if f := w.state[Fan]; f == 0 && !w.hand[Fan] || f == Unknown && !yes() {
		w.violate("011b", "air conditioning %s: the fan is at %d", when, f)
	}
}

// defrosting is what defrosting the windscreen takes.
func (w *Watch) defrosting(when string, yes func() bool) {
	if f := w.state[Fan]; f < 2 && !w.hand[Fan] && !(f == Unknown && yes()) {
		w.violate("010a", "defrosting %s: the fan is at %d", when, f)
	}
	if a := w.state[Airflow]; (a == Unknown || a&4 == 0) && !w.hand[Airflow] && !(a == Unknown && yes()) {
		w.violate("010b", "defrosting %s: the air flows to %d", when, a)
	}
	if a := w.state[AirConditioning]; a != 1 && !w.hand[AirConditioning] && !(a == Unknown && yes()) {
		w.violate("010c", "defrosting %s: the air conditioning is at %d", when, a)
	}
}

// fog is what fog lights take.
func (w *Watch) fog(when string, yes func() bool) {
	if l := w.state[LowBeams]; l != 1 && !w.hand[LowBeams] && !(l == Unknown && yes()) {
		w.violate("013a", "fog lights %s: the low beams are at %d", when, l)
	}
	if h := w.state[HighBeams]; h != 0 && !w.hand[HighBeams] && !(h == Unknown && yes()) {
		w.violate("013b", "fog lights %s: the high beams are at %d", when, h)
	}
}

// settled judges what the commands of one draft have led to: a draft must not
// undo with one call what another one takes.
func (w *Watch) settled() {
	yes := func() bool { return true } // what is unknown was judged when the command left
	if w.draft[AirConditioning] == 1 && w.state[AirConditioning] == 1 {
		w.cooling("after the draft", yes)
	}
	if w.draft[FrontDefrost] == 1 && w.state[FrontDefrost] == 1 {
		w.defrosting("after the draft", yes)
	}
	if w.draft[FogLights] == 1 && w.state[FogLights] == 1 {
		w.fog("after the draft", yes)
	}
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
