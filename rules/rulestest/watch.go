// SPDX-License-Identifier: Apache-2.0

package rulestest

import "github.com/carguardd/carguardd/rules"

// Look is one judgement of one rule: on the trigger of its Env, or on the
// reply. A draft is judged again whenever it changes; the last look of a turn
// at a call is the one that counts. Env must not be kept.
type Look struct {
	Turn int // from 1
	Rule *rules.Rule
	Env  rules.Env
}

func (t *talk) watched(r *rules.Rule) {
	if t.watch != nil {
		t.watch(Look{Turn: t.turn, Rule: r, Env: &t.env})
	}
}
