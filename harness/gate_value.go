// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// valueGrounding asks for a value of a write that nothing gave. It looks at
// the numbers, the items and the members of enumerations of more than two
// that the student put into a write of its own; booleans and enumerations of
// two follow from the verb, identifiers have their own gate, free text and
// lists are nobody's choice. A value is given when
//
//   - the call changes nothing with it, it is the schema's default, or it
//     follows from the call's other arguments by custom,
//   - the driver said it, or the way to it from the value that is now, in any
//     utterance of the conversation, or did not refuse a reply that says it,
//   - a stored preference about the tool that was read says it,
//   - a rule in play owes a call of the tool with it,
//   - another item of the tool, or a thing that the driver named, was seen to
//     have it; for an item: a read told the items apart.
//
// Else the call waits for one question that names the argument.
func valueGrounding(v *View) []Finding {
	var out []Finding
	for i := range v.Draft.Calls {
		c, t := &v.Draft.Calls[i], v.p.tools[i]
		if t == nil || t.Access != vehicle.Write || t.Guessed || t.Input == nil || c.Origin != vehicle.ByStudent || c.Args.Kind() != vehicle.Object {
			continue
		}
		var names, asks []string
		for k := range c.Args.Len() {
			name := c.Args.NameAt(k)
			if isChoice(t, name, c.Args.At(k)) && !v.given(i, name) {
				names, asks = append(names, name), append(asks, v.lang.AskFor(t.Name, name))
			}
		}
		if len(names) > 0 && len(t.Input.Validate(c.Args)) == 0 { // else it is not this call that will be made
			out = append(out, Finding{Action: AskFirst, Subjects: []string{c.ID}, Question: &Question{Text: strings.Join(asks, " ")},
				Note: fmt.Sprintf("nobody gave %s of %s a value: ask for it", strings.Join(names, ", "), c.Canonical())})
		}
	}
	return out
}

// isChoice reports whether somebody has to choose the argument's value.
func isChoice(t *vehicle.Tool, name string, val vehicle.Value) bool {
	s := t.Input.Property(name)
	if s == nil || s.Default.Known() && s.Default.Equal(val) || s.Const.Known() {
		return false
	}
	switch val.Kind() {
	case vehicle.Number:
		return true
	case vehicle.String:
		return len(s.Enum) > 2 || len(s.Enum) > 1 && isItem(t, name)
	}
	return false
}

func isItem(t *vehicle.Tool, name string) bool {
	return t.Items != nil && len(t.Items.Arg) == 1 && t.Items.Arg[0].Name == name
}

// given reports whether something gives the argument of call i its value.
func (v *View) given(i int, name string) bool {
	c, t := &v.Draft.Calls[i], v.p.tools[i]
	key := c.Canonical() + " " + name
	if g, ok := v.grounded[key]; ok {
		return g
	}
	val, _ := c.Args.Member(name)
	g := v.unchanged(i) || !matters(t, c.Args, name) || v.lang.Follows(c, name) || v.givenBy(i, name, val)
	v.grounded[key] = g
	return g
}

func (v *View) givenBy(i int, name string, val vehicle.Value) bool {
	c, t := &v.Draft.Calls[i], v.p.tools[i]
	var now, seen []vehicle.Value
	if val.Kind() == vehicle.Number {
		now, seen = v.valuesNow(i, name)
	}
	gives := func(text string) bool { return v.lang.Gives(text, c.Tool, name, val, now...) }
	if v.spoken(gives) || v.prefers(c.Tool, gives) {
		return true
	}
	for _, w := range seen {
		if w.Equal(val) {
			return true
		}
	}
	if isItem(t, name) && v.itemsDiffer(t.Items) {
		return true
	}
	return v.inPlay(c.Tool, func(_ *rules.Rule, o *rules.Owe) bool {
		for k := range o.Args {
			if a := &o.Args[k]; a.Name == name {
				return a.Value.Item || a.Value.Left != nil || a.Value.Const.Equal(val)
			}
		}
		return false
	})
}

// unchanged reports whether call i sets only what is so already.
func (v *View) unchanged(i int) bool {
	set := assigns(v.p.tools[i], &v.Draft.Calls[i], nil)
	for _, a := range set {
		if now := v.p.states[i][a.Signal]; a.Op != vehicle.Set || !now.Known() || !now.Equal(a.Value) {
			return false
		}
	}
	return len(set) > 0
}

// matters reports whether an effect of the call depends on the argument.
func matters(t *vehicle.Tool, args vehicle.Value, name string) bool {
	if !t.Declared || len(t.Sets) == 0 {
		return true
	}
	for _, e := range t.Sets {
		holds := true
		for _, w := range e.When {
			got, ok := args.Get(w.Arg)
			holds = holds && ok && got.Equal(w.Is)
		}
		if holds && (len(e.To.Arg) > 0 && e.To.Arg[0].Name == name || e.ByItem != nil && isItem(t, name)) {
			return true
		}
	}
	return false
}

// valuesNow are the known values of what an argument of call i sets, and those
// that it may be meant to be like: of the tool's items, and of what else the
// driver named that is measured in the same unit.
func (v *View) valuesNow(i int, name string) (now, seen []vehicle.Value) {
	set := assigns(v.p.tools[i], &v.Draft.Calls[i], nil)
	state, unit := v.p.states[i], vehicle.Unit("")
	for _, e := range v.p.tools[i].Sets {
		if len(e.To.Arg) == 0 || e.To.Arg[0].Name != name {
			continue
		}
		unit = e.Unit
		for _, s := range effectSignals(e) {
			if state[s].Known() && setsSignal(set, s) {
				now = append(now, state[s])
			}
			if was := v.facts.state[s]; was.Known() { // as it is, not as the draft would make it
				seen = append(seen, was)
			}
		}
	}
	for _, s := range v.cat.Profile.Signals {
		if was := v.facts.state[s.ID]; s.Unit == unit && was.Known() && v.namesSignal(s.ID, v.Draft.Calls[i].Tool) {
			seen = append(seen, was)
		}
	}
	return now, seen
}

// namesSignal reports whether the driver named a thing that another tool sets.
func (v *View) namesSignal(s vehicle.SignalID, but string) bool {
	for _, t := range v.cat.Writers(s) {
		if t.Name != but && v.saidByDriver(func(text string) bool { return v.lang.MentionsTool(text, t.Name) }) {
			return true
		}
	}
	return false
}

func effectSignals(e *vehicle.Effect) []vehicle.SignalID {
	if e.ByItem == nil {
		return []vehicle.SignalID{e.Signal}
	}
	out := make([]vehicle.SignalID, 0, len(e.ByItem))
	for _, s := range e.ByItem {
		out = append(out, s)
	}
	return out
}

func setsSignal(set []vehicle.Assignment, s vehicle.SignalID) bool {
	for i := range set {
		if set[i].Signal == s {
			return true
		}
	}
	return false
}
