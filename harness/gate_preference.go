// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// preferenceConflict compares the values of the student's own writes with the
// stored preferences that were read. A value is in conflict when a preference
// about the tool wants another one and the driver's own words, or an offer
// that a plain yes agrees to, do not give it; a request beats a preference. A
// preference under a condition counts when the condition's subject is what the
// draft leaves on, or what the driver asked for, and then beats one without;
// when nobody knows whether the condition holds, nothing is wanted. The value
// is put in place of the student's where exactly one is wanted; where several
// are, or members of an enumeration are made of each other, so that the wanted
// one may be part of the right one, the driver is asked. What a rule owes by
// default gives way too, to the one value that is wanted and with which the
// rule has nothing left to demand; nobody is asked about it.
func preferenceConflict(v *View) []Finding {
	if !v.writes() || len(v.preferences()) == 0 {
		return nil
	}
	var out []Finding
	for i := range v.Draft.Calls {
		c, t := &v.Draft.Calls[i], v.p.tools[i]
		if t == nil || t.Access != vehicle.Write || t.Input == nil || !v.chosen(c) || c.Args.Kind() != vehicle.Object {
			continue
		}
		for k := range c.Args.Len() {
			name, val := c.Args.NameAt(k), c.Args.At(k)
			if !isChoice(t, name, val) || isItem(t, name) || !matters(t, c.Args, name) {
				continue
			}
			wanted, from := v.preferredValues(c.Tool, name)
			switch {
			case len(wanted) == 0 || among(wanted, val) || v.valueRequested(i, name, val):
			case c.Origin == vehicle.ByStudent:
				out = append(out, v.conflict(c, t, name, wanted, from))
			case len(wanted) == 1:
				fixed := *c
				if fixed.Args = c.Args.With(name, wanted[0]); len(t.Input.Validate(fixed.Args)) == 0 && v.satisfies(i, fixed) {
					out = append(out, replaceCall(c.ID, fixed, fmt.Sprintf("rule %s yields to the stored preference: %q", v.owedBy[c.ID], from)))
				}
			}
		}
	}
	return out
}

// conflict is the finding about one argument.
func (v *View) conflict(c *vehicle.Call, t *vehicle.Tool, name string, wanted []vehicle.Value, from string) Finding {
	note := fmt.Sprintf("%s of %s is not what the stored preference wants: %q", name, c.Canonical(), from)
	fixed := *c
	fixed.Args = c.Args.With(name, wanted[0])
	if len(wanted) == 1 && !composed(t.Input.Property(name)) && len(t.Input.Validate(fixed.Args)) == 0 {
		return replaceCall(c.ID, fixed, note)
	}
	return Finding{Action: AskFirst, Subjects: []string{c.ID}, Question: &Question{Text: v.lang.AskFor(t.Name, name)}, Note: note}
}

// satisfies reports whether nothing is owed that is not owed now when another
// call stands in the place of call i.
func (v *View) satisfies(i int, instead vehicle.Call) bool {
	calls := slices.Clone(v.Draft.Calls)
	calls[i] = instead
	owed, holds := len(v.plan().added), len(v.plan().holds)
	pl := v.makePlan(calls)
	return len(pl.added) <= owed && len(pl.holds) <= holds && len(pl.conflicts) <= len(v.plan().conflicts)
}

// valueRequested reports whether the driver's own words give the value, or a plain yes
// to what the assistant said with it.
func (v *View) valueRequested(i int, name string, val vehicle.Value) bool {
	var now []vehicle.Value
	if val.Kind() == vehicle.Number {
		now, _ = v.valuesNow(i, name)
	}
	tool := v.Draft.Calls[i].Tool
	gives := func(text string) bool { return v.lang.Gives(v.partAbout(text, tool), tool, name, val, now...) }
	return v.saidInTurns(gives) || v.saidYes && gives(v.asked)
}

// preferredValues are the values that the stored preferences want for an
// argument as things are, and one sentence that says so.
func (v *View) preferredValues(tool, name string) (wanted []vehicle.Value, from string) {
	for _, p := range v.preferences() {
		var base, special []vehicle.Value
		for _, d := range v.lang.Dictates(p, tool, name) {
			switch {
			case d.If == "":
				base = append(base, d.Value)
			default:
				switch v.holds(d.If) {
				case rules.True:
					special = append(special, d.Value)
				case rules.Unknown:
					return nil, ""
				}
			}
		}
		if len(special) > 0 {
			base = special
		}
		for _, val := range base {
			if !among(wanted, val) {
				wanted, from = append(wanted, val), p
			}
		}
	}
	return wanted, from
}

// holds reports whether the condition of a preference is met: one of the
// things that it names is on after the draft, or is what the driver asked for.
func (v *View) holds(condition string) rules.Truth {
	truth := rules.Unknown
	for _, t := range v.cat.Tools {
		if t.Access != vehicle.Write || !v.lang.MentionsTool(condition, t.Name) {
			continue
		}
		if v.requestedTool(t.Name) {
			return rules.True
		}
		for _, e := range t.Sets {
			for _, s := range effectSignals(e) {
				on, ok := v.p.after()[s].Truth()
				if on {
					return rules.True
				}
				if ok {
					truth = rules.False
				}
			}
		}
	}
	return truth
}

// requestedTool reports whether the driver's newest words or an open ask name
// what the tool is about.
func (v *View) requestedTool(tool string) bool {
	return v.requested(&vehicle.Call{Tool: tool})
}

// composed reports whether members of an enumeration are made of others of it:
// A_B beside A and B.
func composed(s *vehicle.Schema) bool {
	if s == nil {
		return false
	}
	all := s.EnumText()
	for _, m := range all {
		parts := strings.Split(m, "_")
		if len(parts) < 2 {
			continue
		}
		n := 0
		for _, p := range parts {
			if contains(all, p) {
				n++
			}
		}
		if n == len(parts) {
			return true
		}
	}
	return false
}

func among(list []vehicle.Value, val vehicle.Value) bool {
	for _, x := range list {
		if x.Equal(val) {
			return true
		}
	}
	return false
}
