// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"strings"
)

// itemMark stands in a signal's name for the item that an argument chooses.
const itemMark = "{item}"

// sets reads what a tool does to the state: the effects of sets, and the
// signals of touches, which it leaves unknown.
func (l *loader) sets(f *fields, t *Tool) {
	for _, n := range f.list("sets") {
		e := l.fields(n, f.what+": sets")
		l.effect(t, e)
		e.end()
	}
	for _, n := range f.list("touches") {
		pattern, _ := n.Scalar.Text()
		what := f.what + ": touches"
		matched := l.p.Match(pattern)
		if len(matched) == 0 {
			l.unknownPattern(n.Pos, what, pattern)
		}
		for _, m := range matched {
			t.Sets = append(t.Sets, &Effect{Signal: m.Signal, To: Target{Op: Forget}, Unit: l.p.Signals[m.Signal].Unit, Pos: n.Pos})
			l.checkOwner(n.Pos, what, t, l.p.Signals[m.Signal])
		}
	}
	f.get("undeclared") // judged with the access
}

func (l *loader) effect(t *Tool, e *fields) {
	out := &Effect{Signal: NoSignal, Pos: e.n.Pos}
	name := e.text("signal")
	items := l.items(t, e)
	for _, n := range e.list("when") {
		l.condition(t, out, l.fields(n, e.what+": when"))
	}
	to, ok := l.target(e)
	out.To = to
	signals := l.effectSignals(t, e, out, name, items)
	if !ok || len(signals) == 0 {
		return
	}
	out.Unit = signals[0].Unit
	for _, s := range signals {
		l.checkOwner(e.pos("signal"), e.what, t, s)
		l.checkTarget(t, e, s, out)
	}
	t.Sets = append(t.Sets, out)
}

// effectSignals resolves the signal, or one for each item.
func (l *loader) effectSignals(t *Tool, e *fields, out *Effect, name string, items bool) []*Signal {
	p := e.pos("signal")
	if !strings.Contains(name, itemMark) {
		if items {
			l.problemf(e.pos("item"), "signal: window_{item}_position", "%s: item is mapped, and signal %s has no {item}", e.what, name)
		}
		s, ok := l.signal[name]
		if !ok {
			l.unknownSignal(p, e.what, name)
			return nil
		}
		out.Signal = s.ID
		return []*Signal{s}
	}
	if t.Items == nil {
		l.problemf(p, "item: {arg: window, map: {DRIVER: driver, ALL: \"*\"}}", "%s: {item} without an item map", e.what)
		return nil
	}
	var found []*Signal
	out.ByItem = map[string]SignalID{}
	for _, it := range t.Items.List() {
		full := strings.Replace(name, itemMark, it, 1)
		s, ok := l.signal[full]
		if !ok {
			l.problemf(p, "", "%s: item %s: unknown signal %s", e.what, it, full)
			continue
		}
		out.ByItem[it] = s.ID
		found = append(found, s)
	}
	return found
}

// items reads the argument that chooses an item. All effects of a tool share
// one map.
func (l *loader) items(t *Tool, e *fields) bool {
	n := e.get("item")
	if n == nil {
		return false
	}
	f := l.fields(n, e.what+": item")
	it := &Items{Arg: f.path("arg")}
	arg := t.Input.At(it.Arg)
	if it.Arg == nil || arg == nil {
		l.problemf(f.pos("arg"), suggest(it.Arg.String(), argNames(t.Input)), "%s: tool has no argument %s", f.what, it.Arg)
		arg = nil
	}
	for _, m := range l.fields(f.get("map"), f.what+": map").n.Members {
		item, _ := m.Value.Scalar.Text()
		if item != "*" && !nameForm.MatchString(item) {
			l.problemf(m.Value.Pos, `part of a signal's name, or "*" for all`, "%s: %s: %q is no item", f.what, m.Name, item)
		}
		it.Names = append(it.Names, ItemName{Value: m.Name, Item: item})
	}
	f.end()
	if arg != nil {
		l.checkItems(f, it, arg)
	}
	if t.Items != nil && !t.Items.same(it) {
		l.problemf(n.Pos, "all effects of a tool use one map", "%s: differs from the item map of an earlier effect", f.what)
		return true
	}
	t.Items = it
	return true
}

func (it *Items) same(o *Items) bool {
	if it.Arg.String() != o.Arg.String() || len(it.Names) != len(o.Names) {
		return false
	}
	for i := range it.Names {
		if it.Names[i] != o.Names[i] {
			return false
		}
	}
	return true
}

