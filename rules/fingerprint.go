// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"strings"
)

// Fingerprint is a text that two rules have in common when they wait for the
// same, under the same conditions, and do the same. Id, sentences and the
// order of conditions do not matter to anybody but people; the order is kept.
func (r *Rule) Fingerprint() string {
	var b strings.Builder
	for _, o := range r.On {
		fmt.Fprintf(&b, "on %v %s %s %s %s;", o.tools, o.Reply, o.Result, o.By, testsText(o.When))
	}
	fmt.Fprintf(&b, "%s if %s unless %s;", r.Type, testsText(r.If), testsText(r.Unless))
	fmt.Fprintf(&b, "need %s must %s at_most %d;", testsText(r.Need), testsText(r.Must), r.AtMost)
	for _, o := range r.Owe {
		fmt.Fprintf(&b, "owe %s %s %v;", o.Call, argsText(o.Args), o.With)
	}
	if r.Ask != nil {
		fmt.Fprintf(&b, "ask %v %v %v;", r.Ask.All, r.Ask.Naming, r.Ask.Warn)
	}
	if r.Forbid != nil {
		fmt.Fprintf(&b, "forbid %v;", r.Forbid.Instead)
	}
	if c := r.Choose; c != nil {
		fmt.Fprintf(&b, "choose %s %v %s;", c.Arg, c.Peers, testsText(c.Where))
	}
	for _, t := range r.Tell {
		fmt.Fprintf(&b, "tell %s %s;", t.Word, Text(t.Value))
	}
	for _, t := range r.Withhold {
		fmt.Fprintf(&b, "withhold %s %s;", t.Word, Text(t.Value))
	}
	fmt.Fprintf(&b, "%v %s %s %s %s", r.Default, r.By, r.Unknown, r.Error, r.Absent)
	return b.String()
}
