// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// ResultLeft is a place in the result of a read: of the very call with the
// arguments of With, else of the latest call of the tool. In a rule on a
// result it is, without With, the result of the call under judgement.
type ResultLeft struct {
	leftBase
	Path string
	Of   string
	With []Arg

	path     elementPath
	fixed    vehicle.Value // With, when it does not depend on the moment
	own      bool          // of the call under judgement
	openArgs bool          // the tool needs arguments that the rule does not give
}

func (r *reader) result(n, in *vehicle.Node) *ResultLeft {
	l := &ResultLeft{leftBase: leftBase{n.Pos}}
	var p vehicle.Path
	l.Path, p = r.path(n, "result")
	l.path = r.elementPath(p, n.Pos)
	if of := in.Member("of"); of != nil {
		l.Of = r.text(of, "of")
	}
	if w := in.Member("with"); w != nil {
		l.With = r.args(w)
	}
	return l
}

// Label implements [Left].
func (l *ResultLeft) Label(string) string { return l.Of + " " + l.Path }

func (l *ResultLeft) check(c *checker) typ {
	onResult := c.rule.JudgesResult()
	if l.Of == "" {
		if t := c.rule.Triggers(); onResult && len(t) == 1 {
			l.Of = t[0]
		} else {
			c.bad(l.pos, "add of: and the tool that returns it", "result %s of which tool?", l.Path)
			return typ{}
		}
	}
	tool := c.tool(l.Of, l.pos)
	if tool == nil {
		return typ{}
	}
	c.require(Requirement{Tool: tool.Name})
	l.own = onResult && l.With == nil && len(c.rule.Triggers()) == 1 && c.rule.Triggers()[0] == tool.Name
	l.openArgs = l.With == nil && !tool.ArgumentFree()
	l.fixed = vehicle.ObjectOf()
	if l.With != nil {
		l.fixed = c.callArgs(tool, l.With, l.pos)
	}
	c.element(&l.path, "result "+l.Of+withText(l.With), l.pos, l)
	return l.path.typed(c.resultPath(tool, l.path.full, l.pos))
}

// withText tells two reads of one tool apart.
func withText(args []Arg) string {
	s := ""
	for _, a := range args {
		s += " " + a.Name + "=" + a.Value.String()
	}
	return s
}

// args are the arguments of the read; ok is false when one is not known.
func (l *ResultLeft) args(e *eval) (v vehicle.Value, ok bool) {
	switch {
	case l.own && e.call != nil:
		return e.call.Args, true
	case l.With == nil:
		return vehicle.Value{}, true
	case l.fixed.Kind() != vehicle.Unknown:
		return l.fixed, true
	}
	return e.object(l.Of, l.With)
}

func (l *ResultLeft) isElementSource() {}

func (l *ResultLeft) whole(e *eval) Fact { return l.at(e, l.path.list) }

func (l *ResultLeft) value(e *eval) Fact {
	if l.path.bound {
		return l.path.pick(e, l.whole(e))
	}
	if l.path.star {
		return l.path.gather(l.whole(e))
	}
	return l.at(e, l.path.full)
}

func (l *ResultLeft) at(e *eval, p vehicle.Path) Fact {
	args, ok := l.args(e)
	if !ok {
		return Fact{}
	}
	f := e.env.Result(l.Of, args)
	if f.Value.Kind() == vehicle.Unknown {
		return f
	}
	v, ok := f.Value.Get(p)
	if f.Value = v; !ok || !v.Known() {
		f.Value, f.Why = vehicle.Value{}, Null
	}
	return f
}

func (l *ResultLeft) wants(e *eval, f Fact) {
	args, ok := l.args(e)
	if !ok {
		for i := range l.With {
			e.wantRight(&l.With[i].Value)
		}
		return
	}
	if l.With == nil && !l.own && !l.openArgs {
		args = l.fixed
	}
	e.wantCall(l.Of, args, f)
}
