// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"context"
	"fmt"
	"math"
	"time"
)

// monitor follows one command until it is known what came of it.
type monitor struct {
	sig     *Signal
	target  Value
	settle  time.Duration
	before  Observation // just before the command left
	sent    Sent
	begun   time.Duration // when the write returned
	status  Status        // empty while it is not known
	reason  string
	cause   Cause
	refusal *Refusal
	doubt   error // of a write of which it is not certain that it left

	numeric bool
	seen    bool          // observed since it was sent
	left    bool          // the value was another than before
	latest  Value         // what was seen last
	best    float64       // least distance to the target
	moved   time.Duration // when the value last changed
}

// begin starts to follow a command whose write has just returned, now.
func (m *monitor) begin(s Sent, now time.Duration) {
	m.sent, m.begun, m.moved, m.latest = s, now, now, m.before.Known()
	m.best = math.Inf(1)
	o, ok1 := m.latest.Float()
	t, ok2 := m.target.Float()
	if m.numeric = ok2; ok1 && ok2 {
		m.best = math.Abs(o - t)
	}
}

// stall is how long a position may stand still on its way before it counts as
// blocked.
func (m *monitor) stall() time.Duration {
	return min(max(m.settle/4, 500*time.Millisecond), 2*time.Second)
}

// margin is by how much a position may run back without having reversed.
func (m *monitor) margin() float64 {
	return max(m.sig.Tolerance, m.sig.Step, (m.sig.Max-m.sig.Min)/100) + 1e-9
}

// observe judges one observation. An echo of the command is none: only what
// was received after the command left counts.
func (m *monitor) observe(o Observation) {
	if m.status != "" || o.Count <= m.before.Count || o.Mono < m.sent.Mono || !o.Fresh || !o.Value.Known() {
		return
	}
	m.seen = true
	if m.sig.Reached(o.Value, m.target) {
		m.status = Done
		return
	}
	changed := m.latest.Known() && !m.latest.Equal(o.Value)
	if changed {
		m.moved, m.left = o.Mono, true
	}
	was := m.latest
	m.latest = o.Value
	if m.sig.Motion == nil || !changed {
		return
	}
	v, ok := o.Value.Float()
	t, _ := m.target.Float()
	switch d := math.Abs(v - t); {
	case m.numeric && ok && d > m.best+m.margin():
		m.status, m.cause, m.reason = Failed, CauseReversed, fmt.Sprintf("%s reversed: it ran from %s back to %s", m.sig.Name, m.sig.Show(was), m.sig.Show(o.Value))
	case m.numeric && ok:
		m.best = min(m.best, d)
	case !m.numeric && o.Value.Equal(m.before.Known()):
		m.status, m.cause, m.reason = Failed, CauseReversed, fmt.Sprintf("%s reversed: it went to %v and back to %v", m.sig.Name, was, o.Value)
	}
}

// judgeBlocked notes an observation that says that the car does not follow.
func (m *monitor) judgeBlocked(p *Profile, o Observation) {
	if m.status != "" || o.Mono < m.sent.Mono {
		return
	}
	for _, n := range m.sig.Blocked {
		if n.Signal != o.Signal {
			continue
		}
		s := p.Signals[n.Signal]
		if gate, _ := n.Unmet(s, o); gate == "" {
			m.status, m.cause, m.reason = Failed, CauseBlocked, fmt.Sprintf("%s is blocked: %s = %s", m.sig.Name, s.Name, s.Show(o.Value))
		}
	}
}

// judgeTime notes what the passing of time alone says, and returns when it
// will say more. Only a position that is known now can stand still.
func (m *monitor) judgeTime(now time.Duration, known bool) (next time.Duration) {
	if m.status != "" {
		return math.MaxInt64
	}
	next = m.begun + m.settle
	if now >= next {
		m.status = Unconfirmed
		m.reason = fmt.Sprintf("%s: no status came within %v", m.sig.Name, m.settle)
		if m.seen {
			m.reason = fmt.Sprintf("%s is %s after %v, not %s", m.sig.Name, m.sig.Show(m.latest), m.settle, m.sig.Show(m.target))
		}
		return next
	}
	if m.sig.Motion == nil || !m.numeric || !m.seen || !known {
		return next
	}
	if still := m.moved + m.stall(); now >= still {
		m.status, m.cause, m.reason = Failed, CauseBlocked, fmt.Sprintf("%s is blocked: it stands at %s, not %s", m.sig.Name, m.sig.Show(m.latest), m.sig.Show(m.target))
	} else {
		next = min(next, still)
	}
	return next
}

// watch observes everything that the monitors judge.
func (r *run) watch(ms []*monitor) *Watch {
	var ids []SignalID
	for _, m := range ms {
		ids = append(ids, m.sig.ID)
		for _, n := range m.sig.Blocked {
			ids = append(ids, n.Signal)
		}
	}
	return r.e.cfg.Live.WatchEvery(ids...)
}

// await returns when it is known of every monitor what came of it.
func (r *run) await(ctx context.Context, w *Watch, ms []*monitor) {
	var buf []Observation
	for {
		buf = w.Take(buf[:0])
		r.judge(ms, buf)
		next, open := time.Duration(math.MaxInt64), false
		now := r.e.cfg.Clock.Mono()
		for _, m := range ms {
			next = min(next, m.judgeTime(now, r.e.cfg.Live.Get(m.sig.ID).Fresh))
			open = open || m.status == ""
		}
		if !open {
			return
		}
		timer := r.e.cfg.Clock.NewTimer(next - now)
		select {
		case <-w.C():
		case <-timer.C():
		case <-r.stopped:
			r.giveUp(ms, true, "stopped while it was under way")
			r.stopped = nil // what does not move goes on
		case <-ctx.Done():
			r.giveUp(ms, false, fmt.Sprintf("not waited for any longer: %v", context.Cause(ctx)))
		}
		timer.Stop()
	}
}

// judge hands the observations to the monitors and traces what decided.
func (r *run) judge(ms []*monitor, seen []Observation) {
	for _, o := range seen {
		for _, m := range ms {
			if m.status != "" {
				continue
			}
			m.judgeBlocked(r.e.profile, o)
			if m.status == "" && o.Signal == m.sig.ID {
				m.observe(o)
			}
			if m.status != "" {
				r.trace = append(r.trace, rx(r.e.profile.Signals[o.Signal], o))
			}
		}
	}
}

// giveUp ends the open monitors, only those of movements when moving.
func (r *run) giveUp(ms []*monitor, moving bool, reason string) {
	for _, m := range ms {
		switch {
		case m.status != "" || (moving && m.sig.Motion == nil):
		case moving:
			m.status, m.reason = Stopped, m.sig.Name+" was "+reason
		default:
			m.status, m.reason = Unconfirmed, m.sig.Name+": sent, but "+reason
		}
	}
}
