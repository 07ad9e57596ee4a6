// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"time"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// Suite is the deterministic gates alone, for a conversation that somebody
// else drives: a foreign agent, or a recording. It judges what it is shown and
// carries out nothing. It is not safe for concurrent use.
type Suite struct {
	s *Session
	r *run
}

// NewSuite returns the gates for a conversation. Car, Student and Journal of
// the parts are not used and may be missing.
func NewSuite(p Parts) (*Suite, error) {
	if p.Student == nil {
		p.Student = nobody{}
	}
	if p.Car == nil {
		p.Car = nobody{}
	}
	s, err := NewSession(p)
	if err != nil {
		return nil, err
	}
	return &Suite{s: s}, nil
}

// Hear takes in what the driver said and begins a turn. A question that waits
// (see [Suite.Ask]) is decided by it.
func (u *Suite) Hear(text string) {
	u.r = u.s.newRun(text)
	text = u.r.v.utterance
	u.r.attend(text)
	if rest, more := u.answer(text); more {
		u.r.listen(rest)
	}
	u.r.begin(Draft{})
}

// Judge returns what the gates hold against a draft. The draft's calls get
// ids when they have none. Nothing is repaired and nothing is remembered.
func (u *Suite) Judge(d *Draft) []Finding {
	u.ready(d)
	return u.s.check(u.r.v, d)
}

// ready begins a turn if none has begun, and gives the draft's calls ids where
// they have none.
func (u *Suite) ready(d *Draft) {
	if u.r == nil {
		u.Hear("")
	}
	for i := range d.Calls {
		if d.Calls[i].ID == "" {
			d.Calls[i].ID = u.s.newID()
		}
	}
	u.r.v.now = u.s.Now()
}

// Verify judges a draft as a turn does: what code can repair is repaired, reads
// that are demanded are made on the car of the parts, and the draft is judged
// again until nothing is left that code can do. It returns the repaired draft,
// every verification, and the findings that remain. The reads join what was
// recorded; nothing else does.
func (u *Suite) Verify(ctx context.Context, d Draft) (Draft, []Check, []Finding) {
	u.ready(&d)
	u.r.begin(d)
	d, left := u.r.verify(ctx, d)
	return d, u.r.step.Checks, left
}

// Record takes in what really happened: what was said, or the calls that were
// carried out with their results, matched by call id.
func (u *Suite) Record(text string, calls []vehicle.Call, results []vehicle.Result) {
	if u.r == nil {
		u.Hear("")
	}
	u.s.history.assistant(text, calls)
	u.r.v.prepare(&Draft{Calls: calls})
	before := make(map[string]vehicle.State, len(calls))
	for i, c := range calls {
		before[c.ID] = u.r.v.p.states[i].Clone()
	}
	for _, res := range results {
		i := indexCall(calls, res.CallID)
		if i < 0 {
			continue
		}
		u.r.before = before
		u.r.finish(context.Background(), calls[i], res)
	}
	u.s.discharge(u.r.v, false)
	u.r.v.freshReads()
}

// State is the state that follows from what was recorded.
func (u *Suite) State() vehicle.State { return u.s.facts.state.Clone() }

// Fact is what is known of a signal.
func (u *Suite) Fact(s vehicle.SignalID) rules.Fact { return u.s.facts.fact(s) }

// Turn is the number of the current turn, from 1.
func (u *Suite) Turn() int { return u.s.history.turn }

// Time sets the moment that the next judgements see.
func (u *Suite) Time(now time.Time) { u.s.Now = func() time.Time { return now } }
