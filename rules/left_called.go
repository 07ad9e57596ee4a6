// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"time"

	"github.com/carguardd/carguardd/vehicle"
)

// CalledLeft is how often a tool was called with success; alone it asks
// whether it was called at all.
type CalledLeft struct {
	leftBase
	Call   []string // tools and @tags
	When   []*Test
	Since  string // turn, session, or the tool after whose latest call to look
	Within time.Duration

	tools  []string
	since  Since
	counts bool // compared as a number
}

func (r *reader) called(n, in *vehicle.Node) *CalledLeft {
	l := &CalledLeft{leftBase: leftBase{n.Pos}, Call: r.names(n, "a tool or @tag"), Since: "session"}
	l.When = r.tests(in.Member("when"))
	if s := in.Member("since"); s != nil {
		if s.Kind == vehicle.Object {
			r.keys(s, "call")
			if c := s.Member("call"); c != nil {
				l.Since, l.since.Call = "call", r.text(c, "call")
			} else {
				r.bad(s.Pos, "since: {call: …}", "since names no call")
			}
		} else {
			l.Since = r.word(s, "turn", "session")
			l.since.Turn = l.Since == "turn"
		}
	}
	if w := in.Member("within"); w != nil {
		d, err := time.ParseDuration(w.Scalar.String())
		if err != nil || d <= 0 {
			r.bad(w.Pos, "such as 30s or 5m", "%q is no duration", w.Scalar.String())
		}
		l.Within, l.since.Within = d, d
	}
	return l
}

// Label implements [Left].
func (l *CalledLeft) Label(string) string { return "called " + joined(l.Call) }

func (l *CalledLeft) check(c *checker) typ {
	l.tools = c.tools(l.Call, l.pos)
	for _, t := range l.tools {
		c.require(Requirement{Tool: t})
	}
	if l.since.Call != "" {
		c.tool(l.since.Call, l.pos)
	}
	outer := c.argTools
	c.argTools = c.lookup(l.tools)
	c.tests(l.When)
	c.argTools = outer
	return typ{kind: vehicle.Bool, counted: true}
}

func (l *CalledLeft) value(e *eval) Fact {
	c := &callCount{l: l, f: Fact{Why: Observed}}
	if len(l.When) > 0 {
		c.e = *e // a copy of its own: e stays off the heap elsewhere
		c.e.note = false
	}
	e.env.Called(l.since, c.add)
	switch {
	case c.unsure && (l.counts || c.n == 0):
		return Fact{Why: Null}
	case l.counts:
		c.f.Value = vehicle.NumberOf(float64(c.n))
	default:
		c.f.Value = vehicle.BoolOf(c.n > 0)
	}
	return c.f
}

// callCount counts the calls that a CalledLeft means.
type callCount struct {
	l      *CalledLeft
	e      eval
	n      int
	unsure bool
	f      Fact // the newest of them
}

func (c *callCount) add(call *vehicle.Call, at time.Time) bool {
	if !contains(c.l.tools, call.Tool) {
		return true
	}
	truth := True
	if len(c.l.When) > 0 {
		c.e.call = call
		truth = c.e.all(c.l.When)
	}
	switch truth {
	case True:
		if c.n++; c.n == 1 {
			c.f.CallID, c.f.Time = call.ID, at
		}
		return c.l.counts
	case Unknown:
		c.unsure = true
	}
	return true
}

func contains(l []string, s string) bool {
	for _, x := range l {
		if x == s {
			return true
		}
	}
	return false
}
