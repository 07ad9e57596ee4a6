// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/carguardd/carguardd/harness"
)

// Class is wrong findings of one mechanism.
type Class struct {
	Gate     string         `json:"gate"`
	Action   harness.Action `json:"action"`
	Rule     string         `json:"rule,omitempty"`
	Why      string         `json:"why"`
	Runs     int            `json:"runs"`
	Examples []string       `json:"examples"` // run:message, at most three
}

const examples = 3

// Classes groups wrong findings by gate, action, rule and what they would
// have done, the most frequent first.
func Classes(wrong []Found) []Class {
	var out []Class
	seen := map[string]bool{}
	for i := range wrong {
		f := &wrong[i]
		why := "withholds or changes a write"
		switch {
		case f.Subject == onReply:
			why = "changes a reply"
		case f.Action == harness.DemandRead:
			why = "demands a read that errs"
		case f.Subject == onRead:
			why = "withholds a read"
		}
		at := slices.IndexFunc(out, func(c Class) bool {
			return c.Gate == f.Gate && c.Action == f.Action && c.Rule == f.Rule && c.Why == why
		})
		if at < 0 {
			at = len(out)
			out = append(out, Class{Gate: f.Gate, Action: f.Action, Rule: f.Rule, Why: why})
		}
		c := &out[at]
		if key := fmt.Sprint(at, f.Run); !seen[key] {
			seen[key] = true
			c.Runs++
			if len(c.Examples) < examples {
				c.Examples = append(c.Examples, fmt.Sprintf("%s:%d", f.Run, f.Message))
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Class) int { return cmp.Compare(b.Runs, a.Runs) })
	return out
}
