// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/carguardd/carguardd/vehicle"

// Observe takes in a call that was carried out before the session heard its
// next utterance, outside of any turn of its own: in a conversation that is
// taken up, or one that is replayed. It judges nothing and sends nothing. A
// call that triggered a rule binds as if it had been made in an earlier turn.
func (s *Session) Observe(c vehicle.Call, res vehicle.Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.ID == "" {
		c.ID = s.newID()
	}
	res.CallID, res.Tool = c.ID, c.Tool
	if res.At.IsZero() {
		res.At = s.Now()
	}
	before := s.facts.state.Clone()
	s.facts.record(c, res, s.history.turn)
	s.history.assistant("", []vehicle.Call{c})
	s.history.result(res)
	if !res.OK() {
		return
	}
	v := s.newView(s.Rules(), func(string) {})
	v.prepare(&Draft{})
	e := &env{v: v, p: &v.p, trigger: &c, idx: -1, past: before}
	s.bound = append(s.bound, bind(v, e, c, before)...)
}
