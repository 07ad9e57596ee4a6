// SPDX-License-Identifier: Apache-2.0

package rulestest

import (
	"fmt"

	"github.com/carguardd/carguardd/vehicle"
)

// Lines writes what came of a turn, one thing a line, in an order that does
// not depend on the judge. Two turns with equal lines came to the same.
func (o *Outcome) Lines() []string {
	var out []string
	line := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for _, id := range sorted(o.Fired) {
		line("fires %s", id)
	}
	for _, c := range o.Reads {
		line("reads %s", c.Canonical())
	}
	var rest []string
	for _, h := range o.Held {
		rest = append(rest, fmt.Sprintf("holds %s by %s", h.Call.Canonical(), h.By))
	}
	for _, a := range o.Asked {
		rest = append(rest, fmt.Sprintf("asks %s by %s naming %s warning of %s", a.Call.Canonical(), a.By, vehicle.ObjectOf(a.Naming...).Canonical(), list(a.Warn)))
	}
	for _, t := range o.Told {
		verb := "tells"
		if t.Withheld {
			verb = "keeps back"
		}
		rest = append(rest, fmt.Sprintf("%s %s%s by %s", verb, t.Word, knownText(t.Value), t.By))
	}
	out = append(out, sorted(rest)...)
	for _, c := range o.Calls {
		line("sends %s", c.Canonical())
	}
	return out
}

func knownText(v vehicle.Value) string {
	if !v.Known() {
		return ""
	}
	return v.String()
}
