// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// ConsentedLeft is whether the driver said yes to exactly one call: the
// trigger, or the call written here.
type ConsentedLeft struct {
	leftBase
	Call string // empty: the trigger
	Args []Arg

	fixed vehicle.Value
}

func (r *reader) consented(n *vehicle.Node) *ConsentedLeft {
	l := &ConsentedLeft{leftBase: leftBase{n.Pos}}
	if n.Kind != vehicle.Object {
		r.word(n, "trigger")
		return l
	}
	r.keys(n, "call", "args")
	if c := n.Member("call"); c != nil {
		l.Call = r.text(c, "call")
	} else {
		r.bad(n.Pos, "add call", "consented to which call?")
	}
	l.Args = r.args(n.Member("args"))
	return l
}

// Label implements [Left].
func (l *ConsentedLeft) Label(string) string {
	if l.Call == "" {
		return "consented"
	}
	return "consented to " + l.Call
}

func (l *ConsentedLeft) check(c *checker) typ {
	if l.Call == "" {
		if c.argTools == nil {
			c.bad(l.pos, "name a call", "there is no trigger to consent to")
		}
	} else if t := c.tool(l.Call, l.pos); t != nil {
		l.fixed = c.callArgs(t, l.Args, l.pos)
	}
	return typ{kind: vehicle.Bool}
}

func (l *ConsentedLeft) value(e *eval) Fact {
	call := e.call
	if l.Call != "" {
		args := l.fixed
		if args.Kind() == vehicle.Unknown {
			var ok bool
			if args, ok = e.object(l.Call, l.Args); !ok {
				return Fact{Why: Null}
			}
		}
		call = &vehicle.Call{Tool: l.Call, Args: args}
	}
	if call == nil {
		return Fact{Why: Null}
	}
	return Fact{Value: vehicle.BoolOf(e.env.Consented(call)), Why: Observed}
}
