// SPDX-License-Identifier: Apache-2.0

package grammar

import (
	"math"
	"slices"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// change carries out a command relative to what is: it reads the values and
// then sets new ones. Where items differ, each is set for itself.
func (d *drafter) change(f *filled, first bool) {
	a := f.relative.arg
	if d.changed(f) {
		return
	}
	targets, ok := d.targets(f)
	if !ok {
		d.texts = appendNew(d.texts, d.lang.Phrase(words.CannotTell, d.lex.Thing(f.tool.Tool.Name)))
		return
	}
	var values []float64
	for _, t := range targets {
		v, read := d.talk.reading(d.lex.Catalog, t.signal)
		n, isNumber := v.Float()
		switch {
		case isNumber:
			values = append(values, roundStep(n+f.relative.delta))
		case read || !first:
			d.texts = appendNew(d.texts, d.lang.Phrase(words.CannotRead, d.lex.SignalThing(t.signal)))
			return
		default:
			for _, s := range targets {
				if r := d.reader(s.signal); r != nil {
					d.add(vehicle.Call{Tool: r.Name, Args: vehicle.ObjectOf()})
					continue
				}
				d.texts = appendNew(d.texts, d.lang.Phrase(words.CannotTell, d.lex.SignalThing(s.signal)))
				return
			}
			return
		}
	}
	for _, v := range values {
		if a.Schema.Min != nil && v < *a.Schema.Min || a.Schema.Max != nil && v > *a.Schema.Max {
			if a.Schema.Min != nil && a.Schema.Max != nil {
				d.outOfRange(f, a)
			} else {
				d.lose(f.text)
			}
			return
		}
	}
	d.set(f, targets, values)
}

// changed reports whether a draft of this turn has set the argument already.
func (d *drafter) changed(f *filled) bool {
	return slices.ContainsFunc(d.talk.current().calls, func(c vehicle.Call) bool {
		return c.Origin == vehicle.ByStudent && c.Tool == f.tool.Tool.Name
	})
}

// target is one signal to be changed, with the item that names it.
type target struct {
	item   string
	signal vehicle.SignalID
}

// targets are the signals that the command changes.
func (d *drafter) targets(f *filled) ([]target, bool) {
	t := f.tool.Tool
	if t.Items == nil {
		if len(f.relative.arg.Signals) != 1 {
			return nil, false
		}
		return []target{{"", f.relative.arg.Signals[0]}}, true
	}
	items := f.items
	if len(items) == 0 {
		v, _ := f.args.Member(t.Items.Arg[0].Name)
		it, ok := t.Items.Item(v.String())
		if !ok {
			return nil, false
		}
		if items = []string{it}; it == "*" {
			items = t.Items.List()
		}
	}
	var out []target
	for _, it := range items {
		for _, e := range t.Sets {
			if id, ok := e.ByItem[it]; ok && len(e.To.Arg) == 1 && e.To.Arg[0].Name == f.relative.arg.Name {
				out = append(out, target{it, id})
			}
		}
	}
	return out, len(out) == len(items)
}

// set makes the calls: one when all get the same value, else one per item.
func (d *drafter) set(f *filled, targets []target, values []float64) {
	same := !slices.ContainsFunc(values, func(v float64) bool { return v != values[0] })
	g := *f
	g.relative = nil
	if same {
		g.args = f.args.With(f.relative.arg.Name, vehicle.NumberOf(values[0]))
		d.make(&g, true)
		return
	}
	for i, t := range targets {
		one := g
		one.items = []string{t.item}
		one.args = f.args.With(f.relative.arg.Name, vehicle.NumberOf(values[i]))
		d.make(&one, true)
	}
}

func (d *drafter) reader(s vehicle.SignalID) *vehicle.Tool {
	for _, t := range d.lex.Catalog.Readers(s) {
		if t.ArgumentFree() {
			return t
		}
	}
	return nil
}

// roundStep takes the noise of adding off a number.
func roundStep(f float64) float64 { return math.Round(f*1e6) / 1e6 }
