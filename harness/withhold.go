// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

// withholding is what a release keeps back, and why.
type withholding struct {
	why  map[string]*Finding // by call id
	kept []vehicle.Call
	asks []*Finding
}

// sift takes out of a draft what carries a hard finding, and judges what is
// left anew: a call must not rest on the effect of one that is not carried
// out. It returns what may go.
func (r *run) sift(ctx context.Context, d Draft, left []Finding, w *withholding) Draft {
	for {
		r.v.prepare(&d)
		for i := range left {
			r.blame(&left[i], w)
		}
		var free []vehicle.Call
		fresh := false
		for _, c := range d.Calls {
			if w.why[c.ID] == nil {
				free = append(free, c)
				continue
			}
			if again := r.keptAlready(&c, w); !again {
				w.kept, fresh = append(w.kept, c), true
			} else if c.Origin != vehicle.ByRule {
				fresh = true // the same a second time: what comes after may rest on it
			}
		}
		gone := len(free) < len(d.Calls)
		d.Calls = free
		switch {
		case !gone || !r.writes(free):
			return d
		case fresh:
			d, left = r.verify(ctx, d)
		default: // mended, it would only owe the same again
			if left = r.heldAsIs(&d); len(left) == 0 {
				return d
			}
		}
	}
}

// heldAsIs is what rules hold against calls of the draft as it is. What could
// be mended keeps its call back as well.
func (r *run) heldAsIs(d *Draft) []Finding {
	found := slices.DeleteFunc(r.s.check(r.v, d), func(f Finding) bool {
		return !ofTheCar(&f) || !slices.ContainsFunc(f.Subjects, func(id string) bool { return indexCall(d.Calls, id) >= 0 })
	})
	for i := range found {
		if f := &found[i]; f.Driver == "" && f.Action != AskFirst {
			f.Driver = r.v.reason(f)
		}
	}
	return stuck(found)
}

// ofTheCar reports whether a finding about a call hangs on the state of the
// car. The others were judged before, and hold whatever else is carried out.
func ofTheCar(f *Finding) bool { return f.Rule != "" && f.Gate != "excess" && f.Action != Say }

// keptAlready reports whether the same call was kept back before: a rule that
// owes it again changes nothing about that.
func (r *run) keptAlready(c *vehicle.Call, w *withholding) bool {
	for i := range w.kept {
		if w.kept[i].Canonical() == c.Canonical() {
			return true
		}
	}
	return false
}

func (r *run) writes(calls []vehicle.Call) bool {
	for _, c := range calls {
		if t := r.s.Catalog.Tool(c.Tool); t == nil || t.Access == vehicle.Write {
			return true
		}
	}
	return false
}

// blame marks what a finding keeps back.
func (r *run) blame(f *Finding, w *withholding) {
	if f.Action == AskFirst {
		w.asks = append(w.asks, f)
	}
	if f.Action != Block && f.Action != AskFirst {
		return
	}
	found := false
	for _, id := range f.Subjects {
		r.withhold(w, id, f)
		found = found || w.why[id] != nil
		if f.Action == AskFirst && (f.Question == nil || len(f.Question.Options) == 0) {
			r.withholdMeans(w, id, f)
		}
	}
	if found {
		return
	}
	// A finding that names no call of the draft may be about any of its writes.
	for i, c := range r.v.Draft.Calls {
		if t := r.v.p.tools[i]; (t == nil || t.Access == vehicle.Write) && w.why[c.ID] == nil {
			w.why[c.ID] = f
		}
	}
}

// withholdMeans marks what the student drafted itself and a rule may owe for a
// call that waits for a value: it may be there for that call's sake.
func (r *run) withholdMeans(w *withholding, id string, f *Finding) {
	c := r.v.callByID(id)
	if c == nil {
		return
	}
	means := map[string]bool{}
	r.v.means(c.Tool, means)
	for _, d := range r.v.Draft.Calls {
		if means[d.Tool] && d.Tool != c.Tool && w.why[d.ID] == nil {
			w.why[d.ID] = f
		}
	}
}

// means collects the tools that rules owe for a tool, and for these in turn.
func (v *View) means(tool string, into map[string]bool) {
	for _, r := range v.set.On(tool) {
		for _, o := range r.Owe {
			if !into[o.Call] {
				into[o.Call] = true
				v.means(o.Call, into)
			}
		}
	}
}

// withhold marks the call and, since a trigger and its remedies stand and
// fall together, everything of its package.
func (r *run) withhold(w *withholding, id string, f *Finding) {
	root := r.v.root(r.v.plan(), id)
	for _, c := range r.v.Draft.Calls {
		if c.ID != id && r.v.root(r.v.plan(), c.ID) != root {
			continue
		}
		if old := w.why[c.ID]; old == nil || old.Action == AskFirst && f.Action == Block {
			w.why[c.ID] = f
		}
	}
}

// answerable leaves out questions about calls that are withheld whatever the
// driver says.
func (w *withholding) answerable() []*Finding {
	var out []*Finding
	for _, f := range w.asks {
		if why := w.why[subject(f)]; why == nil || why.Action == AskFirst {
			out = append(out, f)
		}
	}
	return out
}

// keepBack notes that a call was not carried out. What only falls with its
// trigger is not reported apart.
func (r *run) keepBack(c vehicle.Call, f *Finding) {
	why := f.Note
	switch {
	case f.Action == AskFirst:
		why = "waits for the driver's answer"
	case contains(f.Subjects, c.ID), c.Origin != vehicle.ByRule:
		h := held(c, f)
		if rule := r.owing(f, c.ID); rule != "" {
			h.Rule, h.Reason = rule, "rule "+rule+" requires what must not be done: "+f.Note
		}
		r.turn.Withheld = append(r.turn.Withheld, h)
		r.v.refused[c.Canonical()] = f.Note
		r.s.settleAsks(c.Tool, c.ID, AskRefused)
	}
	r.s.history.result(vehicle.Result{CallID: c.ID, Tool: c.Tool, Status: vehicle.Refused, Reason: why, At: r.s.Now()})
}

// owing is the rule that demands, for the call, one of the calls that a
// finding is about.
func (r *run) owing(f *Finding, id string) string {
	for _, s := range f.Subjects {
		if s != id && r.v.owner[s] == id {
			return r.v.owedBy[s]
		}
	}
	return ""
}

// held says that a finding withheld a call.
func held(c vehicle.Call, f *Finding) Held {
	return Held{Call: c, Gate: f.Gate, Rule: f.Rule, Reason: f.Note, Say: f.Driver}
}
