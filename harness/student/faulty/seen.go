// SPDX-License-Identifier: Apache-2.0

package faulty

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// sightings are the strings that results have shown, by the name of the
// member they stood in.
type sightings struct {
	byName map[string][]string
	ids    []string // of members that hold identifiers
}

func look(p *harness.Prompt) *sightings {
	s := &sightings{byName: map[string][]string{}}
	for i := range p.Messages {
		r := p.Messages[i].Result
		if r == nil || !r.OK() {
			continue
		}
		r.Value.Walk(func(path vehicle.Path, leaf vehicle.Value) {
			if text, ok := leaf.Text(); ok && text != "" {
				s.add(lastName(path), text)
			}
		})
	}
	return s
}

func (s *sightings) add(name, text string) {
	name = strings.ToLower(name)
	if !slices.Contains(s.byName[name], text) {
		s.byName[name] = append(s.byName[name], text)
	}
	if isID(name) && !slices.Contains(s.ids, text) {
		s.ids = append(s.ids, text)
	}
}

// pick returns a string that was seen under the name, or under one that says
// the same in part: a poi_id for location_or_poi_id, an id for a route_id.
func (s *sightings) pick(r *rand.Rand, name string) (string, bool) {
	name = strings.ToLower(name)
	if l := s.byName[name]; len(l) > 0 {
		return pick(r, l), true
	}
	if l := s.byName[name+"s"]; len(l) > 0 {
		return pick(r, l), true
	}
	if isID(name) && len(s.ids) > 0 {
		var near []string
		for n, l := range s.byName {
			if n != "id" && isID(n) && (strings.Contains(name, n) || strings.Contains(n, name)) {
				near = append(near, l...)
			}
		}
		if slices.Sort(near); len(near) > 0 && r.IntN(4) > 0 {
			return pick(r, near), true
		}
		return pick(r, s.ids), true
	}
	return "", false
}

// isID reports whether a member of the name holds identifiers: route_id,
// ids, waypoint_id_to_add.
func isID(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "_"), func(part string) bool { return part == "id" || part == "ids" })
}

// lastName is the last member name of a path.
func lastName(p vehicle.Path) string {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i].Name != "" {
			return p[i].Name
		}
	}
	return ""
}
