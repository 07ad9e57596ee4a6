// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// A basis is what a call or a value of it may rest on: what the driver said,
// what the assistant offered and the driver did not refuse, a stored
// preference that was read, a rule that is in play, or what was read.

// spoken reports whether f holds of any text that was said in this
// conversation and that something may rest on: every utterance of the driver,
// what is still open on the ledger, and every reply but one that the driver's
// newest words refuse.
func (v *View) spoken(f func(text string) bool) bool {
	return v.saidByDriver(f) || v.saidByAssistant(f)
}

// saidByDriver is [View.spoken] for the driver's own words.
func (v *View) saidByDriver(f func(text string) bool) bool {
	if v.saidInTurns(f) {
		return true
	}
	for _, a := range v.asks {
		if a.State == AskOpen && f(a.Text) {
			return true
		}
	}
	return false
}

// saidInTurns is saidByDriver for whole utterances alone.
func (v *View) saidInTurns(f func(text string) bool) bool {
	for i := len(v.history.messages) - 1; i >= 0; i-- {
		if m := &v.history.messages[i]; m.Role == User && f(m.Text) {
			return true
		}
	}
	return false
}

// saidByAssistant is [View.spoken] for the assistant's replies.
func (v *View) saidByAssistant(f func(text string) bool) bool {
	refused := v.saidNo
	heard := false // replies of this very turn have not been heard
	for i := len(v.history.messages) - 1; i >= 0; i-- {
		m := &v.history.messages[i]
		switch {
		case m.Role == User:
			heard = true
		case m.Role != Assistant || m.Text == "" || len(m.Calls) > 0 || !heard:
		case refused:
			refused = false
		case f(m.Text):
			return true
		}
	}
	return false
}

// prefers reports whether f holds of a stored preference that was read and is
// about the tool: it names the tool, or names nothing that can be changed.
func (v *View) prefers(tool string, f func(text string) bool) bool {
	for _, p := range v.preferences() {
		if f(p) && (v.lang.MentionsTool(p, tool) || !v.namesWrite(p)) {
			return true
		}
	}
	return false
}

// namesWrite reports whether a text names what some write is about.
func (v *View) namesWrite(text string) bool {
	for _, t := range v.cat.Tools {
		if t.Access == vehicle.Write && v.lang.MentionsTool(text, t.Name) {
			return true
		}
	}
	return false
}

// inPlay returns the rules that owe calls of a tool and wait for a call that
// the driver asked for, that is drafted, or that was made in this turn.
func (v *View) inPlay(tool string, f func(r *rules.Rule, o *rules.Owe) bool) bool {
	for _, r := range v.set.Rules {
		for _, o := range r.Owe {
			if o.Call == tool && f(r, o) && v.waitedFor(r) {
				return true
			}
		}
	}
	return false
}

func (v *View) waitedFor(r *rules.Rule) bool {
	for _, t := range v.cat.Tools {
		if t.Access != vehicle.Write || !waits(v.set.On(t.Name), r) {
			continue
		}
		if v.saidByDriver(func(text string) bool { return v.lang.MentionsTool(text, t.Name) }) || v.makes(t.Name) {
			return true
		}
		if v.inPlay(t.Name, func(up *rules.Rule, _ *rules.Owe) bool { return up != r }) {
			return true // a chain: what the one owes triggers the other
		}
	}
	return false
}

func waits(list []*rules.Rule, r *rules.Rule) bool {
	for _, x := range list {
		if x == r {
			return true
		}
	}
	return false
}

// makes reports whether the draft or this turn has a call of the tool.
func (v *View) makes(tool string) bool {
	for i := range v.Draft.Calls {
		if v.Draft.Calls[i].Tool == tool {
			return true
		}
	}
	for i := len(v.facts.done) - 1; i >= 0 && v.facts.done[i].turn == v.turn; i-- {
		if v.facts.done[i].call.Tool == tool {
			return true
		}
	}
	return false
}

// itemsDiffer reports whether a read of this conversation told the items of a
// tool apart: signals that are alike but for the item, with different values.
func (v *View) itemsDiffer(it *vehicle.Items) bool {
	list := it.List()
	if len(list) < 2 {
		return false
	}
	for _, s := range v.cat.Profile.Signals {
		before, after, ok := strings.Cut(s.Name, list[0])
		if !ok || v.facts.meta[s.ID].why != rules.Observed && v.facts.meta[s.ID].why != rules.Projected {
			continue
		}
		for _, item := range list[1:] {
			o := v.cat.Profile.Signal(before + item + after)
			if o != nil && v.facts.state[o.ID].Known() && !v.facts.state[o.ID].Equal(v.facts.state[s.ID]) {
				return true
			}
		}
	}
	return false
}
