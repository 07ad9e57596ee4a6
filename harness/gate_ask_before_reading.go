// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// askBeforeReading looks at a reply that asks the driver to choose: which one,
// how much. A question for a yes or no is none, nor is one that only ends a
// reply. The question is about the offered writes that it names; where it names
// none, about those of the driver's words, else about those of the reply. What
// could be read about them and was not is demanded first: the reads of rules
// about these writes, the stored preferences of their categories as one read,
// and the reads that need no argument of the state they change. Where everything was read, or nothing can be, the
// question may be asked, unless it offers to switch on what is on, see
// [View.offersInVain].
func askBeforeReading(v *View) []Finding {
	if !v.speaks() || v.Draft.Report || v.listens() == nil {
		return nil
	}
	about := v.askedAbout(v.Draft.Text)
	if len(about) == 0 {
		return nil
	}
	if out := v.demandReads(v.unreadAbout(about), "read before you ask the driver to choose: "); len(out) > 0 {
		return out
	}
	return v.offersInVain()
}

// askedAbout returns the offered writes that the choices a text leaves to the
// driver are about.
func (v *View) askedAbout(text string) []*vehicle.Tool {
	choice := false
	var about []*vehicle.Tool
	for _, q := range v.queries(text) {
		if !q.Choice {
			continue
		}
		choice = true
		about = v.topic(q.Sentence).preferring(about)
	}
	if !choice {
		return nil
	}
	if len(about) == 0 {
		about = v.wanted().preferring(nil)
	}
	if len(about) == 0 { // "which of these?", after a list
		about = v.topic(text).preferring(nil)
	}
	return v.offered(about)
}

// preferring adds the writes of the topic, and the reads that preferences
// speak about.
func (t *topic) preferring(list []*vehicle.Tool) []*vehicle.Tool {
	for _, w := range t.writes {
		list = add(list, w)
	}
	for _, r := range t.reads {
		if len(r.Preferences) > 0 {
			list = add(list, r)
		}
	}
	return list
}

// offered leaves out tools that are not.
func (v *View) offered(tools []*vehicle.Tool) []*vehicle.Tool {
	var out []*vehicle.Tool
	for _, t := range tools {
		if o := v.cat.Tool(t.Name); o != nil {
			out = append(out, o)
		}
	}
	return out
}

// maxReads bounds the reads that one finding demands.
const maxReads = 6

// demandReads is the finding that makes reads for the student to see.
func (v *View) demandReads(reads []vehicle.Call, note string) []Finding {
	if len(reads) == 0 {
		return nil
	}
	f := Finding{Action: DemandRead, Redraft: true}
	var said []string
	for _, c := range reads[:min(len(reads), maxReads)] {
		c.ID, c.Origin = v.newID(), vehicle.ByRead
		f.Remedy.Add = append(f.Remedy.Add, Placed{Call: c})
		said = append(said, c.Canonical())
	}
	f.Note = note + strings.Join(said, ", ")
	return []Finding{f}
}

// unreadAbout returns the reads about writes that nobody made: those their
// rules need, first, then preferences and state.
func (v *View) unreadAbout(writes []*vehicle.Tool) []vehicle.Call {
	var out []vehicle.Call
	take := func(c vehicle.Call) {
		for i := range out {
			if out[i].Canonical() == c.Canonical() {
				return
			}
		}
		if !v.readTried(rules.Want{Call: &c}) {
			out = append(out, c)
		}
	}
	for _, c := range v.ruleReads(writes) {
		take(c)
	}
	if read := v.preferenceRead(); read != nil {
		var open []string
		for _, t := range writes {
			open = v.unreadPreferences(read, t, open)
		}
		if c, ok := v.preferenceCall(read, open); ok {
			take(c)
		}
	}
	for _, t := range writes {
		for _, c := range v.stateReads(t) {
			take(c)
		}
	}
	return out
}

// stateReads returns the reads without arguments of what a write changes, as
// far as it was never read.
func (v *View) stateReads(t *vehicle.Tool) []vehicle.Call {
	var out []vehicle.Call
	for _, a := range t.Touches(nil) {
		if v.facts.meta[a.Signal].why != rules.Unread {
			continue
		}
		for _, r := range v.cat.Readers(a.Signal) {
			if r.ArgumentFree() && len(v.facts.results[r.Name]) == 0 {
				out = append(out, vehicle.Call{Tool: r.Name, Args: vehicle.ObjectOf()})
				break
			}
		}
	}
	return out
}

// ruleReads returns the reads that the rules would need if the writes were
// made at their most: switched on, opened, at the highest level.
func (v *View) ruleReads(writes []*vehicle.Tool) []vehicle.Call {
	d := &Draft{}
	for _, t := range writes {
		if len(v.set.On(t.Name)) > 0 && t.Input != nil {
			d.Calls = append(d.Calls, vehicle.Call{ID: "if " + t.Name, Tool: t.Name, Args: utmost(t.Input), Origin: vehicle.ByStudent})
		}
	}
	if len(d.Calls) == 0 {
		return nil
	}
	what := *v
	what.p, what.planner = v.ears().spare.p, v.ears().spare.planner
	what.heard = heard{ear: v.heard.ear}
	what.owner, what.owedBy = map[string]string{}, map[string]string{}
	what.prepare(d)
	defer func() { v.ears().spare.p, v.ears().spare.planner = what.p, what.planner }()
	var out []vehicle.Call
	for _, f := range gather(&what) {
		for _, p := range f.Remedy.Add {
			if r := v.cat.Tool(p.Call.Tool); r != nil && r.Access == vehicle.Read {
				out = append(out, p.Call)
			}
		}
	}
	return out
}

// utmost is the strongest value of a schema: true, the maximum, the first
// member that is declared.
func utmost(s *vehicle.Schema) vehicle.Value {
	switch {
	case s == nil:
	case len(s.Properties) > 0:
		v := vehicle.ObjectOf()
		for _, p := range s.Properties {
			if u := utmost(p.Schema); u.Known() && s.Requires(p.Name) {
				v = v.With(p.Name, u)
			}
		}
		return v
	case s.Type == "boolean":
		return vehicle.BoolOf(true)
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Max != nil:
		return vehicle.NumberOf(*s.Max)
	}
	return vehicle.Value{}
}