// checkItems compares the item map with the members of its argument.
func (l *loader) checkItems(f *fields, it *Items, arg *Schema) {
	if len(it.Names) == 0 {
		l.problemf(f.pos("map"), "map: {DRIVER: driver}", "%s: maps nothing", f.what)
		return
	}
	if len(arg.Enum) == 0 {
		l.problemf(f.pos("arg"), "give the argument an enum", "%s: argument %s may be anything", f.what, it.Arg)
		return
	}
	members := arg.EnumText()
	for _, n := range it.Names {
		if !contains(members, n.Value) {
			l.problemf(f.pos("map"), suggest(n.Value, members), "%s: %s is no member of argument %s", f.what, n.Value, it.Arg)
		}
	}
	for _, m := range members {
		if _, ok := it.Item(m); !ok {
			l.problemf(f.pos("map"), "say which item it means", "%s: member %s of argument %s is not mapped", f.what, m, it.Arg)
		}
	}
	if len(it.List()) == 0 {
		l.problemf(f.pos("map"), "map: {DRIVER: driver}", "%s: names no single item", f.what)
	}
}

func (l *loader) condition(t *Tool, out *Effect, c *fields) {
	arg, is := c.path("arg"), c.get("is")
	c.end()
	if arg == nil || is == nil {
		l.problemf(c.n.Pos, "{arg: on, is: true}", "%s: want arg and is", c.what)
		return
	}
	s := t.Input.At(arg)
	switch {
	case s == nil:
		l.problemf(c.pos("arg"), suggest(arg.String(), argNames(t.Input)), "%s: tool has no argument %s", c.what, arg)
		return
	case !s.allows(is.Value()):
		l.problemf(is.Pos, "", "%s: argument %s is never %v", c.what, arg, is.Value())
	case mayBeAbsent(t.Input, arg):
		l.problemf(c.pos("arg"), "make it required, or give it a default", "%s: argument %s may be absent", c.what, arg)
	}
	out.When = append(out.When, Condition{Arg: arg, Is: is.Value()})
}

// mayBeAbsent reports whether a valid call can lack the argument.
func mayBeAbsent(s *Schema, p Path) bool {
	if at := s.At(p); at != nil && at.Default.Kind() != Unknown {
		return false
	}
	for _, st := range p {
		switch {
		case s == nil || st.Name == "":
			return true // a list may be shorter
		case !s.Requires(st.Name):
			return true
		}
		s = s.Property(st.Name)
	}
	return false
}

// target reads the value of an effect: to (a constant, an argument), or
// append.
func (l *loader) target(e *fields) (Target, bool) {
	to, app := e.get("to"), e.get("append")
	n, target := to, Target{Op: Set}
	switch {
	case (to == nil) == (app == nil):
		l.problemf(e.n.Pos, "to: VALUE, to: {arg: A}, or append: {arg: A}", "%s: want one of to and append", e.what)
		return target, false
	case app != nil:
		n, target.Op = app, Append
	}
	if n.Kind != Object {
		target.Const = n.Value()
		return target, true
	}
	f := l.fields(n, e.what+": to")
	target.Arg, target.Present = f.path("arg"), f.truth("optional")
	if v := f.get("value"); v != nil {
		target.Const = v.Value()
	}
	if (target.Arg == nil) == (f.n.Member("value") == nil) {
		l.problemf(n.Pos, "{arg: A} or {value: V}", "%s: want one of arg and value", f.what)
		return target, false
	}
	if m := f.get("map"); m != nil {
		target.Map = map[string]Value{}
		for _, x := range l.fields(m, f.what+": map").n.Members {
			target.Map[x.Name] = x.Value.Value()
		}
	}
	f.end()
	return target, true
}

// checkOwner checks that whoever runs the tool can set the signal.
func (l *loader) checkOwner(p Pos, what string, t *Tool, s *Signal) {
	switch {
	case t.Service == "" && s.Service != "":
		l.problemf(p, "service: "+s.Service, "%s: %s belongs to service %s, which does not run this tool", what, s.Name, s.Service)
	case t.Service == "" && s.Command == nil:
		l.problemf(p, "bind its command, or name the service that runs the tool", "%s: %s cannot be commanded", what, s.Name)
	case t.Service != "" && s.Command != nil:
		l.problemf(p, "remove service: the vehicle carries it out", "%s: service %s would move %s past the boundary", what, t.Service, s.Name)
	case t.Service != "" && s.Service != "" && s.Service != t.Service:
		l.problemf(p, "", "%s: %s belongs to service %s, not %s", what, s.Name, s.Service, t.Service)
	}
}
