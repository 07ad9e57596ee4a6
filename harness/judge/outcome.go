// SPDX-License-Identifier: Apache-2.0

package judge

import (
	"fmt"
	"slices"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

// outcome reads off a turn document what a test may ask about.
func (t *talk) outcome(turn *harness.Turn) rulestest.Outcome {
	var o rulestest.Outcome
	fired := func(id string) {
		if id != "" && !slices.Contains(o.Fired, id) {
			o.Fired = append(o.Fired, id)
		}
	}
	for _, st := range turn.Steps {
		t.looked(&o, st.Draft.Calls, t.set.On)
		for _, c := range st.Checks {
			t.looked(&o, c.Draft, t.set.On)
			for i := range c.Findings {
				if f := &c.Findings[i]; f.Action != harness.DemandRead {
					fired(f.Rule)
					told(&o, f)
				}
			}
		}
		t.carriedOut(&o, st)
	}
	if turn.Reply != "" {
		for _, r := range t.set.OnReply() {
			o.Looked = append(o.Looked, r.ID)
		}
	}
	for _, h := range turn.Withheld {
		fired(h.Rule)
		o.Held = append(o.Held, rulestest.Held{By: h.Rule, Call: h.Call, Why: h.Gate + ": " + h.Reason})
	}
	if turn.Question != nil {
		for _, a := range turn.Question.About {
			fired(a.Rule)
		}
		o.Asked = t.asked(turn.Question)
	}
	return o
}

// looked notes the rules that wait for one of the calls.
func (t *talk) looked(o *rulestest.Outcome, calls []vehicle.Call, on func(string) []*rules.Rule) {
	for _, c := range calls {
		for _, r := range on(c.Tool) {
			if !slices.Contains(o.Looked, r.ID) {
				o.Looked = append(o.Looked, r.ID)
			}
		}
	}
}

// carriedOut sorts what a step let go of.
func (t *talk) carriedOut(o *rulestest.Outcome, st *harness.Step) {
	t.looked(o, st.Released, t.set.On)
	for i, c := range st.Released {
		r := &st.Results[i]
		tool := t.cat.Tool(c.Tool)
		read := tool != nil && tool.Access == vehicle.Read
		switch {
		case read && c.Origin == vehicle.ByRead:
			o.Reads = append(o.Reads, c)
		case !read && r.OK():
			o.Calls = append(o.Calls, c)
		case r.Status == vehicle.Refused:
			o.Held = append(o.Held, rulestest.Held{Call: c, Why: r.Reason})
		}
		if r.OK() {
			t.looked(o, []vehicle.Call{c}, t.set.OnResult)
		}
	}
}

// asked lists what a question is about: what its words really carry. A call
// that is only marked to need a yes counts when no rule asks about it.
func (t *talk) asked(q *harness.Question) []rulestest.Asked {
	var out []rulestest.Asked
	for _, a := range q.About {
		if a.Rule == "" && slices.ContainsFunc(q.About, func(b harness.Asking) bool { return b.Rule != "" && b.Call.ID == a.Call.ID }) {
			continue
		}
		x := rulestest.Asked{By: a.Rule, Call: a.Call}
		for _, w := range a.Warn {
			if t.lang.MentionsAny(q.Text, t.texts([]string{w})) {
				x.Warn = append(x.Warn, w)
			}
		}
		for i := range a.Naming.Len() {
			if v := a.Naming.At(i); hasWords(q.Text, v.Canonical()) {
				x.Naming = append(x.Naming, vehicle.Field{Name: a.Naming.NameAt(i), Value: v})
			}
		}
		out = append(out, x)
	}
	return out
}

// told notes what a finding wants said or kept back, once.
func told(o *rulestest.Outcome, f *harness.Finding) {
	for _, s := range f.Tell {
		x := rulestest.Told{By: f.Rule, Value: s.Value, Word: s.Word, Withheld: s.Withhold}
		if !slices.ContainsFunc(o.Told, func(y rulestest.Told) bool {
			return y.By == x.By && y.Word == x.Word && y.Withheld == x.Withheld && y.Value.Equal(x.Value)
		}) {
			o.Told = append(o.Told, x)
		}
	}
}

// untold returns what the driver should have been told and was not, or was
// told and should not have been.
func (t *talk) untold(o *rulestest.Outcome, reply string) string {
	for _, x := range o.Told {
		texts := []string{x.Value.String()}
		if x.Word != "" {
			texts = t.texts([]string{x.Word})
		}
		if x.Withheld == t.lang.MentionsAny(reply, texts) {
			return fmt.Sprintf("rule %s: the reply %q does not keep to %v", x.By, reply, texts)
		}
	}
	return ""
}
