// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/carguardd/carguardd/vehicle"
)

// World is what a profile's data directory says: the data of the services,
// the context and the state in which a simulation starts.
type World struct {
	Data    *Data
	Context Context
	State   vehicle.Value // signal name → value
	// Answers are the results of tools that neither the car's declaration nor
	// a service serves: those of an invented domain.
	Answers map[string]vehicle.Value
}

// LoadWorld reads a data directory. Every file may be missing; unknown keys,
// missing members and broken references are all reported, as
// [vehicle.Problems].
func LoadWorld(dir fs.FS) (*World, error) {
	w := &World{Data: &Data{Weather: map[string][]vehicle.Value{}, Calendars: map[string]Calendar{}}}
	r := &worldReader{dir: dir, world: w, data: w.Data, places: map[string]bool{}, ways: map[string]*Route{}, twin: map[string]string{}}
	for _, f := range []struct {
		name string
		read func(*vehicle.Node)
	}{
		{"places.yaml", r.readPlaces},
		{"routes.yaml", r.readRoutes},
		{"pois.yaml", r.readPOIs},
		{"weather.yaml", r.readWeather},
		{"contacts.yaml", r.readContacts},
		{"preferences.yaml", r.readPreferences},
		{"context.yaml", r.readContext},
		{"answers.yaml", r.readAnswers},
	} {
		if n := r.file(f.name); n != nil {
			f.read(n)
		}
	}
	w.Data.index()
	return w, r.problems.Err()
}

// NewCar returns a car of the profile in the world's start state. A signal that
// the world says nothing about is at rest: off, closed, empty.
func (w *World) NewCar(p *vehicle.Profile) (*Car, error) {
	c := NewCar(p, w.Data, w.Context)
	c.Can(w.Answers)
	for _, s := range p.Signals {
		c.state[s.ID] = resting(s)
	}
	if w.State.Kind() == vehicle.Object {
		if err := c.Init(w.State); err != nil {
			return nil, err
		}
	}
	for i, v := range c.state {
		if v.Kind() == vehicle.Unknown {
			continue
		}
		if err := check(p.Signals[i], v); err != nil {
			return nil, fmt.Errorf("initial state: %w", err)
		}
	}
	return c, nil
}

// resting is the value of a signal when nothing was done yet. Of a text nobody
// knows.
func resting(s *vehicle.Signal) vehicle.Value {
	switch s.Type {
	case vehicle.TypeNumber, vehicle.TypeInteger:
		if s.HasRange() {
			return vehicle.NumberOf(min(max(0, s.Min), s.Max))
		}
		return vehicle.NumberOf(0)
	case vehicle.TypeBool:
		return vehicle.BoolOf(false)
	case vehicle.TypeEnum:
		if len(s.Allowed) > 0 {
			return vehicle.TextOf(s.Allowed[0])
		}
	case vehicle.TypeList:
		return vehicle.ListOf()
	}
	return vehicle.Value{}
}

// worldReader reads the files of a data directory and collects what is wrong
// with them.
type worldReader struct {
	dir      fs.FS
	world    *World
	data     *Data
	problems vehicle.Problems
	places   map[string]bool
	ways     map[string]*Route // by route id, for what lies along them
	twin     map[string]string // route id → that of the way back
}

// file reads one file, or returns nil when it is missing or unreadable.
func (r *worldReader) file(name string) *vehicle.Node {
	raw, err := fs.ReadFile(r.dir, name)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			r.problems = append(r.problems, vehicle.Problem{Pos: vehicle.Pos{File: name}, Text: err.Error()})
		}
		return nil
	}
	n, ps := vehicle.ParseYAML(name, raw)
	r.problems = append(r.problems, ps...)
	if n != nil && n.Kind != vehicle.Object {
		r.wrong(n, "want an object, have a %s", n.Kind)
		return nil
	}
	return n
}

func (r *worldReader) wrong(n *vehicle.Node, format string, a ...any) {
	r.problems = append(r.problems, vehicle.Problem{Pos: n.Pos, Text: fmt.Sprintf(format, a...)})
}

// keys reports members that are none of those named.
func (r *worldReader) keys(n *vehicle.Node, names ...string) bool {
	if n == nil || n.Kind != vehicle.Object {
		if n != nil {
			r.wrong(n, "want an object, have a %s", n.Kind)
		}
		return false
	}
next:
	for _, m := range n.Members {
		for _, k := range names {
			if m.Name == k {
				continue next
			}
		}
		r.problems = append(r.problems, vehicle.Problem{Pos: m.Pos, Text: fmt.Sprintf("unknown key %q", m.Name),
			Hint: fmt.Sprintf("one of %v", names)})
	}
	return true
}

func (r *worldReader) text(n *vehicle.Node, name string) string {
	m := n.Member(name)
	if m == nil {
		r.wrong(n, "%s is missing", name)
		return ""
	}
	s, ok := m.Scalar.Text()
	if !ok {
		r.wrong(m, "%s is no text", name)
	}
	return s
}

// id is a text of the right form.
func (r *worldReader) id(n *vehicle.Node, name string, form func(string) bool) string {
	s := r.text(n, name)
	if s != "" && !form(s) {
		r.wrong(n.Member(name), "%s: %q has not the form of such an id", name, s)
	}
	return s
}

func (r *worldReader) number(n *vehicle.Node, name string) float64 {
	m := n.Member(name)
	if m == nil {
		r.wrong(n, "%s is missing", name)
		return 0
	}
	f, ok := m.Scalar.Float()
	if !ok {
		r.wrong(m, "%s is no number", name)
	}
	return f
}

// items are the elements of a member that is a list; none when it is missing.
func (r *worldReader) items(n *vehicle.Node, name string) []*vehicle.Node {
	m := n.Member(name)
	if m == nil {
		return nil
	}
	if m.Kind != vehicle.List {
		r.wrong(m, "%s is no list", name)
	}
	return m.Items
}

// place is the id of a place that places.yaml has.
func (r *worldReader) place(n *vehicle.Node, name string) string {
	id := r.id(n, name, isPlace)
	if id != "" && !r.places[id] {
		r.wrong(n.Member(name), "%s: places.yaml has no %s", name, id)
	}
	return id
}

func (r *worldReader) position(n *vehicle.Node) vehicle.Value {
	p := n.Member("position")
	if p == nil {
		r.wrong(n, "position is missing")
		return vehicle.Value{}
	}
	r.keys(p, "latitude", "longitude")
	return object("longitude", r.number(p, "longitude"), "latitude", r.number(p, "latitude"))
}
