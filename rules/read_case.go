// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"maps"
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

// cases reads a file of tests. What stands beside tests: holds for each of
// them, unless the test says otherwise.
func (r *reader) cases(n *vehicle.Node) []*Case {
	if !r.isMap(n, "a test file") {
		return nil
	}
	shared := []string{"state", "context", "answers", "prefers"}
	r.keys(n, append(shared, "tests")...)
	if n.Member("tests") == nil {
		r.bad(n.Pos, "add tests:", "no tests in this file")
		return nil
	}
	base := &Case{}
	r.setting(base, n)
	var l []*Case
	for _, it := range r.list(n.Member("tests"), "tests") {
		if !r.isMap(it, "a test") {
			continue
		}
		r.keys(it, append(shared, "name", "history", "without", "turns")...)
		c := &Case{Pos: it.Pos, State: maps.Clone(base.State), Context: maps.Clone(base.Context),
			Answers: slices.Clone(base.Answers), Prefers: base.Prefers}
		r.setting(c, it)
		if name := it.Member("name"); name != nil {
			c.Name = r.text(name, "name")
		} else {
			r.bad(it.Pos, "", "test has no name")
		}
		c.History = r.calls(it.Member("history"), true)
		c.Without = r.names(it.Member("without"), "a tool")
		if it.Member("turns") == nil {
			r.bad(it.Pos, "add turns:", "test %q has no turns", c.Name)
		}
		for _, t := range r.list(it.Member("turns"), "turns") {
			if turn := r.turn(t); turn != nil {
				c.Turns = append(c.Turns, turn)
			}
		}
		l = append(l, c)
	}
	return l
}

func (r *reader) setting(c *Case, n *vehicle.Node) {
	c.State = r.values(c.State, n.Member("state"), "state")
	c.Context = r.values(c.Context, n.Member("context"), "context")
	c.Answers = append(r.calls(n.Member("answers"), true), c.Answers...)
	if p := n.Member("prefers"); p != nil {
		c.Prefers = r.names(p, "a lexicon word")
	}
}

func (r *reader) values(into map[string]vehicle.Value, n *vehicle.Node, what string) map[string]vehicle.Value {
	if into == nil {
		into = map[string]vehicle.Value{}
	}
	if n == nil || !r.isMap(n, what) {
		return into
	}
	for _, f := range n.Members {
		v := f.Value.Value()
		if s, ok := v.Text(); ok && s == "unknown" {
			v = vehicle.Value{}
		}
		into[f.Name] = v
	}
	return into
}

// calls reads a list of calls; an empty list is kept apart from none.
func (r *reader) calls(n *vehicle.Node, results bool) []CaseCall {
	if n == nil || !r.is(n, vehicle.List, "a list of calls") {
		return nil
	}
	l := []CaseCall{}
	known := []string{"call", "args"}
	if results {
		known = append(known, "result", "failed")
	}
	for _, it := range n.Items {
		if !r.isMap(it, "a call") {
			continue
		}
		r.keys(it, known...)
		c := CaseCall{Args: vehicle.ObjectOf(), Pos: it.Pos}
		if name := it.Member("call"); name != nil {
			c.Call = r.text(name, "call")
		} else {
			r.bad(it.Pos, "add call", "a call names no tool")
		}
		if a := it.Member("args"); a != nil && r.isMap(a, "args") {
			c.Args = a.Value()
		}
		if v := it.Member("result"); v != nil {
			c.Result = v.Value()
		}
		if f := it.Member("failed"); f != nil {
			c.Failed = r.flag(f)
		}
		l = append(l, c)
	}
	return l
}

func (r *reader) turn(n *vehicle.Node) *CaseTurn {
	if !r.isMap(n, "a turn") {
		return nil
	}
	r.keys(n, "user", "answer", "wants", "draft", "fails", "reply", "reply_is", "want")
	t := &CaseTurn{Pos: n.Pos, User: r.text(n.Member("user"), "user"), Wants: r.names(n.Member("wants"), "a lexicon word"),
		Draft: r.calls(n.Member("draft"), false), Fails: r.names(n.Member("fails"), "a tool"), Reply: r.text(n.Member("reply"), "reply")}
	if a := n.Member("answer"); a != nil {
		t.Answer = r.word(a, "yes", "no")
	}
	for _, k := range r.names(n.Member("reply_is"), "a kind of reply") {
		t.ReplyIs = append(t.ReplyIs, ReplyKind(k))
		if !slices.Contains([]ReplyKind{ReplyClaim, ReplyRefusal, ReplyQuestion}, ReplyKind(k)) {
			r.bad(n.Member("reply_is").Pos, "claim, refusal or question", "%q is no kind of reply", k)
		}
	}
	if t.Draft == nil && t.Reply == "" && t.Answer == "" {
		r.bad(n.Pos, "add draft, reply or answer", "nothing happens in this turn")
	}
	if w := n.Member("want"); w != nil {
		t.Want = r.want(w)
	} else {
		r.bad(n.Pos, "add want:", "a turn without what must come of it")
	}
	return t
}

func (r *reader) want(n *vehicle.Node) CaseWant {
	w := CaseWant{Pos: n.Pos}
	if !r.isMap(n, "want") {
		return w
	}
	r.keys(n, "calls", "reads", "held", "asked", "told", "fires", "silent")
	w.Calls, w.Reads = r.calls(n.Member("calls"), false), r.calls(n.Member("reads"), false)
	w.Held = r.verdicts(n.Member("held"), "call")
	w.Asked = r.verdicts(n.Member("asked"), "call", "naming", "warn")
	w.Told = r.verdicts(n.Member("told"), "value", "word")
	if f := n.Member("fires"); f != nil && (f.Kind != vehicle.List || len(f.Items) > 0) {
		w.Fires = r.names(f, "a rule id")
	}
	w.Silent = r.names(n.Member("silent"), "a rule id")
	return w
}

func (r *reader) verdicts(n *vehicle.Node, keys ...string) []Verdict {
	if n == nil || !r.is(n, vehicle.List, "a list") {
		return nil
	}
	l := []Verdict{}
	for _, it := range n.Items {
		if !r.isMap(it, "an element") {
			continue
		}
		r.keys(it, append(keys, "by")...)
		v := Verdict{Pos: it.Pos, By: r.text(it.Member("by"), "by"), Call: r.text(it.Member("call"), "call"),
			Warn: r.names(it.Member("warn"), "a lexicon word"), Word: r.text(it.Member("word"), "word")}
		if x := it.Member("naming"); x != nil {
			v.Naming = x.Value()
		}
		if x := it.Member("value"); x != nil {
			v.Value = x.Value()
		}
		l = append(l, v)
	}
	return l
}
