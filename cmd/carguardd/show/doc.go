// SPDX-License-Identifier: Apache-2.0

// Package show renders a turn for people: what was said, each draft, the
// findings against it with their evidence, what code repaired, the frames that
// left, the status frames that came back, and the reply.
//
//	you      turn on the air conditioning
//	draft    set_air_conditioning(on=true)
//	found    obligation, rule 011b: fan_speed = 0
//	repair   added set_fan_speed(level=1)
//	send     climate 430#FFFF79FF0700  fan_speed := 1
//	seen     climate 330#010006000000  fan_speed = 1, after 0.4 s
//	reply    The fan is on level 1 and the air conditioning is on.
//
// One line is one thing that happened; its first word says what. Lines are in
// the order in which things happened, apart from the frames of calls that were
// under way together, which are in the order of the bus.
//
// The text of a model, a driver or a service is data: control characters in it
// are written out, so that no reply can repaint a terminal. Colour is used on
// a terminal only, and never when NO_COLOR is set.
//
// # What it does not do
//
// It is not a format: programs read the JSON document of a turn, which holds
// more (docs/turn.schema.json). It judges nothing and reads no store.
package show
