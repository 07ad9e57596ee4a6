// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

// repair applies every exact remedy to a copy of the draft and says what it
// changed. Findings that need judgement are left for the student. While reads
// are still to be made only the form is mended: what is owed is computed once,
// on all that is known then.
func (r *run) repair(d Draft, found []Finding, reading bool) (Draft, []string) {
	var said []string
	out := d
	out.Calls = slices.Clone(d.Calls)
	if d.Text != "" && len(d.Calls) > 0 {
		out.Text = ""
		said = append(said, "dropped the text beside the calls")
	}
	for i := range found {
		f := &found[i]
		if f.Action != Repair || r.s.Config.Off.covers(f) || reading && f.Rule != "" {
			continue
		}
		said = append(said, r.apply(&out, f)...)
	}
	return out, said
}

func (r *run) apply(d *Draft, f *Finding) []string {
	var said []string
	m := &f.Remedy
	for i := range d.Calls {
		if c, ok := m.Replace[d.Calls[i].ID]; ok {
			said = append(said, "replaced "+d.Calls[i].Canonical()+" by "+c.Canonical())
			d.Calls[i] = c
		}
	}
	drop := func(ids []string, verb string, take func(vehicle.Call)) {
		for _, id := range ids {
			if i := indexCall(d.Calls, id); i >= 0 {
				said = append(said, verb+" "+d.Calls[i].Canonical())
				take(d.Calls[i])
				d.Calls = slices.Delete(d.Calls, i, i+1)
			}
		}
	}
	drop(m.Remove, "removed", func(vehicle.Call) {})
	drop(r.packages(d, m.Defer), "deferred", func(c vehicle.Call) {
		if c.Origin != vehicle.ByRule { // what is owed for it is owed anew
			r.deferred = append(r.deferred, c)
		}
	})
	for _, p := range m.Add {
		at, owner := 0, p.Before // owed for a call of an earlier step: first of all
		if p.After != "" {
			owner = p.After
		}
		if owner != "" {
			if at = indexCall(d.Calls, owner); at < 0 {
				continue // its trigger is gone; the next check sees what is owed then
			}
		}
		if p.After != "" {
			at++
		}
		if owedAlready(d.Calls[:at], &p.Call) {
			continue // two gates demand it
		}
		verb := "added "
		i := indexCall(d.Calls, p.Call.ID)
		if i >= 0 && i < at && p.After == "" {
			continue // a second rule owes the same call, and it stands in its place
		}
		moving := []vehicle.Call{p.Call}
		if i >= 0 {
			verb, moving = "moved ", slices.Concat(r.v.owedFor(d.Calls, p.Call.ID), moving)
			moving = slices.DeleteFunc(moving, func(c vehicle.Call) bool { return c.ID == owner })
			d.Calls = slices.DeleteFunc(d.Calls, func(c vehicle.Call) bool { return indexCall(moving, c.ID) >= 0 })
			if at = max(0, indexCall(d.Calls, owner)); p.After != "" {
				at++
			}
		}
		d.Calls = slices.Insert(d.Calls, at, moving...)
		if owner != "" && (i < 0 || p.Call.Origin == vehicle.ByRule) { // the student's own call stands for itself
			r.v.owner[p.Call.ID], r.v.owedBy[p.Call.ID] = owner, f.Rule
		}
		said = append(said, verb+p.Call.Canonical())
	}
	if m.DropText && d.Text != "" {
		d.Text = ""
		said = append(said, "put the text off until what is owed was done")
	}
	if m.Text != "" && m.Text != d.Text {
		d.Text = m.Text
		said = append(said, "added what the driver must be told")
	}
	return said
}

// owedFor returns the calls that were added for a call, and for those, in their
// order: they go where it goes.
func (v *View) owedFor(calls []vehicle.Call, id string) []vehicle.Call {
	var out []vehicle.Call
	for _, c := range calls {
		at := v.owner[c.ID]
		for range maxOwed {
			if at == "" || at == id {
				break
			}
			at = v.owner[at]
		}
		if at == id {
			out = append(out, c)
		}
	}
	return out
}

// packages returns the ids of the calls and of all that belongs to them: what
// is owed for a call does not go, or wait, without it.
func (r *run) packages(d *Draft, ids []string) []string {
	var out []string
	for _, id := range ids {
		root := r.v.root(r.v.plan(), id)
		for i := range d.Calls {
			if c := d.Calls[i].ID; !contains(out, c) && (c == id || r.v.root(r.v.plan(), c) == root) {
				out = append(out, c)
			}
		}
	}
	return out
}

// owedAlready reports whether the same call was added for a rule before.
func owedAlready(calls []vehicle.Call, c *vehicle.Call) bool {
	for i := range calls {
		if o := &calls[i]; o.ID != c.ID && o.Origin == vehicle.ByRule && o.Tool == c.Tool && o.Canonical() == c.Canonical() {
			return true
		}
	}
	return false
}
