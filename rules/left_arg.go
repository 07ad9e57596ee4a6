// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// ArgLeft is an argument of the trigger, or of the call under a `when`. An
// absent argument has the default that the tool's schema declares; without
// one it is unknown.
type ArgLeft struct {
	leftBase
	Path string

	path elementPath
	name string // the path, when it is one member
}

func (r *reader) arg(n *vehicle.Node) *ArgLeft {
	l := &ArgLeft{leftBase: leftBase{n.Pos}}
	var p vehicle.Path
	l.Path, p = r.path(n, "arg")
	l.path = r.elementPath(p, n.Pos)
	if len(p) == 1 {
		l.name = p[0].Name
	}
	return l
}

// Label implements [Left].
func (l *ArgLeft) Label(string) string { return l.Path }

func (l *ArgLeft) check(c *checker) typ {
	if c.argTools == nil {
		c.bad(l.pos, "", "arg %s: there is no call whose argument this could be", l.Path)
		return typ{}
	}
	c.element(&l.path, "arg", l.pos, l)
	var t typ
	for i, tool := range c.argTools {
		s := c.argument(tool, l.path.full, l.pos)
		c.require(Requirement{Tool: tool.Name, Argument: l.Path})
		if i == 0 {
			t = s
		} else {
			t = t.join(s)
		}
	}
	return l.path.typed(t)
}

func (l *ArgLeft) isElementSource() {}

func (l *ArgLeft) whole(e *eval) Fact { return l.at(e, l.path.list) }

func (l *ArgLeft) value(e *eval) Fact {
	if l.name != "" && e.call != nil {
		if v, ok := e.call.Args.Member(l.name); ok && v.Kind() != vehicle.Unknown {
			return Fact{Value: v, Why: Observed, CallID: e.call.ID}
		}
	}
	if l.path.bound {
		return l.path.pick(e, l.whole(e))
	}
	if l.path.star {
		return l.path.gather(l.whole(e))
	}
	return l.at(e, l.path.full)
}

func (l *ArgLeft) at(e *eval, p vehicle.Path) Fact {
	if e.call == nil {
		return Fact{}
	}
	f := Fact{Why: Null, CallID: e.call.ID}
	if v, ok := e.call.Args.Get(p); ok && v.Kind() != vehicle.Unknown {
		f.Value, f.Why = v, Observed
	} else if t := e.tool(); t != nil {
		if v, ok := t.Arg(e.call.Args, p); ok {
			f.Value, f.Why = v, Observed
		}
	}
	return f
}
