// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// Data is the world around the car: what its services look things up in. It
// does not change after loading, so that many cars can share it.
type Data struct {
	Places    []Place
	Routes    []Route
	POIs      []POI
	Contacts  []Contact
	Weather   map[string][]vehicle.Value // by place id: slots, as get_weather shows them
	Calendars map[string]Calendar        // by calendar id

	place   map[string]int
	route   map[string]int
	poi     map[string]int
	pairs   map[[2]string][]int // start, destination → routes, in order
	detours map[[2]string]vehicle.Value
}

// Place is a town.
type Place struct {
	ID, Name string
	Show     vehicle.Value // as results show it
}

// Route leads from a place or point of interest to another.
type Route struct {
	ID, Start, Dest string
	Km              float64
	Minutes         float64
	Show            vehicle.Value
}

// POI is a point of interest: at a place, or along routes.
type POI struct {
	ID, Category string
	Place        string             // the place it belongs to, or empty
	OnRoutes     []string           // routes it lies along
	At           map[string]float64 // km from the start, by route id, with or without its number
	Opens        string             // "HH:MMh - HH:MMh"
	Plugs        []Plug
	Show         vehicle.Value
}

// Plug is one plug of a charging station.
type Plug struct {
	ID, Type, Availability string // type AC or DC
	KW                     float64
}

// Contact is a person in the address book.
type Contact struct {
	ID, First, Last, Email string
	Show                   vehicle.Value
}

// Calendar is one day of meetings. A zero date means today.
type Calendar struct {
	Date     DateTime
	Meetings []vehicle.Value
}

// index makes the look-up tables after loading.
func (d *Data) index() {
	d.place, d.route, d.poi = map[string]int{}, map[string]int{}, map[string]int{}
	for i, p := range d.Places {
		d.place[p.ID] = i
	}
	for i, r := range d.Routes {
		d.route[r.ID] = i
	}
	for i, p := range d.POIs {
		d.poi[p.ID] = i
	}
	if d.pairs == nil {
		d.pairs = map[[2]string][]int{}
		for i, r := range d.Routes {
			k := [2]string{r.Start, r.Dest}
			d.pairs[k] = append(d.pairs[k], i)
		}
	}
}

func (d *Data) findPlace(id string) *Place {
	if i, ok := d.place[id]; ok {
		return &d.Places[i]
	}
	return nil
}

// PlaceNamed finds a place by its name, in any case, or by its id.
func (d *Data) PlaceNamed(name string) (Place, bool) {
	for _, p := range d.Places {
		if p.ID == name || strings.EqualFold(p.Name, name) {
			return p, true
		}
	}
	return Place{}, false
}

func (d *Data) findRoute(id string) *Route {
	if i, ok := d.route[id]; ok {
		return &d.Routes[i]
	}
	return nil
}

func (d *Data) findPOI(id string) *POI {
	if i, ok := d.poi[id]; ok {
		return &d.POIs[i]
	}
	return nil
}

func (d *Data) known(id string) bool { return d.findPlace(id) != nil || d.findPOI(id) != nil }

// show returns the place or point of interest as results show it.
func (d *Data) show(id string) vehicle.Value {
	if p := d.findPlace(id); p != nil {
		return p.Show
	}
	if p := d.findPOI(id); p != nil {
		return p.Show
	}
	return vehicle.Value{}
}

// detour returns the way off the route to the point of interest. What is
// known for one alternative between two places stands in for the others.
func (d *Data) detour(route, poi string) vehicle.Value {
	if v, ok := d.detours[[2]string{route, poi}]; ok {
		return v
	}
	return d.detours[[2]string{stem(route), poi}]
}

// stem is a route id without its number: all alternatives share it.
func stem(route string) string {
	if i := strings.LastIndexByte(route, '_'); i >= 0 {
		return route[:i]
	}
	return route
}
