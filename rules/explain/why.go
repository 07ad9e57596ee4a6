// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"fmt"
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

// why says in one line what the rule found.
func why(e *rules.Explanation) string {
	if e.Triggered == rules.Unknown {
		return "it is not known whether it waits for this: " + first(e.When, rules.Unknown)
	}
	best, at := rules.False, -1
	for i := range e.Matches {
		if m := &e.Matches[i]; at < 0 || m.Truth > best {
			best, at = m.Truth, i
		}
	}
	if at < 0 {
		return "nothing to judge"
	}
	m := &e.Matches[at]
	for i := range e.Matches { // of those that apply, one that is not kept
		if x := &e.Matches[i]; x.Truth == rules.True && x.Kept != rules.True {
			m = x
		}
	}
	switch {
	case m.Truth == rules.False && len(e.Matches) > 1:
		return "applies to nothing: " + first(m.Conditions, rules.False) + ", and so on"
	case m.Truth == rules.False:
		return "does not apply: " + first(m.Conditions, rules.False)
	case m.Truth == rules.Unknown:
		return "it is not known whether it applies: " + first(m.Conditions, rules.Unknown)
	case m.Kept == rules.False:
		return "applies" + of(m.Item) + " and is not kept: " + first(m.Asked, rules.False)
	case m.Kept == rules.Unknown:
		return "applies" + of(m.Item) + ", and it is not known whether it is kept: " + first(m.Asked, rules.Unknown)
	case len(m.Asked) > 0 || m.Chosen != nil:
		return "applies and is kept"
	}
	var items []string
	for i := range e.Matches {
		if x := &e.Matches[i]; x.Truth == rules.True && x.Item != "" {
			items = append(items, x.Item)
		}
	}
	return "applies" + of(strings.Join(items, ", "))
}

func of(item string) string {
	if item == "" {
		return ""
	}
	return " to " + item
}

// first writes the condition that decided. An exception that holds is true
// where the others are false.
func first(cs []rules.Condition, t rules.Truth) string {
	for _, c := range cs {
		if c.Key != "unless" && c.Evidence.Truth == t || c.Key == "unless" && c.Evidence.Truth == t.Not() {
			return conditionText(c)
		}
	}
	return "what it asks for"
}

func conditionText(c rules.Condition) string {
	ev := c.Evidence
	found := ev.Value.String()
	if !ev.Value.Known() {
		found = ev.Why.String()
	}
	return fmt.Sprintf("%s %s %s (%s)", ev.Left, ev.Op, ev.Right, found)
}

// demands writes what the rule's effect is for a match.
func demands(set *rules.Set, l rulestest.Look, m *rules.ExplainedMatch) []string {
	r, env := l.Rule, l.Env
	var out []string
	switch {
	case m.Kept != rules.False && len(m.Asked) > 0:
		return nil
	case r.Forbid != nil:
		out = append(out, "the call is forbidden")
		if r.Forbid.Instead != nil {
			out[0] += ", instead: " + strings.Join(r.Forbid.Instead, ", ")
		}
	case r.Ask != nil:
		ask := r.Asks(env, set)
		s := "a yes to " + vehicle.ObjectOf(ask.Naming...).Canonical()
		for _, w := range ask.Warn {
			s += ", warning of " + w.Name
		}
		if env.Consented(env.Trigger()) {
			s += ", which was given"
		}
		out = append(out, s)
	case m.Chosen != nil && len(m.Chosen.Better) > 0:
		out = append(out, "another choice: "+strings.Join(m.Chosen.Better, ", "))
	case r.Tell != nil || r.Withhold != nil:
		for _, t := range r.Tells(env, set, &m.Match) {
			verb := "say "
			if t.Withheld {
				verb = "keep back "
			}
			out = append(out, fmt.Sprintf("%s%s (said: %s)", verb, t.Label, t.Said))
		}
	}
	calls, err := r.Owed(env, &m.Match)
	if err != nil {
		out = append(out, err.Error())
	}
	for _, c := range calls {
		out = append(out, c.Call.Canonical())
	}
	return out
}
