// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// binding is a call that ran and a rule it triggered: the rule binds until it
// was discharged once.
type binding struct {
	rule   *rules.Rule
	call   vehicle.Call
	before vehicle.State // the state just before the call
	sets   []vehicle.Assignment
	late   bool // it is the call's result that triggered the rule
	// met is set once nothing was left to demand. For the rest of the turn only
	// what a draft would violate anew is owed: a hand on the car is not undone.
	met bool
}

// active reports whether the trigger's own effect still stands. A trigger
// that was reversed binds no more.
func (b *binding) active(f *facts) bool {
	for _, a := range b.sets {
		if a.Op == vehicle.Set && f.state[a.Signal].Known() && !f.cat.Profile.Signals[a.Signal].Reached(f.state[a.Signal], a.Value) {
			return false
		}
	}
	return true
}

// bind returns a binding for every rule that the executed call triggers and
// that owes something after it. One that cannot be evaluated binds nobody: what
// it would owe is not known either.
func bind(v *View, e *env, c vehicle.Call, before vehicle.State) []*binding {
	var out []*binding
	for i, list := range [][]*rules.Rule{v.set.On(c.Tool), v.set.OnResult(c.Tool)} {
		for _, r := range list {
			if r.Type != rules.AutoAction {
				continue
			}
			truth := rules.False
			if ok := v.safely(r, func() { truth, _, _ = r.Triggered(e) }); !ok || truth == rules.False {
				continue
			}
			t := v.cat.Tool(c.Tool)
			out = append(out, &binding{rule: r, call: c, before: before.Clone(), sets: assigns(t, &c, nil), late: i == 1})
		}
	}
	return out
}
