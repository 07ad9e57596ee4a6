// SPDX-License-Identifier: Apache-2.0

package words

import (
	"slices"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// Dictate is a value that a text wants an argument to have.
type Dictate struct {
	Value vehicle.Value
	If    string // the condition it hangs on, as it is worded; empty: none
}

// Dictates returns the values that a text, such as a stored preference, wants
// an argument of a tool to have. The text is taken apart at its pauses. A part
// wants a value when it gives exactly one, denies nothing, and names the tool
// or the argument; a part that begins with a word like "if" is the condition
// of the part that follows it. A value that is not within the schema is none.
func (x *Lexicon) Dictates(text, tool, arg string) []Dictate {
	tw := x.tools[tool]
	a := tw.arg(arg)
	if a == nil || !x.Mentions(text, tool) && !x.namesArg(text, arg) {
		return nil
	}
	var out []Dictate
	condition := ""
	for _, part := range x.parts(text) {
		if x.conditional(part) {
			condition = part
			continue
		}
		if condition != "" || x.Mentions(part, tool) || x.namesArg(part, arg) {
			if v, ok := x.dictated(tw, a, part); ok {
				out = append(out, Dictate{v, condition})
			}
		}
		condition = ""
	}
	return out
}

// namesArg reports whether the text calls the argument by its own name, which
// no other tool's argument has.
func (x *Lexicon) namesArg(text, arg string) bool {
	if !x.Lang.Contains(text, arg, Humanize(arg)) {
		return false
	}
	n := 0
	for _, t := range x.Catalog.Tools {
		if t.Input != nil && t.Input.Property(arg) != nil {
			n++
		}
	}
	return n == 1
}

// parts splits a text at its pauses and full stops.
func (x *Lexicon) parts(text string) []string {
	text = strings.ReplaceAll(x.Lang.Normal(text), "_", " ") // FRESH_AIR, as tools spell it
	var out []string
	from := 0
	for _, t := range x.Lang.read(text).toks {
		if t.Kind == Pause || t.Kind == Full {
			out = append(out, text[from:t.From])
			from = t.To
		}
	}
	return append(out, text[from:])
}

// conditional reports whether the part is a condition: it has a word like "if"
// before anything else of content.
func (x *Lexicon) conditional(part string) bool {
	toks := x.Lang.read(part).words()
	for i := range toks {
		if _, ok := x.Lang.list("condition").starts(&speech{toks: toks[i:]}); ok {
			return true
		}
		if !x.Lang.small[toks[i].Word] {
			return false
		}
	}
	return false
}

// dictated is the one value that a part of a text gives the argument.
func (x *Lexicon) dictated(tw *ToolWords, a *ArgWords, part string) (vehicle.Value, bool) {
	r := x.Lang.read(part)
	if x.Lang.list("negator").has(&speech{toks: r.words()}) {
		return vehicle.Value{}, false
	}
	var all []vehicle.Value
	add := func(v vehicle.Value) {
		if !slices.ContainsFunc(all, v.Equal) {
			all = append(all, v)
		}
	}
	if a.Schema.Type == "number" || a.Schema.Type == "integer" {
		for _, q := range r.numbers() {
			add(vehicle.NumberOf(q.Value))
		}
	}
	if len(all) == 0 && !a.Item {
		for _, c := range x.cuesOf(tw, a, r) {
			if c.Kind == CueValue {
				add(c.Value)
			}
		}
	}
	if len(all) != 1 {
		return vehicle.Value{}, false
	}
	n, isNumber := all[0].Float()
	return all[0], !isNumber || (a.Schema.Min == nil || n >= *a.Schema.Min) && (a.Schema.Max == nil || n <= *a.Schema.Max)
}
