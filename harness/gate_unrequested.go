// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"cmp"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// unrequestedWrite asks before a write of the student's own that nothing calls
// for: the driver never named what the tool is about, not even by a signal
// that it sets, by half of its name or by the member of an enumeration that
// the call takes; no reply that the driver heard and did not refuse named it;
// no stored preference that was read is about it; and no rule in play owes a
// call of it. A remark ("it is cold") is no command: what it leads to is asked
// about, not done. A write that changes nothing is let go, and so is one whose
// effects nobody declared in full: people have many names for such.
//
// A reply to a mere remark that lets the driver choose a value for the one write
// that it names has chosen the write already. Where the driver never called that
// thing by its name, the reply must say what can be done, and leave the choice
// among it.
func unrequestedWrite(v *View) []Finding {
	if v.listens() == nil {
		return nil
	}
	if v.speaks() {
		return v.settledOn()
	}
	var out []Finding
	for i := range v.Draft.Calls {
		c, t := &v.Draft.Calls[i], v.p.tools[i]
		if t == nil || t.Access != vehicle.Write || t.Guessed || !determined(t) || c.Origin != vehicle.ByStudent {
			continue
		}
		if v.covered(t) || v.unchanged(i) || v.namesMember(c, t) {
			continue
		}
		calls := v.pack(v.root(v.plan(), c.ID))
		q := &Question{Options: []Option{v.option(calls)}, About: []Asking{{Call: *c}}}
		q.Text = v.lang.Phrase(words.AskYesNo, q.Options[0].Label)
		out = append(out, Finding{Action: AskFirst, Subjects: []string{c.ID}, Question: q,
			Note: "nobody asked for " + c.Canonical() + ": offer it, do not do it"})
	}
	return out
}

// settledOn finds the one write that a reply to a remark asks a value for.
func (v *View) settledOn() []Finding {
	if v.Draft.Report || v.speech.Command || v.speech.Question || v.saidYes || v.saidNo {
		return nil
	}
	about := v.offered(v.topic(v.Draft.Text).writes)
	choice := slices.ContainsFunc(v.queries(v.Draft.Text), func(q words.Query) bool { return q.Choice })
	if !choice || len(about) != 1 || v.saidByDriver(func(text string) bool { return v.calls(text, about[0]) }) {
		return nil
	}
	return []Finding{{Action: Say, Note: "the driver only made a remark, and nobody asked for " + about[0].Name +
		": say what can be done about it, and let the driver choose"}}
}

// calls reports whether a text calls the thing that a tool sets what it is
// called: "warm" is said of more than a temperature.
func (v *View) calls(text string, t *vehicle.Tool) bool {
	thing := v.lang.ToolName(t.Name)
	_, noun, _ := strings.Cut(thing, " ")
	return v.lang.MentionsAny(text, []string{thing, cmp.Or(noun, thing)})
}

// covered reports whether something calls for a write of the tool.
func (v *View) covered(t *vehicle.Tool) bool {
	key := "covered " + t.Name
	if is, ok := v.grounded[key]; ok {
		return is
	}
	ear := v.listens()
	about := func(text string) bool {
		return v.topic(text).is(t.Name) || v.lang.MentionsTool(text, t.Name) || ear.Hints(text, t.Name)
	}
	is := v.spoken(about)
	for _, p := range v.preferences() {
		is = is || about(p)
	}
	is = is || v.inPlay(t.Name, func(*rules.Rule, *rules.Owe) bool { return true })
	v.grounded[key] = is
	return is
}

// namesMember reports whether the driver said a member of an enumeration that
// the call takes and that chooses no item.
func (v *View) namesMember(c *vehicle.Call, t *vehicle.Tool) bool {
	for k := range c.Args.Len() {
		name, val := c.Args.NameAt(k), c.Args.At(k)
		if val.Kind() != vehicle.String || !isChoice(t, name, val) || isItem(t, name) {
			continue
		}
		if v.saidByDriver(func(text string) bool { return v.lang.Gives(text, c.Tool, name, val) }) {
			return true
		}
	}
	return false
}

// determined reports whether what a call of the tool does is declared in full.
func determined(t *vehicle.Tool) bool {
	for _, e := range t.Sets {
		if e.To.Op == vehicle.Forget {
			return false
		}
	}
	return t.Declared && len(t.Sets) > 0
}
