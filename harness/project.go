// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// projection is the state before and after each call of a draft, if the draft
// were carried out as it stands. Its buffers are used again.
type projection struct {
	calls  []vehicle.Call
	tools  []*vehicle.Tool
	states []vehicle.State // states[i] is before call i; the last is after all
	touch  []touch
	as     []vehicle.Assignment
	pool   []vehicle.State
}

// touch is one signal that a call of the draft changes.
type touch struct {
	signal vehicle.SignalID
	call   int
}

// project computes the states of the calls on top of the facts.
func (p *projection) project(f *facts, calls []vehicle.Call) {
	p.calls, p.tools, p.touch = calls, p.tools[:0], p.touch[:0]
	p.states = append(p.states[:0], f.state)
	used := 0
	for i := range calls {
		t := f.cat.Tool(calls[i].Tool)
		p.tools = append(p.tools, t)
		cur := p.states[i]
		if t == nil || t.Access != vehicle.Write || len(t.Sets) == 0 {
			p.states = append(p.states, cur)
			continue
		}
		if used == len(p.pool) {
			p.pool = append(p.pool, make(vehicle.State, len(f.state)))
		}
		next := p.pool[used]
		used++
		copy(next, cur)
		// An argument that determines nothing leaves what it may touch unknown.
		p.as, _ = t.Effects(calls[i].Args, p.as[:0])
		next.Apply(p.as)
		for _, a := range p.as {
			p.touch = append(p.touch, touch{a.Signal, i})
		}
		p.states = append(p.states, next)
	}
}

// after is the state once the whole draft was carried out.
func (p *projection) after() vehicle.State { return p.states[len(p.states)-1] }

// touchedBy returns the last call before limit that changes the signal, or
// -1.
func (p *projection) touchedBy(s vehicle.SignalID, limit int) int {
	for i := len(p.touch) - 1; i >= 0; i-- {
		if t := p.touch[i]; t.signal == s && t.call < limit {
			return t.call
		}
	}
	return -1
}

// field is the fact about a signal just before call idx of the projection, or
// after all when idx is the number of calls.
func (p *projection) field(f *facts, s vehicle.SignalID, idx int) rules.Fact {
	fact := f.fact(s)
	if c := p.touchedBy(s, idx); c >= 0 {
		fact.Value, fact.CallID, fact.Why = p.states[idx][s], p.calls[c].ID, rules.Projected
		if !fact.Value.Known() {
			fact.Why = rules.OwnWrite
		}
		return fact
	}
	if fact.Why == rules.Unread && len(f.cat.Readers(s)) == 0 {
		fact.Why = rules.Absent
	}
	return fact
}

// assigns appends what the call sets to buf; nothing when its arguments do
// not determine it.
func assigns(t *vehicle.Tool, c *vehicle.Call, buf []vehicle.Assignment) []vehicle.Assignment {
	n := len(buf)
	out, err := t.Effects(c.Args, buf)
	if err != nil {
		return buf[:n]
	}
	return out
}
