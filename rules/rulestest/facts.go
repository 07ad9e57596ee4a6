// SPDX-License-Identifier: Apache-2.0

package rulestest

import (
	"slices"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// field is the value of a signal at a moment: what was read, with the draft's
// own writes on top.
func (t *talk) field(s vehicle.SignalID, at rules.At) rules.Fact {
	f := t.observed(s)
	if at == rules.Seen || t.env.Call == nil {
		return f
	}
	for _, e := range t.draft {
		if at == rules.Before && e.call == t.env.Call {
			break
		}
		if e.held {
			continue
		}
		f = t.project(f, s, e.call)
	}
	return f
}

func (t *talk) observed(s vehicle.SignalID) rules.Fact {
	switch {
	case !t.seen[s] && len(t.cat.Readers(s)) == 0 && t.cat.Profile.Signals[s].Status == nil:
		return rules.Fact{Why: rules.Absent}
	case !t.seen[s]:
		return rules.Fact{Why: rules.Unread}
	case !t.world[s].Known():
		return rules.Fact{Why: rules.Null}
	}
	return rules.Fact{Value: t.world[s], Why: rules.Observed}
}

// project applies what a call would do to one signal.
func (t *talk) project(f rules.Fact, s vehicle.SignalID, c *vehicle.Call) rules.Fact {
	tool := t.cat.Tool(c.Tool)
	if tool == nil || tool.Access != vehicle.Write {
		return f
	}
	as, err := tool.Effects(c.Args, nil)
	for _, a := range as {
		if a.Signal != s {
			continue
		}
		switch {
		case err != nil || a.Op == vehicle.Forget:
			f = rules.Fact{Why: rules.OwnWrite, CallID: c.ID}
		case a.Op == vehicle.Append:
			f = rules.Fact{Value: f.Value.Append(a.Value), Why: rules.Projected, CallID: c.ID}
		default:
			f = rules.Fact{Value: a.Value, Why: rules.Projected, CallID: c.ID}
		}
	}
	return f
}

// see marks what a read returned as read.
func (t *talk) see(tool *vehicle.Tool) {
	for _, r := range tool.Returns {
		t.seen[r.Signal] = true
	}
}

// read makes one of the reads that are wanted. It reports whether there was
// one left to make.
func (t *talk) read(wants []rules.Want) bool {
	for _, w := range wants {
		if w.Impossible || w.Why == rules.OwnWrite {
			continue
		}
		if w.Call != nil {
			if t.ask(w.Call) {
				return true
			}
			continue
		}
		if w.Signal == vehicle.NoSignal || t.seen[w.Signal] {
			continue
		}
		if rs := t.cat.Readers(w.Signal); len(rs) > 0 && rs[0].ArgumentFree() {
			t.see(rs[0])
			t.out.Reads = append(t.out.Reads, vehicle.Call{Tool: rs[0].Name, Args: vehicle.ObjectOf(), Origin: vehicle.ByRead})
			return true
		}
		t.seen[w.Signal] = true // a live signal
		return true
	}
	return false
}

// ask makes a read of a service, once.
func (t *talk) ask(c *vehicle.Call) bool {
	if c.Args.Kind() == vehicle.Unknown || t.cat.Tool(c.Tool) == nil {
		return false
	}
	if slices.ContainsFunc(t.env.Results, func(r Result) bool { return r.Call.Canonical() == c.Canonical() }) {
		return false
	}
	t.out.Reads = append(t.out.Reads, *c)
	t.result(*c)
	return true
}

// result records what a call answers: as the test says, else a read of the
// car from its state.
func (t *talk) result(c vehicle.Call) {
	tool := t.cat.Tool(c.Tool)
	r := Result{Call: c, Value: vehicle.ObjectOf(), Failed: slices.Contains(t.fails, c.Tool), At: t.env.Clock}
	if i := slices.IndexFunc(t.cs.Answers, func(a rules.CaseCall) bool { return a.Call == c.Tool && a.Args.Equal(c.Args) }); i >= 0 {
		r.Value, r.Failed = t.cs.Answers[i].Result, r.Failed || t.cs.Answers[i].Failed
	} else if tool.Access == vehicle.Read {
		r.Value = t.report(tool)
	}
	if !r.Failed && tool.Access == vehicle.Read {
		t.see(tool)
	}
	t.env.Results = append(t.env.Results, r)
}

// report is the result of a read of the car.
func (t *talk) report(tool *vehicle.Tool) vehicle.Value {
	v := vehicle.ObjectOf()
	for _, r := range tool.Returns {
		v = v.Put(r.Path, t.world[r.Signal])
	}
	return v
}
