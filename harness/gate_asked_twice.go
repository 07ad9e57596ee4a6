// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// askedTwice looks at a reply that asks the driver to choose what is chosen
// already. There are two ways:
//
//   - The assistant's reply just before, or the one before that, asked for the
//     same and the driver has answered since. Two questions ask for the same
//     when they are about the same writes and share most of their words.
//   - The assistant's last reply left a choice to the driver or admitted a
//     limit, the driver wanted the matter looked up instead of answering, and
//     the draft admits that it cannot be: the driver does not know it either.
//   - A stored preference that was read wants a value for an argument of a tool
//     that the question is about, under no condition that is known not to hold,
//     no call was made with it and the reply does not say it. Where the driver's
//     own words name some value for that argument, the question may be put.
//
// Then the question must not be put: what was said is used, or it is said what
// cannot be done. A question about exact calls that the harness itself put again
// is no draft and is not judged.
func askedTwice(v *View) []Finding {
	if !v.speaks() || v.Draft.Report || v.listens() == nil {
		return nil
	}
	for _, q := range v.queries(v.Draft.Text) {
		if !q.Choice {
			continue
		}
		if old := v.askedBefore(q); old != "" {
			return []Finding{{Action: Say, Note: "the driver was asked this already: " + old +
				" Use the answer, or say what cannot be known or done without it; do not ask again"}}
		}
		if v.givenBack() {
			return []Finding{{Action: Say, Note: "the driver was asked and wants it looked up: say what cannot be known or done here, and do not ask the driver for it again"}}
		}
		if tool, name, from := v.preferenceAnswers(q); tool != "" {
			return []Finding{{Action: Say, Note: fmt.Sprintf("do not let the driver choose %s of %s: the stored preference says %q; use it, or offer it for a yes", name, tool, from)}}
		}
	}
	return nil
}

// askedBefore returns the question of an earlier reply that asked for the same
// as q, or nothing.
func (v *View) askedBefore(q words.Query) string {
	if v.turn < 2 {
		return ""
	}
	for _, text := range v.history.spoken(maxAsked) {
		for _, old := range v.queries(text) {
			if old.Choice && v.same(q, old) {
				return old.Sentence
			}
		}
	}
	return ""
}

// givenBack reports whether the driver answered a choice, or a limit, by
// wanting something looked up, and it could not be.
func (v *View) givenBack() bool {
	if v.turn < 2 || !v.says(v.utterance, words.LookUp) || !v.admitsAny(v.Draft.Text) {
		return false
	}
	last := v.history.lastSpoken()
	return last != "" && (v.admitsAny(last) || slices.ContainsFunc(v.queries(last), func(q words.Query) bool { return q.Choice }))
}

// preferenceAnswers returns the argument that a choice in the draft is about
// and that a stored preference gives, and the preference.
func (v *View) preferenceAnswers(q words.Query) (tool, name, from string) {
	if len(v.preferences()) == 0 {
		return "", "", ""
	}
	about := v.offered(v.topic(q.Sentence).preferring(nil))
	if len(about) == 0 {
		about = v.askedAbout(v.Draft.Text)
	}
	for _, t := range about {
		if t.Input == nil {
			continue
		}
		for _, p := range t.Input.Properties {
			if isItem(t, p.Name) || v.saidByDriver(func(text string) bool {
				return v.lang.NamesValue(v.partAbout(text, t.Name), t.Name, vehicle.MustPath(p.Name))
			}) {
				continue
			}
			for _, pref := range v.preferences() {
				if slices.ContainsFunc(v.lang.Dictates(pref, t.Name, p.Name), func(d words.Dictate) bool {
					return (d.If == "" || v.holds(d.If) != rules.False) && !v.used(q, t, p.Name, d.Value)
				}) {
					return t.Name, p.Name, pref
				}
			}
		}
	}
	return "", "", ""
}

// used reports whether a value is put to use: a call of the tool was made with
// it, or the draft says it, and no other one, beside the question.
func (v *View) used(q words.Query, t *vehicle.Tool, name string, val vehicle.Value) bool {
	for i := range v.facts.done {
		if d := &v.facts.done[i]; d.call.Tool == t.Name && d.result.OK() {
			if got, ok := d.call.Args.Member(name); ok && got.Equal(val) {
				return true
			}
		}
	}
	rest := strings.ReplaceAll(v.Draft.Text, q.Sentence, "")
	return v.lang.Gives(rest, t.Name, name, val) && !slices.ContainsFunc(t.Input.Property(name).Enum, func(o vehicle.Value) bool {
		return !o.Equal(val) && v.lang.Gives(rest, t.Name, name, o)
	})
}

// minAsked is how many different words a question has that can be recognised.
const minAsked = 6

// maxAsked is how many replies back a question is the same question.
const maxAsked = 2

// same reports whether two questions ask for the same.
func (v *View) same(a, b words.Query) bool {
	x, y := bag(a.Sentence), bag(b.Sentence)
	n := 0
	for _, w := range x {
		if slices.Contains(y, w) {
			n++
		}
	}
	return min(len(x), len(y)) >= minAsked && 5*n >= 4*min(len(x), len(y)) && 2*n >= max(len(x), len(y))
}

// bag are the words of a text, each once.
func bag(text string) []string {
	w := strings.FieldsFunc(strings.ToLower(text), notIdent)
	slices.Sort(w)
	return slices.Compact(w)
}

// spoken returns the last n texts of the assistant, newest first.
func (h *history) spoken(n int) []string {
	var out []string
	for i := len(h.messages) - 1; i >= 0 && len(out) < n; i-- {
		if m := &h.messages[i]; m.Role == Assistant && m.Text != "" && len(m.Calls) == 0 {
			out = append(out, m.Text)
		}
	}
	return out
}
