// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// InCar is the profile of the recorded in-car tool set: 57 tools over the 31
// fields that they change, with the values a car starts with. It has no
// buses: it is for evaluation in process, where recorded results must come
// out exactly. A real car, the demo car included, is described by a profile
// of its own.
func InCar() (*vehicle.Profile, vehicle.State) {
	var p vehicle.Profile
	p.Name = "in-car"
	var start vehicle.State
	for _, f := range inCarFields {
		p.Signals = append(p.Signals, &vehicle.Signal{Name: f.name, Type: f.typ, Min: f.min, Max: f.max,
			Step: f.step, Allowed: strings.Fields(f.allowed)})
		start = append(start, value(f.start))
	}
	id := map[string]vehicle.SignalID{}
	for i, s := range p.Signals {
		id[s.Name] = vehicle.SignalID(i)
	}
	for _, r := range inCarReads {
		t := &vehicle.Tool{Name: r.name, Access: vehicle.Read, Input: params("")}
		if r.fixed != "" {
			t.Fixed = []vehicle.Fixed{{Path: vehicle.MustPath(r.fixed), Value: vehicle.TextOf(r.text)}}
		}
		for _, s := range strings.Fields(r.signals) {
			path := vehicle.MustPath(s)
			t.Returns = append(t.Returns, vehicle.Return{Path: path, Signal: id[strings.ReplaceAll(s, ".", "_")]})
		}
		p.Tools = append(p.Tools, t)
	}
	for _, w := range inCarWrites {
		p.Tools = append(p.Tools, w.tool(id))
	}
	for _, s := range inCarServices {
		p.Tools = append(p.Tools, &vehicle.Tool{Name: s.name, Access: s.access, Input: params(s.params)})
	}
	return vehicle.NewProfile(p), start
}

// NewInCar returns a car of the recorded tool set at its defaults.
func NewInCar(d *Data) *Car {
	p, start := InCar()
	c := NewCar(p, d, Context{})
	c.state = start
	return c
}

// params reads "name:type name:type?" into the schema of a tool's arguments;
// a question mark makes one optional.
func params(list string) *vehicle.Schema {
	s := &vehicle.Schema{Type: "object", Closed: true}
	types := map[string]string{"n": "number", "s": "string", "b": "boolean", "l": "array", "o": "object", "": ""}
	for _, f := range strings.Fields(list) {
		f, optional := strings.CutSuffix(f, "?")
		name, typ, _ := strings.Cut(f, ":")
		if !optional {
			s.Required = append(s.Required, name)
		}
		s.Properties = append(s.Properties, vehicle.Property{Name: name, Schema: &vehicle.Schema{Type: types[typ]}})
	}
	return s
}

// A write is one tool that sets fields.
type write struct {
	name, params string
	items        string // "argument VALUE=item …"; item * is all
	sets         []set
	echo         string // the one argument that the result repeats; empty: all
}

// set is one effect: the field gets the argument, where every condition
// holds.
type set struct {
	field  string // its * is the item
	arg    string // the argument it takes, or empty
	to     any    // else this constant
	when   string // the boolean argument that must be …
	is     bool   // … this
	rename map[string]vehicle.Value
}

func (w write) tool(id map[string]vehicle.SignalID) *vehicle.Tool {
	t := &vehicle.Tool{Name: w.name, Access: vehicle.Write, Declared: true, Input: params(w.params)}
	for _, p := range t.Input.Properties {
		if w.echo == "" || w.echo == p.Name {
			path := vehicle.Path{{Name: p.Name}}
			t.Fixed = append(t.Fixed, vehicle.Fixed{Path: path, Arg: path})
		}
	}
	if arg, list, ok := strings.Cut(w.items, " "); ok {
		t.Items = &vehicle.Items{Arg: vehicle.MustPath(arg)}
		for _, f := range strings.Fields(list) {
			v, item, _ := strings.Cut(f, "=")
			t.Items.Names = append(t.Items.Names, vehicle.ItemName{Value: v, Item: item})
		}
	}
	for _, s := range w.sets {
		e := &vehicle.Effect{Signal: vehicle.NoSignal}
		if pre, post, ok := strings.Cut(s.field, "*"); ok {
			e.ByItem = map[string]vehicle.SignalID{}
			for _, it := range t.Items.List() {
				e.ByItem[it] = id[pre+it+post]
			}
		} else {
			e.Signal = id[s.field]
		}
		if s.arg != "" {
			e.To = vehicle.Target{Arg: vehicle.MustPath(s.arg), Map: s.rename}
		} else {
			e.To = vehicle.Target{Const: value(s.to)}
		}
		if s.when != "" {
			e.When = []vehicle.Condition{{Arg: vehicle.MustPath(s.when), Is: vehicle.BoolOf(s.is)}}
		}
		t.Sets = append(t.Sets, e)
	}
	return t
}
