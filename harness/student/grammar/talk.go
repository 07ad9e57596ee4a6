// SPDX-License-Identifier: Apache-2.0

package grammar

import (
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// turn is one utterance with what followed it.
type turn struct {
	text    string
	reply   string // what was said last in answer
	drafts  int    // how many drafts of the student's own were carried out, in whole or part
	calls   []vehicle.Call
	results []outcome
}

// outcome is a result with the call it belongs to.
type outcome struct {
	call   vehicle.Call
	result vehicle.Result
}

// talk is the conversation as turns, oldest first; the last is the one to
// draft for.
type talk struct{ turns []turn }

// turnsKept is how many turns back an answer or a pronoun may refer.
const turnsKept = 4

func newTalk(ms []harness.Message) (talk, bool) {
	var t talk
	for i := range ms {
		m := &ms[i]
		if m.Role == harness.User {
			t.turns = append(t.turns, turn{text: m.Text})
			continue
		}
		if len(t.turns) == 0 {
			continue
		}
		cur := &t.turns[len(t.turns)-1]
		switch m.Role {
		case harness.Assistant:
			if m.Text != "" && len(m.Calls) == 0 {
				cur.reply = m.Text
			}
			cur.add(m.Calls)
		case harness.ToolRole:
			if m.Result != nil {
				cur.settle(*m.Result)
			}
		}
	}
	if n := len(t.turns); n > turnsKept {
		t.turns = t.turns[n-turnsKept:]
	}
	return t, len(t.turns) > 0
}

func (t *turn) add(calls []vehicle.Call) {
	own := false
	for _, c := range calls {
		t.calls = append(t.calls, c)
		own = own || c.Origin == vehicle.ByStudent
	}
	if own {
		t.drafts++
	}
}

// settle files a result under its call; one that no call claims stands for
// itself.
func (t *turn) settle(r vehicle.Result) {
	for i := len(t.calls) - 1; i >= 0; i-- {
		if t.calls[i].ID == r.CallID && t.calls[i].Tool == r.Tool {
			t.results = append(t.results, outcome{t.calls[i], r})
			return
		}
	}
	t.results = append(t.results, outcome{vehicle.Call{ID: r.CallID, Tool: r.Tool}, r})
}

// current is the turn to draft for.
func (t *talk) current() *turn { return &t.turns[len(t.turns)-1] }

// find returns the latest result of exactly this call, looking back to turn
// since, and whether the call was made at all.
func (t *talk) find(c vehicle.Call, since int) (r *vehicle.Result, made bool) {
	want := c.Canonical()
	for i := len(t.turns) - 1; i >= since && i >= 0; i-- {
		for k := len(t.turns[i].results) - 1; k >= 0; k-- {
			if o := &t.turns[i].results[k]; o.call.Canonical() == want {
				return &o.result, true
			}
		}
		for _, k := range t.turns[i].calls {
			if k.Canonical() == want {
				made = true
			}
		}
	}
	return nil, made
}

// reading returns the newest value of a signal that this turn's results
// carry; read is whether any of them should have carried it.
func (t *talk) reading(cat *vehicle.Catalog, s vehicle.SignalID) (v vehicle.Value, read bool) {
	if cat.Profile == nil {
		return vehicle.Value{}, false
	}
	cur := t.current()
	for i := len(cur.results) - 1; i >= 0; i-- {
		o := &cur.results[i]
		tool := cat.Tool(o.call.Tool)
		if tool == nil {
			continue
		}
		for _, a := range tool.Touches(nil) {
			if a.Signal == s {
				return vehicle.Value{}, false // written since: what was read is old
			}
		}
		for _, ret := range tool.Returns {
			read = read || ret.Signal == s && tool.Access == vehicle.Read
		}
		if !o.result.OK() || tool.Access != vehicle.Read {
			continue
		}
		for _, r := range tool.Readings(cat.Profile, o.result.Value) {
			if r.Signal == s && r.Value.Known() {
				return r.Value, true
			}
		}
	}
	return vehicle.Value{}, read
}
