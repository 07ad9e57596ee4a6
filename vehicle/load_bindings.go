// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"slices"
	"strings"
)

// binding reads where a signal is on a bus: a signal of a CAN message, or a
// topic.
func (l *loader) binding(f *fields, key string) *Binding {
	n := f.get(key)
	if n == nil {
		return nil
	}
	what := f.what + ": " + key
	b := l.fields(n, what)
	out := &Binding{Bus: b.text("can"), Message: b.text("message"), Signal: b.text("signal"),
		Topic: b.text("topic"), Idle: b.text("idle"), Hold: b.duration("hold")}
	if v := b.get("values"); v != nil {
		m := l.fields(v, what+": values")
		out.Values = make(map[string]Value, len(m.n.Members))
		for _, e := range m.n.Members {
			out.Values[e.Name] = e.Value.Value()
		}
	}
	b.end()
	switch {
	case n.Kind != Object: // that has been said
	case out.Bus != "" && out.Topic != "":
		l.problemf(n.Pos, "keep one of the two", "%s: names a CAN bus and a topic", what)
	case out.Bus != "" && (out.Message == "" || out.Signal == ""):
		l.problemf(n.Pos, "{can: body, message: WindowStatus, signal: WindowDriverPosition}", "%s: names no message and signal", what)
	case out.Bus == "" && out.Topic == "":
		l.problemf(n.Pos, "{can: BUS, message: M, signal: S} or {topic: T}", "%s: names neither a CAN bus nor a topic", what)
	default:
		if out.Topic != "" {
			l.checkTopic(b, key, out)
		}
		if b.has("hold") && (key != "command" || out.Topic != "") {
			l.problemf(b.pos("hold"), "remove it", "%s: only a command on CAN is held", what)
		}
		return out
	}
	return nil
}

// topicRoot is the first level of the topics of states and commands; a
// command on a state topic, or the other way round, is a mistake.
var topicRoot = map[string]string{"status": "state/", "command": "set/"}

func (l *loader) checkTopic(b *fields, key string, out *Binding) {
	p, root := b.pos("topic"), topicRoot[key]
	switch t := out.Topic; {
	case strings.ContainsAny(t, "+#\x00"):
		l.problemf(p, "name one topic", "%s: topic %s has a wildcard", b.what, t)
	case slices.Contains(strings.Split(t, "/"), ""):
		l.problemf(p, "no slash at either end", "%s: topic %s has an empty level", b.what, t)
	case !strings.HasPrefix(t, root):
		l.problemf(p, "topics are below carguard/<vehicle>/", "%s: topic %s does not start with %s", b.what, t, root)
	}
	if out.Message != "" || out.Signal != "" {
		l.problemf(b.n.Pos, "remove message and signal", "%s: a topic has no message", b.what)
	}
}

// checkBindings checks what a signal's bindings say together.
func (l *loader) checkBindings(f *fields, s *Signal) {
	bound := f.has("status") || f.has("command")
	switch {
	case s.Service == "" && !bound:
		l.problemf(s.Pos, "give it a status binding, or a service", "%s: has neither a binding nor a service", f.what)
	case s.Service != "" && bound:
		l.problemf(f.pos("service"), "remove service or the bindings", "%s: belongs to service %s and is on a bus", f.what, s.Service)
	case f.has("command") && !f.has("status"):
		l.problemf(f.pos("command"), "nothing is done until observed: bind its status", "%s: is commanded and never observed", f.what)
	}
	if s.Command == nil {
		if f.has("settle") && !f.has("command") {
			l.problemf(f.pos("settle"), "remove it, or bind the command", "%s: settles but is never commanded", f.what)
		}
	}
	l.checkSafety(f, s)
	if s.Status != nil {
		l.checkBinding(f, s, "status", s.Status)
	}
	if s.Command != nil {
		l.checkBinding(f, s, "command", s.Command)
		l.checkCommand(f, s)
	}
}

// checkCommand refuses a second signal that commands the same place, and a
// command whose echo would count as its own effect.
func (l *loader) checkCommand(f *fields, s *Signal) {
	place := s.Command.place()
	if o := l.bound[place]; o != nil {
		l.problemf(f.pos("command"), "one place on a bus is commanded by one signal",
			"%s: %s is commanded by %s already (line %d)", f.what, place, o.Name, o.Pos.Line)
	}
	l.bound[place] = s
	if s.Status != nil && s.Status.place() == place {
		l.problemf(f.pos("status"), "bind the signal that the receiver of the command sends",
			"%s: status and command are the same %s, so a command would confirm itself", f.what, place)
	}
}

// place names where a binding is.
func (b *Binding) place() string {
	if b.Bus == "" {
		return b.Topic
	}
	return b.Bus + " " + b.Message + "." + b.Signal
}

func (l *loader) checkBinding(f *fields, s *Signal, key string, b *Binding) {
	n := f.n.Member(key)
	bf := &fields{l: l, n: n, what: f.what + ": " + key}
	for _, m := range valueNodes(n) {
		v := m.Value.Value()
		if err := s.Check(v); err != nil && !(s.Motion != nil && s.Motion.Stop.Equal(v)) {
			l.problemf(m.Value.Pos, "the left side is what the bus says, the right side what the signal says", "%s: values: %v", bf.what, err)
		}
	}
	if b.Bus != "" {
		l.checkCAN(bf, s, key, b)
	}
}

func valueNodes(binding *Node) []Member {
	if v := binding.Member("values"); v != nil {
		return v.Members
	}
	return nil
}

// checkWords reports the members of an enum, and the two of a boolean, that
// nothing on the bus stands for.
func (l *loader) checkWords(f *fields, s *Signal, said func(Value) bool) {
	var all []Value
	switch s.Type {
	case TypeBool:
		all = []Value{BoolOf(false), BoolOf(true)}
	case TypeEnum:
		for _, a := range s.Allowed {
			all = append(all, TextOf(a))
		}
	}
	if s.Motion != nil && s.Motion.Stop.Known() && strings.HasSuffix(f.what, "command") {
		all = append(all, s.Motion.Stop)
	}
	var missing []string
	for _, v := range all {
		if !said(v) {
			missing = append(missing, v.String())
		}
	}
	if len(missing) > 0 {
		l.problemf(f.n.Pos, "add them to values: {RAW: MEMBER}", "%s: nothing on the bus stands for %s", f.what, strings.Join(missing, ", "))
	}
}
