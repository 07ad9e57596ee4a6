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

// futureCondition looks at calls that filter by the present moment while the
// driver's words speak of one to come and of none that is now: on arrival,
// tomorrow. A filter of the present is a value that the tool's schema declares
// and whose name says so (open_now), or a flag of such a name that is set. A
// filter in a list is taken out of it, and one that is optional is left away:
// the student compares with the time itself. A call that cannot be made
// without it is blocked.
//
// A reply that refuses such a request and speaks of this moment, while a read
// that the words name was never made and could be without its filter of the
// present, must not be spoken.
func futureCondition(v *View) []Finding {
	if v.listens() == nil {
		return nil
	}
	if v.speaks() {
		return v.refusedFuture()
	}
	var out []Finding
	for i := range v.Draft.Calls {
		c, t := &v.Draft.Calls[i], v.p.tools[i]
		if t == nil || t.Input == nil || c.Origin != vehicle.ByStudent {
			continue
		}
		args, filter, needed := withoutPresent(t, c.Args)
		if filter == "" || !v.meansFuture() {
			continue
		}
		note := fmt.Sprintf("%s filters by the present moment (%s), and the driver means a later one", c.Tool, filter)
		if needed {
			out = append(out, Finding{Action: Block, Subjects: []string{c.ID}, Note: note + ": find another way, or say what cannot be known"})
			continue
		}
		fixed := *c
		fixed.Args = args
		out = append(out, replaceCall(c.ID, fixed, note+": it is called without; compare the times yourself"))
	}
	return append(out, v.tooEarly()...)
}

// meansFuture reports whether the driver's words speak of a moment to come and
// of none that is now.
func (v *View) meansFuture() bool {
	future := false
	for _, text := range v.driverTexts() {
		if text == v.asked {
			continue
		}
		if v.says(text, words.Present) {
			return false
		}
		future = future || v.says(text, words.Future)
	}
	return future
}

// withoutPresent takes filters of the present out of top-level arguments. It
// returns the last filter found, and whether one of them is needed.
func withoutPresent(t *vehicle.Tool, args vehicle.Value) (out vehicle.Value, filter string, needed bool) {
	out = args
	for i := range args.Len() {
		name := args.NameAt(i)
		s := t.Input.Property(name)
		if s == nil {
			continue
		}
		v := args.At(i)
		on, _ := v.Truth()
		switch {
		case v.Kind() == vehicle.Bool && on && saysPresent(name):
			filter, needed = name, needed || t.Input.Requires(name)
			out = out.Without(name)
		case len(s.Enum) > 0 && saysPresent(v.String()):
			filter, needed = v.String(), needed || t.Input.Requires(name)
			out = out.Without(name)
		case v.Kind() == vehicle.List && s.Items != nil && len(s.Items.Enum) > 0:
			var kept []vehicle.Value
			for _, it := range v.Items() {
				if saysPresent(it.String()) {
					filter = it.String()
				} else {
					kept = append(kept, it)
				}
			}
			switch {
			case len(kept) == v.Len():
			case len(kept) == 0 && !t.Input.Requires(name):
				out = out.Without(name)
			default:
				out = out.With(name, vehicle.ListOf(kept...))
			}
		}
	}
	return out, filter, needed
}

// presentWords are parts of identifiers that mean this moment.
var presentWords = []string{"now", "current", "currently", "present", "presently", "live"}

// saysPresent reports whether a part of an identifier means this moment.
func saysPresent(name string) bool {
	for _, part := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r < 'a' || r > 'z' }) {
		if slices.Contains(presentWords, part) {
			return true
		}
	}
	return false
}

// refusedFuture finds a refusal where only the filter is in the way.
func (v *View) refusedFuture() []Finding {
	if v.Draft.Report || !v.meansFuture() || !v.says(v.Draft.Text, words.Present) || !v.lang.ReplyIs(v.Draft.Text, rules.ReplyRefusal) {
		return nil
	}
	for _, t := range v.offered(v.wanted().reads) {
		if _, called := v.facts.latest(t.Name, vehicle.Value{}); called || t.Input == nil {
			continue
		}
		for _, p := range t.Input.Properties {
			if p.Schema.Items != nil && !t.Input.Requires(p.Name) && slices.ContainsFunc(p.Schema.Items.EnumText(), saysPresent) {
				return []Finding{{Action: Say, Note: "do not refuse for want of a filter: call " + t.Name + " without the filter of the present moment and compare the times yourself"}}
			}
		}
	}
	return nil
}
