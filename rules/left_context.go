// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// ContextLeft is a value of the surroundings.
type ContextLeft struct {
	leftBase
	Name string
}

// ContextNames lists what the surroundings are asked for. Numbers of a date
// are as on a clock: month 1 to 12, hour 0 to 23, weekday 1 (Monday) to 7.
func ContextNames() []string {
	return []string{
		"now.year", "now.month", "now.day", "now.weekday", "now.hour", "now.minute",
		"here.id", "here.name", "here.latitude", "here.longitude", "language",
	}
}

func contextType(name string) typ {
	switch name {
	case "here.id", "here.name", "language":
		return typ{kind: vehicle.String}
	case "here.latitude", "here.longitude":
		return typ{kind: vehicle.Number, unit: "degrees"}
	}
	return typ{kind: vehicle.Number}
}

func (r *reader) context(n *vehicle.Node) *ContextLeft {
	l := &ContextLeft{leftBase: leftBase{n.Pos}}
	l.Name = r.word(n, ContextNames()...)
	return l
}

// Label implements [Left].
func (l *ContextLeft) Label(string) string { return l.Name }

func (l *ContextLeft) check(*checker) typ { return contextType(l.Name) }

func (l *ContextLeft) value(e *eval) Fact {
	v := e.env.Context(l.Name)
	if !v.Known() {
		return Fact{Why: Null}
	}
	return Fact{Value: v, Why: Observed}
}
