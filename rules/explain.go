// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// Condition is one comparison of a rule with what was found.
type Condition struct {
	Key      string // on, if, unless, need, must, at_most or where
	Text     string // as the rule writes it
	Evidence Evidence
}

// Explanation is why a rule does what it does at a moment: everything that it
// looks at, whether it decides anything or not.
type Explanation struct {
	Triggered Truth
	When      []Condition
	Matches   []ExplainedMatch
}

// ExplainedMatch is the judgement for one thing that the wildcard stands for.
type ExplainedMatch struct {
	Item       string
	Truth      Truth // of the conditions
	Conditions []Condition
	Kept       Truth // precondition, constraint, selection: what it asks for holds
	Asked      []Condition
	Chosen     *Choice // selection

	Match Match // for [Rule.Owed] and the like
}

// Explain judges the rule as [Rule.Triggered], [Rule.Matches] and
// [Rule.Needs] do, and leaves nothing out: false conditions are listed too,
// and those behind a false one.
func (r *Rule) Explain(env Env) Explanation {
	e := newEval(env, r, binding{})
	var out Explanation
	out.Triggered = e.triggered()
	for _, o := range r.On {
		if e.fits(o) {
			_, cs := e.explain("on", o.When, (*eval).all)
			out.When = append(out.When, cs...)
		}
	}
	for _, b := range e.bindings() {
		e.bind = b
		m := ExplainedMatch{Item: e.item(), Kept: True}
		truth, cs := e.explain("if", r.If, (*eval).all)
		not, more := e.explain("unless", r.Unless, (*eval).any)
		m.Truth, m.Conditions = truth.And(not.Not()), append(cs, more...)
		m.Match = Match{Item: m.Item, Truth: m.Truth, bind: b}
		e.explainEffect(&m)
		out.Matches = append(out.Matches, m)
	}
	return out
}

func (e *eval) explainEffect(m *ExplainedMatch) {
	r := e.rule
	switch {
	case len(r.Need) > 0:
		m.Kept, m.Asked = e.explain("need", r.Need, (*eval).all)
	case len(r.Must) > 0:
		m.Kept, m.Asked = e.explain("must", r.Must, (*eval).all)
	case r.AtMost > 0:
		var evidence []Evidence
		m.Kept, evidence, _ = r.atMost(e.env)
		for _, ev := range evidence {
			m.Asked = append(m.Asked, Condition{"at_most", ev.Left, ev})
		}
	case r.Choose != nil:
		truth, c, _ := r.Chooses(e.env, &m.Match)
		m.Kept, m.Chosen = truth, &c
		e.cand = e.env.Ref(c.Chosen).Value
		_, m.Asked = e.explain("where", r.Choose.Where, (*eval).all)
		e.cand = vehicle.Value{}
	}
}

// explain judges tests and notes what each found. Every comparison leaves
// exactly one piece of evidence, in the order in which they are written.
func (e *eval) explain(key string, ts []*Test, join func(*eval, []*Test) Truth) (Truth, []Condition) {
	e.note, e.evidence, e.wants = true, nil, nil
	truth := join(e, ts)
	e.note = false
	var out []Condition
	for i, t := range Leaves(ts) {
		out = append(out, Condition{key, t.String(), e.evidence[i]})
	}
	return truth, out
}

// bindings lists what the wildcard may stand for at this moment.
func (e *eval) bindings() []binding {
	var out []binding
	switch e.rule.bind {
	case bindStar:
		for i := range e.items {
			out = append(out, binding{item: i + 1})
		}
	case bindTrigger:
		named, own, _ := e.named()
		for i, it := range e.items {
			if it == named || named == "*" && contains(own, it) {
				out = append(out, binding{item: i + 1})
			}
		}
	case bindElement:
		if l := e.whole(e.elems).Value; l.Kind() == vehicle.List {
			for i := range l.Len() {
				out = append(out, binding{elem: i + 1})
			}
			return out
		}
	}
	if out == nil {
		return []binding{{}}
	}
	return out
}
