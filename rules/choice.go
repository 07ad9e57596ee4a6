// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// Choice is what a selection says about an argument of the trigger.
type Choice struct {
	Chosen string   // the identifier that the argument holds
	Better []string // its peers that the rule's where holds for
}

// Chooses judges a selection for a match: false means that the chosen object
// is not one that the rule allows while one of its peers is. When neither it
// nor any peer is, the rule has nothing to say and the answer is true.
func (r *Rule) Chooses(env Env, m *Match) (Truth, Choice, []Want) {
	e := newEval(env, r, m.bind)
	nothing := []Want{{Signal: vehicle.NoSignal, Impossible: true, Why: Unread}}
	id, ok := e.left(r.Choose.arg).Value.Text()
	if !ok {
		return Unknown, Choice{}, nothing
	}
	c := Choice{Chosen: id}
	own := env.Ref(id).Value
	if own.Kind() != vehicle.Object {
		return Unknown, c, nothing
	}
	e.cand = own
	fits := e.all(r.Choose.Where)
	if fits == True {
		return True, c, nil
	}
	inner := e // the closure's own copy: e stays off the heap
	unsure := fits == Unknown
	env.Objects(func(peer string, o vehicle.Value) bool {
		if peer == id || !r.Choose.peer(own, o) {
			return true
		}
		inner.cand = o
		switch inner.all(r.Choose.Where) {
		case True:
			c.Better = appendNew(c.Better, peer)
		case Unknown:
			unsure = true
		}
		return true
	})
	switch {
	case fits == False && len(c.Better) > 0:
		return False, c, nil
	case unsure:
		return Unknown, c, nothing
	}
	return True, c, nil
}

// peer reports whether two objects have the peer fields in common.
func (ch *Choose) peer(a, b vehicle.Value) bool {
	for _, p := range ch.peers {
		x, ok1 := a.Get(p)
		y, ok2 := b.Get(p)
		if !ok1 || !ok2 || same(x, y, "") != True {
			return false
		}
	}
	return true
}
