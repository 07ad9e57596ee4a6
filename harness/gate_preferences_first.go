// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// preferencesFirst demands the stored preferences that speak about a write
// before the first such write. A write of the student, or one that a rule owes
// by default, counts when its tool declares categories of preferences of
// which one was not read in this conversation, and when it has a value that
// the driver's words do not give and no choice of the driver settles: there is
// nothing to decide for a preference otherwise. The categories of all writes of the draft are one read, of
// exactly these. A read that was tried in this turn is not demanded again,
// and the student decides anew when something came of it.
func preferencesFirst(v *View) []Finding {
	read := v.preferenceRead()
	if read == nil || v.listens() == nil {
		return nil
	}
	var need, subjects []string
	redraft := false
	for i := range v.Draft.Calls {
		c, t := &v.Draft.Calls[i], v.p.tools[i]
		if t == nil || t.Access != vehicle.Write || len(t.Preferences) == 0 || !v.chosen(c) {
			continue
		}
		open := v.unreadPreferences(read, t, nil)
		if len(open) == 0 || v.valuesGiven(c) {
			continue
		}
		subjects, redraft = append(subjects, c.ID), redraft || c.Origin == vehicle.ByStudent
		for _, category := range open {
			if !contains(need, category) {
				need = append(need, category)
			}
		}
	}
	c, ok := v.preferenceCall(read, need)
	if !ok {
		return nil
	}
	return []Finding{{Action: DemandRead, Subjects: subjects, Redraft: redraft,
		Remedy: Remedy{Add: []Placed{{Call: c, Before: subjects[0]}}}, Note: "read the stored preferences first: " + c.Canonical()}}
}

// chosen reports whether somebody chose the call's values freely: the student,
// or a rule that only has a default.
func (v *View) chosen(c *vehicle.Call) bool {
	switch c.Origin {
	case vehicle.ByStudent:
		return true
	case vehicle.ByRule:
		r := v.set.Rule(v.owedBy[c.ID])
		return r != nil && r.Default
	}
	return false
}

// valuesGiven reports whether the driver's words give every value of the call.
func (v *View) valuesGiven(c *vehicle.Call) bool {
	given := true
	texts := []string{v.utterance}
	for _, a := range v.asks {
		if a.State == AskOpen {
			texts = append(texts, v.whole(a))
		}
	}
	if v.saidYes {
		texts = append(texts, v.asked)
	}
	c.Args.Walk(func(p vehicle.Path, leaf vehicle.Value) {
		given = given && (v.settled(leaf) || slices.ContainsFunc(texts, func(text string) bool {
			return v.lang.MentionsValue(v.partAbout(text, c.Tool), c.Tool, p, leaf)
		}))
	})
	return given
}

// settled reports whether a value is the identifier of something that was seen
// and that no preference chooses any more: it stood alone, or the driver chose
// it, by words that only it bears or with a yes to a question that has them.
func (v *View) settled(leaf vehicle.Value) bool {
	id, ok := leaf.Text()
	if !ok || !isIdentifier(id) || !v.facts.idents.has(id) {
		return false
	}
	a, several := v.alternativesTo(id)
	if !several {
		return true
	}
	names, tags := a.labels(a.chosen)
	chooses := func(text string) bool { return v.lang.MentionsAny(text, append(names, tags...)) }
	return v.saidByDriver(chooses) || v.saidYes && chooses(v.asked)
}

// preferenceRead is the offered read of stored preferences, or nil.
func (v *View) preferenceRead() *vehicle.Tool {
	if !v.heard.prefLooked {
		v.heard.prefLooked = true
		for _, t := range v.cat.Tools {
			if t.HasTag(TagPreferences) && t.Access == vehicle.Read {
				v.heard.prefs = t
				break
			}
		}
	}
	return v.heard.prefs
}

// unreadPreferences appends the categories about the tool that can be read
// and that nobody has read: with a result in this conversation, or at all in
// this turn.
func (v *View) unreadPreferences(read *vehicle.Tool, t *vehicle.Tool, out []string) []string {
	for _, category := range t.Preferences {
		p, ok := categoryPath(read, category)
		if !ok || contains(out, category) {
			continue
		}
		known := false
		for i := range v.facts.done {
			d := &v.facts.done[i]
			if d.call.Tool != read.Name || !d.result.OK() && d.turn != v.turn {
				continue
			}
			if x, ok := d.call.Args.Get(p); ok && x.Known() {
				known = true
				break
			}
		}
		if !known {
			out = append(out, category)
		}
	}
	return out
}

// preferenceCall is the one read of the categories.
func (v *View) preferenceCall(read *vehicle.Tool, categories []string) (vehicle.Call, bool) {
	if len(categories) == 0 {
		return vehicle.Call{}, false
	}
	args := vehicle.ObjectOf()
	for _, category := range categories {
		p, _ := categoryPath(read, category)
		args = setAll(args, p, read.Input.At(p))
	}
	c := vehicle.Call{Tool: read.Name, Args: args}
	if v.readTried(rules.Want{Call: &c}) {
		return c, false
	}
	c.ID, c.Origin = v.newID(), vehicle.ByRead
	return c, true
}

// categoryPath is where the read takes a category, dotted, as an argument:
// at its own path, or below one of the arguments.
func categoryPath(read *vehicle.Tool, category string) (vehicle.Path, bool) {
	p, err := vehicle.ParsePath(category)
	if err != nil || read.Input == nil {
		return nil, false
	}
	if read.Input.At(p) != nil {
		return p, true
	}
	for _, a := range read.Input.Properties {
		if a.Schema.At(p) != nil {
			return append(vehicle.MustPath(a.Name), p...), true
		}
	}
	return nil, false
}

// setAll sets the flag at the path, or every flag below it.
func setAll(v vehicle.Value, p vehicle.Path, s *vehicle.Schema) vehicle.Value {
	if len(p) > 0 {
		inner, ok := v.Member(p[0].Name)
		if !ok {
			inner = vehicle.ObjectOf()
		}
		return v.With(p[0].Name, setAll(inner, p[1:], s))
	}
	if s == nil || len(s.Properties) == 0 {
		return vehicle.BoolOf(true)
	}
	for _, m := range s.Properties {
		v = v.With(m.Name, setAll(vehicle.ObjectOf(), nil, m.Schema))
	}
	return v
}
