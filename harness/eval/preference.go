// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"slices"
	"strings"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// The gold calls of the benchmark never name the read of stored preferences:
// it is one of many ways to the right value. A demanded read of them counts
// as right when it brings a preference that the student had not read, in a
// category that the profile declares for a tool at fault.

// tells reports whether the call reads such a preference.
func (j *judge) tells(c *vehicle.Call, f *Fault) bool {
	t := j.k.Profile.Tool(c.Tool)
	if t == nil || !t.HasTag(harness.TagPreferences) {
		return false
	}
	car, err := j.sc.car(j.step)
	if err != nil {
		return false
	}
	return j.news(car.Call(c.Tool, c.Args).Value(), f)
}

// untold reports whether the driver has a preference about what is at fault
// that the student had not read when the run was lost.
func (j *judge) untold(f *Fault) bool {
	stored, _ := j.sc.Task.Init.Member("user_preferences")
	return j.news(stored, f)
}

// news reports whether preferences, by category, hold one that is about the
// fault and had not been read when the run was lost.
func (j *judge) news(prefs vehicle.Value, f *Fault) bool {
	known := j.told()
	categories := j.categories(f)
	found := false
	prefs.Walk(func(p vehicle.Path, leaf vehicle.Value) {
		s, ok := leaf.Text()
		at := "." + names(p) + "."
		found = found || ok && !known[s] && slices.ContainsFunc(categories, func(c string) bool { return strings.Contains(at, "."+c+".") })
	})
	return found
}

// told are the texts that results had shown when the run was lost.
func (j *judge) told() map[string]bool {
	m := map[string]bool{}
	for i := range j.lost() {
		for _, r := range j.sc.Steps[i].Results {
			if t := j.k.Profile.Tool(r.Tool); t != nil && t.HasTag(harness.TagPreferences) {
				r.Value.Walk(func(_ vehicle.Path, leaf vehicle.Value) {
					if s, ok := leaf.Text(); ok {
						m[s] = true
					}
				})
			}
		}
	}
	return m
}

// categories are the preference categories of the tools at fault: of the
// blamed calls, and of the gold calls that were missing.
func (j *judge) categories(f *Fault) []string {
	var out []string
	add := func(tool string) {
		if t := j.k.Profile.Tool(tool); t != nil {
			out = append(out, t.Preferences...)
		}
	}
	for i := range j.sc.Steps {
		for _, c := range j.sc.Steps[i].Calls {
			if slices.Contains(f.Calls, c.ID) {
				add(c.Tool)
			}
		}
	}
	for _, c := range f.Missing {
		add(c.Tool)
	}
	return out
}

// names is a path without its list positions.
func names(p vehicle.Path) string {
	var l []string
	for _, s := range p {
		if s.Name != "" {
			l = append(l, s.Name)
		}
	}
	return strings.Join(l, ".")
}
