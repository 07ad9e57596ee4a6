// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// futureArgument looks at a read of the student's own with arguments that say
// when, while the driver's words speak of a moment to come and of none that is
// now: on arrival, tomorrow. Whether the arguments are that moment is for the
// critic to judge. An argument says when if a part of its name does. It is
// silent for a read without such arguments, and without such words.
func futureArgument(v *View) []Finding {
	if v.listens() == nil {
		return nil
	}
	var out []Finding
	for i := range v.Draft.Calls {
		c, t := &v.Draft.Calls[i], v.p.tools[i]
		if t == nil || t.Access != vehicle.Read || c.Origin != vehicle.ByStudent || !timed(c) || !v.meansFuture() {
			continue
		}
		out = append(out, Finding{Action: Reconsider, Subjects: []string{c.ID},
			Note: fmt.Sprintf("the driver means a later moment: make sure that %s asks about that one", c.Canonical())})
	}
	return out
}

// timeWords are parts of identifiers that say when.
var timeWords = []string{"time", "hour", "minute", "minutes", "day", "weekday", "month", "year", "date", "when", "at"}

// timed reports whether the call says when.
func timed(c *vehicle.Call) bool {
	for i := range c.Args.Len() {
		for _, part := range strings.FieldsFunc(strings.ToLower(c.Args.NameAt(i)), func(r rune) bool { return r < 'a' || r > 'z' }) {
			if slices.Contains(timeWords, part) {
				return true
			}
		}
	}
	return false
}
