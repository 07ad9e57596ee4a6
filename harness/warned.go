// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// warnedYes reports whether the driver was warned of what the rule warns of, said
// yes to that, and has now filled in the numbers that the question had left open:
// "do you really want it open in the rain?", "yes", "how far?", "60 percent". The
// newest words must give every number that the rule wants named; the question
// must have named the tool and no other number for it, and no call of the tool
// was made since.
func (v *View) warnedYes(c *vehicle.Call, r *rules.Rule, e *env) bool {
	asks := r.Asks(e, v.set)
	if len(asks.Warn) == 0 || len(asks.Naming) == 0 {
		return false
	}
	said := v.partAbout(v.utterance, c.Tool)
	for _, m := range asks.Naming {
		if at := (vehicle.Path{{Name: m.Name}}); m.Value.Kind() != vehicle.Number || !v.lang.MentionsValue(said, c.Tool, at, m.Value) {
			return false
		}
	}
	if slices.ContainsFunc(v.facts.done, func(d executed) bool { return d.write && d.call.Tool == c.Tool }) {
		return false
	}
	question := ""
	for i := range v.history.messages {
		m := &v.history.messages[i]
		switch {
		case m.Role == Assistant && m.Text != "" && len(m.Calls) == 0:
			question = m.Text
		case m.Role == User && question != "":
			if v.warnsOf(question, c, asks) && v.lang.Answer(m.Text, &Question{Text: question, Options: []Option{{}}}).Kind == Yes {
				return true
			}
			question = ""
		}
	}
	return false
}

// warnsOf reports whether a text asks about the tool, says all that it is warned
// with, and names no number for it but those of the call.
func (v *View) warnsOf(text string, c *vehicle.Call, asks rules.Asking) bool {
	if !v.lang.MentionsTool(text, c.Tool) || !v.lang.ReplyIs(text, rules.ReplyQuestion) {
		return false
	}
	for _, w := range asks.Warn {
		if texts := w.Words(v.lang.Code()); len(texts) > 0 && !v.lang.MentionsAny(text, texts) {
			return false
		}
	}
	for _, m := range asks.Naming {
		at := vehicle.Path{{Name: m.Name}}
		if v.lang.NamesValue(text, c.Tool, at) && !v.lang.MentionsValue(text, c.Tool, at, m.Value) {
			return false
		}
	}
	return true
}
