// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"context"
	"errors"
	"strings"
	"time"
)

// restTime is how long a position must have stood still to count as where it
// is going to stay.
const restTime = time.Second

// run is one write call under way.
type run struct {
	e        *Executor
	call     *Call
	turn     Turn
	stopped  <-chan struct{}
	monitors []*monitor
	trace    []Trace
}

// write carries out the effects of a write tool of the vehicle.
func (e *Executor) write(ctx context.Context, t *Tool, c *Call) Result {
	as, err := t.Effects(c.Args, nil)
	if err != nil {
		return fail("%v", err)
	}
	if len(as) == 0 {
		if !t.Declared && len(t.Sets) == 0 {
			return fail("%s declares no effect and no service runs it", t.Name)
		}
		return Result{Status: Done, Value: ObjectOf()}
	}
	r := &run{e: e, call: c, turn: e.turn(ctx)}
	_, r.stopped = e.cfg.Writer.Epoch()
	defer r.end()
	for _, g := range e.groups(as) {
		if !r.group(ctx, g) {
			break
		}
	}
	return r.result(t)
}

// groups cuts the assignments into runs that do not depend on each other: all
// of one are sent before the effect of any is awaited. A signal that occurs
// again, or whose interlocks look at a signal that is still to move, begins a
// new one.
func (e *Executor) groups(as []Assignment) [][]Assignment {
	var out [][]Assignment
	start := 0
	for i, a := range as {
		for _, earlier := range as[start:i] {
			if e.depends(a.Signal, earlier.Signal) {
				out, start = append(out, as[start:i]), i
				break
			}
		}
	}
	return append(out, as[start:])
}

func (e *Executor) depends(s, on SignalID) bool {
	if s == on {
		return true
	}
	for _, il := range e.profile.Limits.Interlocks {
		for _, n := range il.Need {
			if il.Signal == s && n.Signal == on {
				return true
			}
		}
	}
	return false
}

// group sends the commands of one group and waits for their effects. It
// reports whether all were observed. The first that cannot be sent keeps those
// behind it from being sent; what was already checked to be refused keeps all.
func (r *run) group(ctx context.Context, as []Assignment) bool {
	first := len(r.monitors)
	for _, a := range as {
		r.monitors = append(r.monitors, r.prepare(a))
	}
	ms := r.monitors[first:]
	for _, m := range ms {
		if m.status == "" {
			m.refuse(r.e.cfg.Writer.Check(r.command(m)))
		}
	}
	w := r.watch(ms)
	defer w.Close()
	ok := true
	for _, m := range ms {
		ok = ok && (m.status == "" || m.status == Done)
	}
	for _, m := range ms {
		switch {
		case m.status != "":
		case !ok:
			m.status, m.reason = Failed, "not sent, because another part of the call could not be done"
		case !r.send(ctx, m):
			ok = false
		}
	}
	if left, here := ctx.Value(leftKey{}).(func()); here && first == 0 && ok {
		left()
	}
	r.await(ctx, w, ms)
	for _, m := range ms {
		ok = ok && m.status == Done
	}
	return ok
}

func (r *run) command(m *monitor) Command {
	return Command{Signal: m.sig.ID, Value: m.target, Call: r.call.ID, Epoch: r.turn.Epoch, Guard: r.turn.Guard}
}

// prepare decides what an assignment means now.
func (r *run) prepare(a Assignment) *monitor {
	m := &monitor{sig: r.e.profile.Signals[a.Signal], target: a.Value, before: r.e.cfg.Live.Get(a.Signal)}
	m.settle = m.sig.Settle
	if m.settle <= 0 {
		m.settle = DefaultSettle
	}
	switch a.Op {
	case Forget:
		m.status, m.reason = Failed, m.sig.Name+": the call does not say to what it is set"
		return m
	case Append:
		if m.target = m.before.Known().Append(a.Value); !m.target.Known() {
			m.status, m.reason = Failed, m.sig.Name+": the list to append to is not known"
			return m
		}
	}
	resting := m.sig.Motion == nil || !m.before.Moved || m.before.Still >= restTime
	if resting && m.sig.Command != nil && m.before.Fresh && m.before.Value.Equal(m.target) {
		// It is there; but somebody else's command may be about to take it away.
		if w, ok := r.e.cfg.Writer.(Contester); ok && m.refuse(w.Contested(r.command(m))) {
			return m
		}
		m.status = Done
		r.trace = append(r.trace, rx(m.sig, m.before))
	}
	return m
}

// send sends the command of a monitor and reports whether it left.
func (r *run) send(ctx context.Context, m *monitor) bool {
	m.before = r.e.cfg.Live.Get(m.sig.ID)
	sent, err := r.e.cfg.Writer.Write(ctx, r.command(m))
	if m.refuse(err) {
		return false
	}
	m.begin(sent, r.e.cfg.Clock.Mono())
	m.doubt = err // it may have left: the status will say
	r.trace = append(r.trace, Trace{At: sent.At, Dir: "tx", Bus: sent.Bus, Text: sent.Text, Signal: m.sig.Name, Value: m.target})
	if m.sig.Status == nil {
		m.status, m.reason = Unconfirmed, m.sig.Name+": sent, but nothing tells its state"
	}
	return true
}

// refuse reports whether the boundary let nothing out, and notes why.
func (m *monitor) refuse(err error) bool {
	if !errors.As(err, &m.refusal) {
		return false
	}
	m.status, m.reason = Refused, err.Error()
	if m.refusal.Gate == GateStop {
		m.status = Stopped
	}
	return true
}

func rx(s *Signal, o Observation) Trace {
	return Trace{At: o.At, Dir: "rx", Bus: o.Source.Bus, Text: o.Source.String(), Signal: s.Name, Value: o.Value}
}

// end tells the boundary that nothing is waited for any more.
func (r *run) end() {
	for _, m := range r.monitors {
		if m.sent.End != nil {
			m.sent.End()
		}
	}
}

// severity orders the statuses: the call ends as its worst part.
var severity = map[Status]int{Done: 0, Unconfirmed: 1, Refused: 2, Failed: 3, Stopped: 4}

// result sums up the parts. A call of which something left is never Refused:
// part of it happened.
func (r *run) result(t *Tool) Result {
	res := Result{Status: Done, Trace: r.trace}
	var reasons []string
	left := false
	for _, m := range r.monitors {
		left = left || m.sent.Text != ""
		if severity[m.status] > severity[res.Status] {
			res.Status = m.status
		}
		if res.Cause == "" {
			res.Cause = m.cause
		}
		if m.reason != "" {
			reasons = append(reasons, m.reason)
		}
		if m.doubt != nil && m.status != Done {
			reasons = append(reasons, m.doubt.Error())
		}
		if m.refusal != nil && res.Refusal == nil {
			res.Refusal = m.refusal
		}
	}
	if res.Refusal != nil && res.Status == Failed && !left {
		res.Status = Refused // the rest only waited for what was refused
	}
	if res.Status == Refused && left {
		res.Status = Failed
	}
	res.Reason = strings.Join(reasons, "; ")
	if res.Value, _ = r.e.assemble(t, r.call.Args); len(t.Returns) == 0 {
		res.Value = r.observed()
	}
	return res
}

// observed is what is now seen of the signals that the call sets.
func (r *run) observed() Value {
	v := ObjectOf()
	for _, m := range r.monitors {
		v = v.With(m.sig.Name, r.e.cfg.Live.Value(m.sig.ID))
	}
	return v
}
