// SPDX-License-Identifier: Apache-2.0

package words

import (
	"math"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// Gives reports whether the text gives the argument of a tool the value v:
//
//   - a number by itself, in digits or words, with or without a unit, as a
//     part of the argument's range ("half"), as a step from one of the values
//     that are now ("two more", "half of it"), by a word of the lexicon for it,
//     or by a word for the greatest or least of the range;
//   - a change whose size nobody said ("a bit warmer") only by the step that
//     the lexicon declares;
//   - a member of an enumeration by its own words, those of the lexicon, or as
//     it is spoken; an item also by a group it is in, by a word for all of
//     them, and all of them by the names of each. Beside a command or a
//     question no remark chooses all of them ("my windows are dirty, wash one").
//
// The default of the lexicon is given by any text; so is what the tool lacks or
// the lexicon cannot judge.
func (x *Lexicon) Gives(text, tool, arg string, v vehicle.Value, now ...vehicle.Value) bool {
	tw := x.tools[tool]
	a := tw.arg(arg)
	if a == nil || a.Default.Known() && a.Default.Equal(v) {
		return true
	}
	if text == "" {
		return false
	}
	r := x.Lang.read(text)
	if f, ok := v.Float(); ok {
		return x.givesNumber(tw, a, f, r, now)
	}
	s, ok := v.Text()
	if !ok {
		return true
	}
	if !x.givesMember(tw, a, s, r) {
		return false
	}
	if it, _ := tw.Tool.Items.Item(s); a.Item && it == "*" {
		if rest := x.withoutRemarks(text); rest != text {
			return x.givesMember(tw, a, s, x.Lang.read(rest))
		}
	}
	return true
}

// Follows reports whether the lexicon fills the argument of the call in from its
// other arguments, with the value that it has.
func (x *Lexicon) Follows(c *vehicle.Call, arg string) bool {
	tw := x.tools[c.Tool]
	v, has := c.Args.Member(arg)
	if tw == nil || !has {
		return false
	}
	f, ok := tw.Fill(c.Args.Without(arg)).Member(arg)
	return ok && f.Equal(v)
}

// withoutRemarks leaves the remarks of a text out, if it commands or asks
// anything besides.
func (x *Lexicon) withoutRemarks(text string) string {
	r := x.Lang.read(text)
	if r.rest == nil {
		rest := ""
		for _, c := range x.Lang.Utterance(text).Clauses {
			if c.Kind == Command || c.Kind == Question || c.Elliptical {
				rest += c.Text + ". "
			}
		}
		if rest == "" {
			rest = text
		}
		r.rest = &rest
	}
	return *r.rest
}

func (t *ToolWords) arg(name string) *ArgWords {
	if t != nil {
		for _, a := range t.Args {
			if a.Name == name {
				return a
			}
		}
	}
	return nil
}

// cuesOf are the cues of one argument.
func (x *Lexicon) cuesOf(tw *ToolWords, a *ArgWords, r *reading) []Cue {
	if !slices.ContainsFunc(a.cues, func(c cueWords) bool { return c.ps.anywhere(x.heard(r)) }) {
		return nil
	}
	var out []Cue
	for _, c := range x.cuesIn(r, tw) {
		if c.Arg == a {
			out = append(out, c)
		}
	}
	return out
}

func (x *Lexicon) givesNumber(tw *ToolWords, a *ArgWords, f float64, r *reading, now []vehicle.Value) bool {
	for _, q := range r.numbers() {
		if x.saysNumber(a, q, f, now) {
			return true
		}
	}
	for _, c := range x.cuesOf(tw, a, r) {
		n, isNumber := c.Value.Float()
		switch {
		case isNumber && near(n, f):
			return true
		case (c.Kind == CueMore || c.Kind == CueLess) && a.Step != 0 && stepped(f, a.Step, now):
			return true
		}
	}
	return x.saysBound(a, f, r.words())
}

// saysNumber reports whether the quantity is the number, or the way to it from
// a value that is now.
func (x *Lexicon) saysNumber(a *ArgWords, q Quantity, f float64, now []vehicle.Value) bool {
	n := q.Value
	if q.Unit != "" && a.Unit != "" && q.Unit != a.Unit {
		if c, err := vehicle.Convert(n, q.Unit, a.Unit); err == nil {
			n = c
		}
	}
	if near(n, f) || near(q.Value, f) || stepped(f, n, now) {
		return true
	}
	if !q.Part {
		return false
	}
	if s := a.Schema; s.Min != nil && s.Max != nil && near(*s.Min+n*(*s.Max-*s.Min), f) {
		return true
	}
	return slices.ContainsFunc(now, func(v vehicle.Value) bool {
		c, ok := v.Float()
		return ok && (near(c*n, f) || near(c*(1+n), f))
	})
}

func stepped(f, by float64, now []vehicle.Value) bool {
	return slices.ContainsFunc(now, func(v vehicle.Value) bool {
		c, ok := v.Float()
		return ok && (near(c+by, f) || near(c-by, f))
	})
}

// near compares numbers that were computed in different ways.
func near(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

// saysBound reports whether the number is an end of the argument's range and
// a word for that end was said.
func (x *Lexicon) saysBound(a *ArgWords, f float64, words []Token) bool {
	s := &speech{toks: words}
	says := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return x.Lang.list(n).has(s) })
	}
	return a.Schema.Max != nil && near(f, *a.Schema.Max) && says("max") ||
		a.Schema.Min != nil && near(f, *a.Schema.Min) && says("min", "off", "close")
}

