// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// refusal looks at a reply that says something cannot be done, while offered
// writes serve what the driver's words, an open ask or a question that was
// agreed to name, and none of them was called in this turn: the advisory names
// them. It is silent when no such write is offered, and about one that was
// refused in this turn: then the reply is right. That a parameter is missing
// is for the critic to weigh.
func refusal(v *View) []Finding {
	if !v.speaks() || v.Draft.Report || v.Draft.Text == "" || v.listens() == nil || !v.lang.ReplyIs(v.Draft.Text, rules.ReplyRefusal) {
		return nil
	}
	var tools []string
	for _, t := range v.offered(v.wanted().writes) {
		if !v.makes(t.Name) && !v.wasRefused(t) && len(tools) < maxNamed {
			tools = append(tools, t.Name)
		}
	}
	if len(tools) == 0 {
		return nil
	}
	return []Finding{{Action: Reconsider,
		Note: fmt.Sprintf("the reply says that it cannot be done, and nobody tried %s, which is offered: use it, or be sure that it does not serve what was asked", strings.Join(tools, ", "))}}
}

// maxNamed is how many tools a note names.
const maxNamed = 3

// wasRefused reports whether a call of the tool was refused in this turn.
func (v *View) wasRefused(t *vehicle.Tool) bool {
	for call := range v.refused {
		if rest, ok := strings.CutPrefix(call, t.Name); ok && strings.HasPrefix(rest, "{") {
			return true
		}
	}
	return false
}
