// SPDX-License-Identifier: Apache-2.0

package oracle_test

import (
	"math/rand/v2"
	"slices"

	"github.com/carguardd/carguardd/cmd/carguardd/rig/oracle"
	"github.com/carguardd/carguardd/harness/student/faulty"
	"github.com/carguardd/carguardd/vehicle"
)

// pupil is the student of a conversation: one that runs an errand, or a random
// one, for each turn.
type pupil struct {
	*faulty.Random
	before func()
	errand errand
	r      *rand.Rand
	taken  int // drafts of the errand
}

// about are the errands of the conversation, and the wishes for the tools that it
// is about.
func (c conversation) about() []errand {
	out := slices.Clone(c.stress.errands)
	for _, w := range wishes {
		if slices.Contains(c.stress.tools, w.tool) {
			out = append(out, errand{wish: w})
		}
	}
	return out
}

// options weigh the student's drafts.
func (c conversation) options(seed uint64, p oracle.Place, w wish) faulty.Options {
	texts := func(l ...string) (out []vehicle.Value) {
		for _, s := range l {
			out = append(out, vehicle.TextOf(s))
		}
		return out
	}
	numbers := func(l ...int) (out []vehicle.Value) {
		for _, n := range l {
			out = append(out, vehicle.NumberOf(float64(n)))
		}
		return out
	}
	faults := faulty.DefaultFaults()
	faults[faulty.Valid] *= 5
	hints := map[string][]vehicle.Value{
		"location": texts("Lindau", "Ulm", "Bregenz"), "start_id": texts(p.ID, p.ID, "loc_ulm_113708"),
		"destination_id": texts("loc_ulm_113708", "loc_rav_545447"), "location_or_poi_id": texts(p.ID),
		"month": numbers(p.Month), "day": numbers(p.Day, p.Day, p.Day, p.Day+1), "time_hour_24hformat": numbers(p.Hour),
		"contact_first_name": texts("Mara", "Jonas"), "phone_number": texts("+49 89 99998 331"),
	}
	if w.args != "" {
		args := vehicle.MustJSON(w.args)
		for i := range args.Len() {
			hints[args.NameAt(i)] = []vehicle.Value{args.At(i)}
		}
	}
	return faulty.Options{
		Seed: seed, Faults: faults, Hints: hints, MaxCalls: 3, Steps: 3,
		Weight: func(t *vehicle.Tool) int {
			switch {
			case t.Name == w.tool:
				return 400
			case slices.Contains(c.stress.tools, t.Name):
				return 20
			case t.HasTag("navigation"):
				return 1
			case t.Access == vehicle.Write:
				return 3
			case t.Access == vehicle.Noop:
				return 0
			}
			return 1
		},
	}
}
