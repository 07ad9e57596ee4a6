// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"context"
	"strings"
)

// Service runs tools that are not the vehicle's own: navigation, contacts.
type Service interface {
	// Call carries out one call and returns what came of it. It returns when
	// ctx ends. A result is Done only if the service says that it is.
	Call(ctx context.Context, c Call) Result
}

// StateSource is a [Service] that can be asked for the state it owns.
type StateSource interface {
	// State returns the present values of those signals that it knows.
	State(ctx context.Context, ids []SignalID) ([]Reading, error)
}

// serve has the tool's service run the call.
func (e *Executor) serve(ctx context.Context, t *Tool, c *Call) Result {
	svc, ok := e.cfg.Services[t.Service]
	if !ok {
		return fail("service %s is not connected", t.Service)
	}
	r := svc.Call(ctx, *c)
	if r.Status == "" {
		r.Status, r.Reason = Failed, "service "+t.Service+" said nothing"
	}
	if r.OK() || r.Status == Unconfirmed {
		e.observeService(ctx, t, c, svc, &r)
	}
	return r
}

// observeService takes in what the call says about the signals that services
// own: first the result's own data, then the state of the service. What the
// call may have changed and nobody tells is unknown.
func (e *Executor) observeService(ctx context.Context, t *Tool, c *Call, svc Service, r *Result) {
	told := map[SignalID]bool{}
	src := Source{Bus: t.Service, Text: t.Name + " " + c.ID}
	observe := func(rs []Reading) {
		for _, rd := range rs {
			if e.owned(rd.Signal) {
				told[rd.Signal] = true
				e.cfg.Live.Observe(rd.Signal, rd.Value, e.cfg.Clock.Now(), src)
			}
		}
	}
	observe(t.Readings(e.profile, r.Value))
	if t.Access != Write {
		return
	}
	as, _ := t.Effects(c.Args, nil) // what the arguments do not determine is forgotten
	var ask []SignalID
	for _, a := range as {
		if e.owned(a.Signal) && !told[a.Signal] {
			ask = append(ask, a.Signal)
		}
	}
	if s, ok := svc.(StateSource); ok && len(ask) > 0 {
		if rs, err := s.State(ctx, ask); err == nil {
			observe(rs)
		}
	}
	for _, a := range as {
		if e.owned(a.Signal) && !told[a.Signal] {
			e.cfg.Live.Observe(a.Signal, Value{}, e.cfg.Clock.Now(), src)
		}
	}
	for _, a := range as {
		sig := e.profile.Signals[a.Signal]
		v := e.cfg.Live.Value(a.Signal)
		if a.Op == Set && told[a.Signal] && v.Known() && !sig.Reached(v, a.Value) && lastSet(as, a) {
			r.Status, r.Reason = Unconfirmed, "the service says it is done, but "+sig.Name+" is "+sig.Show(v)
		}
	}
}

// owned reports whether a service is the only source of the signal.
func (e *Executor) owned(id SignalID) bool {
	s := e.profile.Signals[id]
	return s.Service != "" && s.Status == nil
}

// lastSet reports whether no later assignment changes the same signal.
func lastSet(as []Assignment, a Assignment) bool {
	for i := len(as) - 1; i >= 0; i-- {
		if as[i].Signal == a.Signal {
			return as[i].Op == a.Op && as[i].Value.Equal(a.Value)
		}
	}
	return true
}

// Readings returns the signals that a result of the tool carries, in the
// units of the signals; a number written with its unit is a number.
func (t *Tool) Readings(p *Profile, result Value) []Reading {
	var rs []Reading
	for _, ret := range t.Returns {
		v, ok := result.Get(ret.Path)
		if !ok {
			continue
		}
		sig := p.Signals[ret.Signal]
		if text, ok := v.Text(); ok && (sig.Type == TypeNumber || sig.Type == TypeInteger) {
			v = numberText(text, ret)
		}
		if f, ok := v.Float(); ok {
			c, err := convert(f, ret.Unit, sig.Unit)
			if err != nil {
				continue
			}
			v = NumberOf(c)
		}
		rs = append(rs, Reading{ret.Signal, v})
	}
	return rs
}

// numberText reads a number that may be followed by its unit.
func numberText(s string, r Return) Value {
	suffixes := []string{r.Unit.Suffix(), string(r.Unit)}
	if r.Text != nil {
		suffixes = append([]string{r.Text.Suffix}, suffixes...)
	}
	s = strings.TrimSpace(s)
	for _, suffix := range suffixes {
		if cut, ok := strings.CutSuffix(s, strings.TrimSpace(suffix)); ok && suffix != "" {
			s = strings.TrimSpace(cut)
			break
		}
	}
	v, err := ParseJSON([]byte(s))
	if err != nil || v.Kind() != Number {
		return Value{}
	}
	return v
}
