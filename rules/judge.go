// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// Triggered reports whether the call, result or reply under judgement is one
// that the rule waits for. An unknown answer comes with its evidence and with
// what would settle it.
func (r *Rule) Triggered(env Env) (Truth, []Evidence, []Want) {
	e := newEval(env, r, binding{})
	truth := e.triggered()
	if truth != Unknown {
		return truth, nil, nil
	}
	e.note = true
	e.triggered()
	return Unknown, e.evidence, e.wants
}

// triggered judges the alternatives.
func (e *eval) triggered() Truth {
	truth := False
	for _, o := range e.rule.On {
		if !e.fits(o) {
			continue
		}
		x := True
		if len(o.When) > 0 {
			x = e.all(o.When)
		}
		if truth = truth.Or(x); truth == True && !e.note {
			break
		}
	}
	return truth
}

func (e *eval) fits(o *On) bool {
	if e.call == nil {
		return o.Reply == AnyReply || o.Reply != "" && e.env.ReplyIs(o.Reply) == True
	}
	if o.By == OriginDriver && (e.call.Origin == vehicle.ByRule || e.call.Origin == vehicle.ByRead || e.call.Origin == vehicle.ByPrefetch) {
		return false
	}
	return contains(o.tools, e.call.Tool)
}

// settle is what would make an unknown truth known.
func (e *eval) settle(truth Truth) []Want {
	if truth != Unknown {
		return nil
	}
	return e.wants
}

// Matches judges the rule's conditions for everything that its wildcard may
// stand for. It returns the ways in which they hold or may hold, in the order
// of the items; none means that the rule does not apply. It does not look at
// the trigger: ask [Rule.Triggered] first.
func (r *Rule) Matches(env Env) []Match {
	e := newEval(env, r, binding{})
	switch r.bind {
	case bindElement:
		return e.overElements()
	case bindTrigger:
		return e.overTrigger()
	case bindStar:
		var out []Match
		for i := range r.items {
			out = e.match(binding{item: i + 1}, out)
		}
		return out
	}
	return e.match(binding{}, nil)
}

// match appends the match of one binding, unless the conditions are false.
func (e *eval) match(b binding, out []Match) []Match {
	e.bind, e.note = b, false
	truth := e.conditions()
	if truth == False {
		return out
	}
	e.note, e.wants = true, nil
	e.evidence = make([]Evidence, 0, len(e.rule.If)+len(e.rule.Unless))
	e.conditions()
	if out == nil {
		out = make([]Match, 0, max(1, len(e.items)))
	}
	return append(out, Match{Item: e.item(), Truth: truth, Evidence: e.evidence, Wants: e.settle(truth), bind: b})
}

func (e *eval) conditions() Truth {
	truth := e.all(e.rule.If)
	if truth == False && !e.note {
		return False
	}
	return truth.And(e.any(e.rule.Unless).Not())
}

func (e *eval) overElements() []Match {
	list := e.whole(e.elems)
	if list.Value.Kind() != vehicle.List {
		// Whether there are elements is not known. The tests are judged once,
		// unbound, for what they say to read.
		return e.match(binding{}, nil)
	}
	var out []Match
	for i := range list.Value.Len() {
		out = e.match(binding{elem: i + 1}, out)
	}
	return out
}

// overTrigger judges for the items that the trigger names. One that names
// none is for the schema gate: the rule cannot be decided on it.
func (e *eval) overTrigger() []Match {
	named, own, ok := e.named()
	if !ok {
		return []Match{{Truth: Unknown, Wants: []Want{{Signal: vehicle.NoSignal, Impossible: true, Why: Null}}}}
	}
	var out []Match
	for i, it := range e.items {
		if it == named || named == "*" && contains(own, it) {
			out = e.match(binding{item: i + 1}, out)
		}
	}
	return out
}

// named is the item that the trigger names, "*" for all, and the items that
// its tool has.
func (e *eval) named() (item string, own []string, ok bool) {
	t := e.tool()
	if t == nil || t.Items == nil {
		return "", nil, false
	}
	v, _ := t.Arg(e.call.Args, t.Items.Arg)
	item, ok = t.Items.Item(v.String())
	return item, t.Items.List(), ok
}

// Needs judges what a precondition needs, or what a constraint says the
// trigger must be, for a match. False is a violation. Other rules need
// nothing: the answer is true.
func (r *Rule) Needs(env Env, m *Match) (Truth, []Evidence, []Want) {
	tests := r.Need
	if r.Type == Constraint {
		if r.AtMost > 0 {
			return r.atMost(env)
		}
		tests = r.Must
	}
	e := newEval(env, r, m.bind)
	truth := e.all(tests)
	if truth == True {
		return True, nil, nil
	}
	e.note = true
	e.all(tests)
	return truth, e.evidence, e.settle(truth)
}

// atMost counts the calls of the draft that the rule waits for: the trigger
// and those before it. A trigger that the draft does not hold comes after it.
func (r *Rule) atMost(env Env) (Truth, []Evidence, []Want) {
	trigger := env.Trigger()
	n, unsure, met := 0, 0, false
	count := func(c *vehicle.Call) {
		e := newEval(env, r, binding{})
		e.call = c
		switch e.triggered() {
		case True:
			n++
		case Unknown:
			unsure++
		}
	}
	env.Batch(func(c *vehicle.Call) bool {
		met = c == trigger || trigger != nil && c.ID != "" && c.ID == trigger.ID
		count(c)
		return !met
	})
	if !met {
		count(trigger)
	}
	truth := TruthOf(n+unsure <= r.AtMost)
	if truth == False && n <= r.AtMost {
		truth = Unknown
	}
	if truth == True {
		return True, nil, nil
	}
	ev := Evidence{Left: "calls in this draft", Value: vehicle.NumberOf(float64(n)), Op: Le.String(),
		Right: vehicle.NumberOf(float64(r.AtMost)), Truth: truth}
	if truth == Unknown {
		return Unknown, []Evidence{ev}, []Want{{Signal: vehicle.NoSignal, Impossible: true, Why: Null}}
	}
	return False, []Evidence{ev}, nil
}
