// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// refusalRead looks at a reply that refuses. Where an offered write serves
// what the driver's words name, and a read without arguments of the state it
// changes was never made, that read is demanded: who has not looked cannot
// know that it is impossible. It is silent when the state was read, when no
// write for the subject is offered, and when the read needs arguments.
func refusalRead(v *View) []Finding {
	if !v.speaks() || v.Draft.Report || v.listens() == nil || !v.lang.ReplyIs(v.Draft.Text, rules.ReplyRefusal) || !v.anythingUnread() {
		return nil
	}
	var reads []vehicle.Call
	seen := map[string]bool{}
	for _, t := range v.offered(v.wanted().writes) {
		for _, c := range v.stateReads(t) {
			if !seen[c.Tool] && !v.readTried(rules.Want{Call: &c}) {
				seen[c.Tool] = true
				reads = append(reads, c)
			}
		}
	}
	return v.demandReads(reads, "look before you refuse: ")
}

// anythingUnread reports whether a read without arguments was never made.
func (v *View) anythingUnread() bool {
	for _, t := range v.cat.Tools {
		if t.Access == vehicle.Read && t.ArgumentFree() && len(t.Returns) > 0 && len(v.facts.results[t.Name]) == 0 {
			return true
		}
	}
	return false
}
