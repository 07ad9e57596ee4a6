// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"fmt"
	"io"
	"strings"
)

// Write prints a report for people.
func (r *Report) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", r.Place, r.Case)
	for i, t := range r.Turns {
		fmt.Fprintf(&b, "turn %d", i+1)
		if t.User != "" {
			fmt.Fprintf(&b, ": %q", t.User)
		}
		if t.Answer != "" {
			fmt.Fprintf(&b, ", the driver says %s", t.Answer)
		}
		b.WriteByte('\n')
		for k, x := range t.Rules {
			again := k > 0 && t.Rules[k-1].ID == x.ID && t.Rules[k-1].Trigger == x.Trigger
			x.write(&b, again)
		}
		for _, l := range t.Outcome {
			fmt.Fprintf(&b, "  => %s\n", l)
		}
		if len(t.Outcome) == 0 {
			b.WriteString("  => nothing\n")
		}
	}
	for _, f := range r.Failures {
		fmt.Fprintf(&b, "failed: %s\n", f)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// write prints a judgement; again is set when the one before it is of the same
// rule and trigger, before the draft was repaired.
func (r *Rule) write(b *strings.Builder, again bool) {
	if again {
		fmt.Fprintf(b, "  rule %s in the end\n    %s\n", r.ID, r.Why)
	} else {
		fmt.Fprintf(b, "  rule %s (%s) on %s\n    %s\n", r.ID, r.Type, r.Trigger, r.Why)
	}
	list(b, "    ", r.On)
	for _, m := range r.Matches {
		indent := "    "
		if m.Item != "" {
			fmt.Fprintf(b, "    %s: %s\n", m.Item, m.Truth)
			indent = "      "
		}
		list(b, indent, m.Conditions)
		list(b, indent, m.Effect)
		for _, d := range m.Demands {
			fmt.Fprintf(b, "%sdemands %s\n", indent, d)
		}
	}
	for _, s := range r.State {
		fmt.Fprintf(b, "    state %s: seen %s, before %s, after %s\n", s.Signal, s.Seen, s.Before, s.After)
	}
}

func list(b *strings.Builder, indent string, cs []Condition) {
	for _, c := range cs {
		found := c.Value.String()
		if !c.Value.Known() {
			found = "-"
		}
		fmt.Fprintf(b, "%s%s %s: %s, found %s (%s)\n", indent, c.Key, c.Text, c.Truth, found, c.From)
	}
}
