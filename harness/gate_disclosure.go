// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"strings"

	"github.com/carguardd/carguardd/rules"
)

// disclosureGate looks at a reply after a call or a result that a disclosure
// rule is about: what the rule says the driver must be told has to be in what
// was spoken. The remedy adds the rule's own sentence to the reply.
func disclosureGate(v *View) []Finding {
	if !v.speaks() || v.Draft.Report {
		return nil
	}
	var out []Finding
	for i := range v.facts.done {
		d := &v.facts.done[i]
		if d.turn != v.turn || !d.result.OK() {
			continue
		}
		for _, r := range v.disclosures(d.call.Tool) {
			e := &env{v: v, p: &v.p, trigger: &d.call, idx: -1, reply: v.Draft.Text, speaks: true}
			if truth, _, _ := r.Triggered(e); truth != rules.True {
				continue
			}
			for _, m := range r.Matches(e) {
				if m.Truth == rules.True {
					out = append(out, v.disclose(r, e, m)...)
				}
			}
		}
	}
	return out
}

// disclosures are the disclosure rules about a call or a result of a tool.
func (v *View) disclosures(tool string) []*rules.Rule {
	var out []*rules.Rule
	for _, l := range [][]*rules.Rule{v.set.On(tool), v.set.OnResult(tool)} {
		for _, r := range l {
			if r.Type == rules.Disclosure {
				out = append(out, r)
			}
		}
	}
	return out
}

func (v *View) disclose(r *rules.Rule, e *env, m rules.Match) []Finding {
	for _, t := range r.Tells(e, v.set, &m) {
		if t.OK() || t.Said == rules.Unknown {
			continue
		}
		if t.Withheld {
			return []Finding{{Action: Say, Rule: r.ID, Evidence: m.Evidence,
				Note: fmt.Sprintf("the reply must not say %s: %s", t.Value, r.Policy)}}
		}
		say := v.say(r, e, m)
		if strings.Contains(v.Draft.Text, say) {
			continue
		}
		return []Finding{{Action: Repair, Rule: r.ID, Evidence: m.Evidence,
			Remedy: Remedy{Text: strings.TrimSpace(v.Draft.Text + " " + say)},
			Note:   "the driver must be told: " + r.Policy, Driver: say}}
	}
	return nil
}
