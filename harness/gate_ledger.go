// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"strings"

	"github.com/carguardd/carguardd/rules"
)

// ledgerGate looks at a reply that sums up what was done while asks of the
// driver are open: the advisory lists them. It is silent for a draft with
// calls, for a reply that claims nothing, and for one that asks the driver
// something or refuses: the ask may be what it is about.
func ledgerGate(v *View) []Finding {
	text := v.Draft.Text
	if !v.speaks() || v.Draft.Report || text == "" || !v.lang.ReplyIs(text, rules.ReplyClaim) ||
		v.lang.ReplyIs(text, rules.ReplyQuestion) || v.lang.ReplyIs(text, rules.ReplyRefusal) {
		return nil
	}
	var open []string
	for _, a := range v.asks {
		if a.State == AskOpen {
			open = append(open, fmt.Sprintf("%q", a.Text))
		}
	}
	if len(open) == 0 {
		return nil
	}
	return []Finding{{Action: Reconsider,
		Note: "the reply sums up, and the driver's " + strings.Join(open, ", ") + " is still open: do it, or say what became of it"}}
}
