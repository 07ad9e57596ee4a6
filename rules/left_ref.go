// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// RefLeft is a member of the observed object whose identifier an argument
// holds.
type RefLeft struct {
	leftBase
	Get string

	arg *ArgLeft
	get vehicle.Path
}

func (r *reader) ref(n, in *vehicle.Node) *RefLeft {
	l := &RefLeft{leftBase: leftBase{n.Pos}, arg: r.arg(n)}
	if g := in.Member("get"); g != nil {
		l.Get, l.get = r.path(g, "get")
	} else {
		r.bad(n.Pos, "add get: and the member of the object", "ref %s of which member?", l.arg.Path)
	}
	return l
}

// Arg is the path of the argument that holds the identifier.
func (l *RefLeft) Arg() string { return l.arg.Path }

// Label implements [Left].
func (l *RefLeft) Label(string) string { return l.arg.Path + " → " + l.Get }

func (l *RefLeft) check(c *checker) typ {
	t := l.arg.check(c)
	if t.kind == vehicle.List || t.kind == vehicle.Bool || t.kind == vehicle.Object {
		c.bad(l.pos, "take one element", "%s is a %s, no identifier", l.arg.Path, t.kind)
	}
	return c.objectPath(l.get, l.pos)
}

func (l *RefLeft) value(e *eval) Fact {
	id := l.arg.value(e)
	text, ok := id.Value.Text()
	if !ok || !id.Known() {
		return Fact{Why: Null, CallID: id.CallID}
	}
	f := e.env.Ref(text)
	if f.Value.Kind() == vehicle.Unknown {
		return f
	}
	v, ok := f.Value.Get(l.get)
	if f.Value = v; !ok || !v.Known() {
		f.Value, f.Why = vehicle.Value{}, Null
	}
	return f
}
