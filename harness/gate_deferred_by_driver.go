// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// deferredByDriver blocks writes of the student's own that the driver wants
// put off, or left: "don't start it yet", "do not open it". What a rule owes for
// another call is the rule's matter. The clauses of all that the driver said are
// gone through from the newest back, up to the first that speaks about the
// write. One that puts it off blocks it; one that commands it, or a plain yes
// to the assistant's question about it, lifts that. A clause that puts
// something off and names no write is about what was named before it in the
// same message.
func deferredByDriver(v *View) []Finding {
	if v.listens() == nil || !v.writes() {
		return nil
	}
	var later []later
	for i := range v.Draft.Calls {
		c, t := &v.Draft.Calls[i], v.p.tools[i]
		if t == nil || t.Access != vehicle.Write || c.Origin != vehicle.ByStudent || v.companionOf(i) != nil {
			continue
		}
		if later == nil {
			if later = v.putOff(); len(later) == 0 {
				return nil
			}
		}
		if why := postponed(later, t.Name); why != "" {
			return []Finding{{Action: Block, Subjects: v.ofTool(t.Name),
				Note:   "the driver wants " + t.Name + " put off (\"" + why + "\"): do not call it before the driver says so",
				Driver: v.lang.Phrase(words.SayDeferred)}}
		}
	}
	return nil
}

// later is what one clause of the driver says about when.
type later struct {
	text  string
	off   bool // put off; else wanted now
	about *topic
}

// postponed returns the clause that puts the tool off, if that is the last
// word about it.
func postponed(all []later, tool string) string {
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].about.is(tool) {
			if all[i].off {
				return all[i].text
			}
			return ""
		}
	}
	return ""
}

// putOff goes through what the driver said, oldest first. It is empty when
// nothing was put off.
func (v *View) putOff() []later {
	if v.heard.putOffTurn == v.turn {
		return v.heard.putOff
	}
	v.heard.putOffTurn = v.turn
	v.heard.putOff = nil
	if !slices.ContainsFunc(v.history.messages, func(m Message) bool {
		return m.Role == User && slices.ContainsFunc(v.wishes(m.Text), func(w words.Wish) bool { return w.Later || w.Denied })
	}) {
		return nil
	}
	var out []later
	asked := ""
	for i := range v.history.messages {
		m := &v.history.messages[i]
		switch {
		case m.Role == Assistant && len(m.Calls) == 0 && m.Text != "":
			asked = m.Text
		case m.Role == User:
			if asked != "" && v.lang.Answer(m.Text, &Question{Text: asked, Options: []Option{{}}}).Kind == Yes {
				out = append(out, later{asked, false, v.topic(asked)})
			}
			var last *topic
			for _, w := range v.wishes(m.Text) {
				about := v.topic(w.Text)
				if len(about.writes) == 0 && w.Later && last != nil {
					about = last
				}
				if len(about.writes) > 0 {
					last = about
				}
				out = append(out, later{w.Text, w.Later || w.Denied, about})
			}
		}
	}
	v.heard.putOff = out
	return out
}

// ofTool are the ids of the draft's calls of a tool.
func (v *View) ofTool(tool string) []string {
	var out []string
	for i := range v.Draft.Calls {
		if v.Draft.Calls[i].Tool == tool {
			out = append(out, v.Draft.Calls[i].ID)
		}
	}
	return out
}