func (x *Lexicon) givesMember(tw *ToolWords, a *ArgWords, member string, r *reading) bool {
	t := tw.Tool
	item, isItem := "", false
	if a.Item {
		item, isItem = t.Items.Item(member)
	}
	var named []string
	for _, c := range x.cuesOf(tw, a, r) {
		s, _ := c.Value.Text()
		switch {
		case s == member:
			return true
		case !isItem:
		case c.Kind == CueBoth:
			return true
		case c.Kind == CueItems:
			if slices.Contains(c.Items, item) {
				return true
			}
			named = append(named, c.Items...)
		default:
			it, ok := t.Items.Item(s)
			if ok && (it == item || it == "*") {
				return true
			}
			named = append(named, it)
		}
	}
	if isItem && item == "*" && !slices.ContainsFunc(t.Items.List(), func(it string) bool { return !slices.Contains(named, it) }) {
		return true
	}
	return x.Lang.Contains(r.text, Humanize(member), x.argument(tw, a.Name, vehicle.TextOf(member))) ||
		len(member) > 3 && strings.Contains(r.text, member)
}

// AskFor is the question for an argument of a tool: the lexicon's own, or one
// made of its range or its members.
func (x *Lexicon) AskFor(tool, arg string) string {
	tw := x.tools[tool]
	a := tw.arg(arg)
	switch {
	case a == nil:
		return x.Lang.Phrase(AskValue, Humanize(arg))
	case a.Ask != "":
		return a.Ask
	case len(a.Schema.Enum) > 0:
		var names []string
		for _, m := range a.Schema.EnumText() {
			if said := x.argument(tw, a.Name, vehicle.TextOf(m)); !slices.Contains(names, said) {
				names = append(names, said)
			}
		}
		return x.Lang.Phrase(AskWhich, x.Thing(tool)+" ("+Humanize(arg)+")", x.Lang.JoinList(names, Or))
	case a.Schema.Min != nil && a.Schema.Max != nil:
		return x.Lang.Phrase(AskRange, x.Thing(tool)+" ("+Humanize(arg)+")", x.Lang.Number(*a.Schema.Min), x.Lang.Number(*a.Schema.Max))
	}
	return x.Lang.Phrase(AskValue, x.Thing(tool)+" ("+Humanize(arg)+")")
}
