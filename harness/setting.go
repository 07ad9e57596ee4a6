// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// Setting is what a turn began with that nobody did in it: what the car told
// by itself, where and when it was. With it a turn can be judged again later.
type Setting struct {
	Live    map[string]vehicle.Value `json:"live,omitempty"`    // by signal; what is stale or was never seen is left out
	Context map[string]vehicle.Value `json:"context,omitempty"` // the surroundings: here.id, now.hour, …
}

// setting is how things are now; nil when nothing is known.
func (s *Session) setting() *Setting {
	live := vehicle.NewState(len(s.Catalog.Profile.Signals))
	s.Car.Live(live)
	out := &Setting{}
	for i, v := range live {
		if v.Known() {
			put(&out.Live, s.Catalog.Profile.Signals[i].Name, v)
		}
	}
	for _, name := range rules.ContextNames() {
		if v := s.around(name); v.Known() {
			put(&out.Context, name, v)
		}
	}
	if out.Live == nil && out.Context == nil {
		return nil
	}
	return out
}

// around is a value of the surroundings. One that breaks is not known here;
// what needs it for a decision says so.
func (s *Session) around(name string) (v vehicle.Value) {
	defer func() {
		if recover() != nil {
			v = vehicle.Value{}
		}
	}()
	return s.Context(name)
}

func put(m *map[string]vehicle.Value, name string, v vehicle.Value) {
	if *m == nil {
		*m = map[string]vehicle.Value{}
	}
	(*m)[name] = v
}

// StudentDrafted reports whether the step's draft came from a student, rather
// than from an answer, from calls that had to wait or from reads made ahead.
func (st *Step) StudentDrafted() bool {
	switch st.Draft.Student {
	case "consent", "question", "deferred", PrefetchStudent, "":
		return false
	}
	return true
}
