// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"maps"
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

// cases reads a file of tests. What stands beside tests: holds for each of
// them, unless the test says otherwise.
func (r *reader) cases(n *node) []*Case {
	if !r.isMap(n, "a test file") {
		return nil
	}
	shared := []string{"state", "context", "answers", "prefers"}
	r.keys(n, append(shared, "tests")...)
	if n.get("tests") == nil {
		r.bad(n.pos, "add tests:", "no tests in this file")
		return nil
	}
	base := &Case{}
	r.setting(base, n)
	var l []*Case
	for _, it := range r.list(n.get("tests"), "tests") {
		if !r.isMap(it, "a test") {
			continue
		}
		r.keys(it, append(shared, "name", "history", "without", "turns")...)
		c := &Case{Pos: it.pos, State: maps.Clone(base.State), Context: maps.Clone(base.Context),
			Answers: slices.Clone(base.Answers), Prefers: base.Prefers}
		r.setting(c, it)
		if name := it.get("name"); name != nil {
			c.Name = r.text(name, "name")
		} else {
			r.bad(it.pos, "", "test has no name")
		}
		c.History = r.calls(it.get("history"), true)
		c.Without = r.names(it.get("without"), "a tool")
		if it.get("turns") == nil {
			r.bad(it.pos, "add turns:", "test %q has no turns", c.Name)
		}
		for _, t := range r.list(it.get("turns"), "turns") {
			if turn := r.turn(t); turn != nil {
				c.Turns = append(c.Turns, turn)
			}
		}
		l = append(l, c)
	}
	return l
}

func (r *reader) setting(c *Case, n *node) {
	c.State = r.values(c.State, n.get("state"), "state")
	c.Context = r.values(c.Context, n.get("context"), "context")
	c.Answers = append(r.calls(n.get("answers"), true), c.Answers...)
	if p := n.get("prefers"); p != nil {
		c.Prefers = r.names(p, "a lexicon word")
	}
}

func (r *reader) values(into map[string]vehicle.Value, n *node, what string) map[string]vehicle.Value {
	if into == nil {
		into = map[string]vehicle.Value{}
	}
	if n == nil || !r.isMap(n, what) {
		return into
	}
	for _, f := range n.fields {
		v := r.value(f.node)
		if s, ok := v.Text(); ok && s == "unknown" {
			v = vehicle.Value{}
		}
		into[f.name] = v
	}
	return into
}

// value reads any YAML as a value.
func (r *reader) value(n *node) vehicle.Value {
	switch n.kind {
	case nodeScalar:
		return n.val
	case nodeList:
		l := make([]vehicle.Value, len(n.items))
		for i, it := range n.items {
			l[i] = r.value(it)
		}
		return vehicle.ListOf(l...)
	case nodeMap:
		l := make([]vehicle.Field, len(n.fields))
		for i, f := range n.fields {
			l[i] = vehicle.Field{Name: f.name, Value: r.value(f.node)}
		}
		return vehicle.ObjectOf(l...)
	}
	return vehicle.Value{}
}

// calls reads a list of calls; an empty list is kept apart from none.
func (r *reader) calls(n *node, results bool) []CaseCall {
	if n == nil || !r.is(n, nodeList, "a list of calls") {
		return nil
	}
	l := []CaseCall{}
	known := []string{"call", "args"}
	if results {
		known = append(known, "result", "failed")
	}
	for _, it := range n.items {
		if !r.isMap(it, "a call") {
			continue
		}
		r.keys(it, known...)
		c := CaseCall{Args: vehicle.ObjectOf(), Pos: it.pos}
		if name := it.get("call"); name != nil {
			c.Call = r.text(name, "call")
		} else {
			r.bad(it.pos, "add call", "a call names no tool")
		}
		if a := it.get("args"); a != nil && r.isMap(a, "args") {
			c.Args = r.value(a)
		}
		if v := it.get("result"); v != nil {
			c.Result = r.value(v)
		}
		if f := it.get("failed"); f != nil {
			c.Failed = r.flag(f)
		}
		l = append(l, c)
	}
	return l
}

func (r *reader) turn(n *node) *CaseTurn {
	if !r.isMap(n, "a turn") {
		return nil
	}
	r.keys(n, "user", "answer", "wants", "draft", "fails", "reply", "reply_is", "want")
	t := &CaseTurn{Pos: n.pos, User: r.text(n.get("user"), "user"), Wants: r.names(n.get("wants"), "a lexicon word"),
		Draft: r.calls(n.get("draft"), false), Fails: r.names(n.get("fails"), "a tool"), Reply: r.text(n.get("reply"), "reply")}
	if a := n.get("answer"); a != nil {
		t.Answer = r.word(a, "yes", "no")
	}
	for _, k := range r.names(n.get("reply_is"), "a kind of reply") {
		t.ReplyIs = append(t.ReplyIs, ReplyKind(k))
		if !slices.Contains([]ReplyKind{ReplyClaim, ReplyRefusal, ReplyQuestion}, ReplyKind(k)) {
			r.bad(n.get("reply_is").pos, "claim, refusal or question", "%q is no kind of reply", k)
		}
	}
	if t.Draft == nil && t.Reply == "" && t.Answer == "" {
		r.bad(n.pos, "add draft, reply or answer", "nothing happens in this turn")
	}
	if w := n.get("want"); w != nil {
		t.Want = r.want(w)
	} else {
		r.bad(n.pos, "add want:", "a turn without what must come of it")
	}
	return t
}

func (r *reader) want(n *node) CaseWant {
	w := CaseWant{Pos: n.pos}
	if !r.isMap(n, "want") {
		return w
	}
	r.keys(n, "calls", "reads", "held", "asked", "told", "fires", "silent")
	w.Calls, w.Reads = r.calls(n.get("calls"), false), r.calls(n.get("reads"), false)
	w.Held = r.verdicts(n.get("held"), "call")
	w.Asked = r.verdicts(n.get("asked"), "call", "naming", "warn")
	w.Told = r.verdicts(n.get("told"), "value", "word")
	if f := n.get("fires"); f != nil && (f.kind != nodeList || len(f.items) > 0) {
		w.Fires = r.names(f, "a rule id")
	}
	w.Silent = r.names(n.get("silent"), "a rule id")
	return w
}

func (r *reader) verdicts(n *node, keys ...string) []Verdict {
	if n == nil || !r.is(n, nodeList, "a list") {
		return nil
	}
	l := []Verdict{}
	for _, it := range n.items {
		if !r.isMap(it, "an element") {
			continue
		}
		r.keys(it, append(keys, "by")...)
		v := Verdict{Pos: it.pos, By: r.text(it.get("by"), "by"), Call: r.text(it.get("call"), "call"),
			Warn: r.names(it.get("warn"), "a lexicon word"), Word: r.text(it.get("word"), "word")}
		if x := it.get("naming"); x != nil {
			v.Naming = r.value(x)
		}
		if x := it.get("value"); x != nil {
			v.Value = r.value(x)
		}
		l = append(l, v)
	}
	return l
}
