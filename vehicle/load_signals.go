// SPDX-License-Identifier: Apache-2.0

package vehicle

import "slices"

// signals reads all signals. Bindings are checked as each is read; needs come
// later, when every name is known.
func (l *loader) signals(n *Node) {
	l.signal, l.bound, l.vss = map[string]*Signal{}, map[string]*Signal{}, map[string]string{}
	if n == nil {
		return
	}
	for _, m := range l.fields(n, "signals").n.Members {
		s := l.readSignal(m)
		if l.signal[s.Name] != nil {
			continue // ParseYAML has said so
		}
		s.ID = SignalID(len(l.p.Signals))
		l.p.Signals = append(l.p.Signals, s)
		l.signal[s.Name] = s
	}
	l.p.signal = make(map[string]SignalID, len(l.p.Signals))
	for _, s := range l.p.Signals {
		l.p.signal[s.Name] = s.ID
	}
}

func (l *loader) readSignal(m Member) *Signal {
	f := l.fields(m.Value, "signal "+m.Name)
	s := &Signal{Name: m.Name, Pos: m.Pos}
	if !nameForm.MatchString(m.Name) {
		l.problemf(m.Pos, "like window_driver_position", "%s: a signal is named in snake_case", f.what)
	}
	s.Description, s.Unit = f.text("description"), Unit(f.text("unit"))
	if !s.Unit.Valid() {
		l.problemf(f.pos("unit"), suggest(string(s.Unit), Units()), "%s: unknown unit %q", f.what, s.Unit)
		s.Unit = ""
	}
	l.readType(f, s)
	l.readVSS(f, s)
	s.Settle, s.Fresh = f.duration("settle"), f.duration("fresh")
	s.Tolerance, _ = f.number("tolerance")
	if s.Tolerance < 0 {
		l.problemf(f.pos("tolerance"), "", "%s: tolerance is below 0", f.what)
	}
	s.Service = l.serviceOf(f)
	s.Status = l.binding(f, "status")
	s.Command = l.binding(f, "command")
	l.readMotion(f, s)
	if n := f.get("blocked"); n != nil {
		l.blocked = append(l.blocked, blockedNode{s, n})
	}
	f.end()
	l.checkBindings(f, s)
	return s
}

// readType reads what values the signal takes. The type goes without saying
// for an enum (allowed) and for a number (unit or range).
func (l *loader) readType(f *fields, s *Signal) {
	s.Allowed = f.texts("allowed")
	typ := f.text("type")
	switch {
	case typ != "":
		i := slices.Index(signalTypeNames[:], typ)
		if i < 0 {
			l.problemf(f.pos("type"), suggest(typ, signalTypeNames[:]), "%s: unknown type %s", f.what, typ)
			i = int(TypeText)
		}
		s.Type = SignalType(i)
	case len(s.Allowed) > 0:
		s.Type = TypeEnum
	case f.has("unit") || f.has("range"):
		s.Type = TypeNumber
	default:
		l.problemf(f.n.Pos, "type: one of number, integer, boolean, enum, text, list", "%s: has no type", f.what)
		s.Type = TypeText
	}
	number := s.Type == TypeNumber || s.Type == TypeInteger
	l.readRange(f, s, number)
	if s.Unit != "" && !number {
		l.problemf(f.pos("unit"), "", "%s: only a number has a unit", f.what)
	}
	switch {
	case s.Type == TypeEnum && len(s.Allowed) == 0:
		l.problemf(f.n.Pos, "allowed: [OFF, LOW, HIGH]", "%s: an enum needs its members", f.what)
	case s.Type != TypeEnum && len(s.Allowed) > 0:
		l.problemf(f.pos("allowed"), "", "%s: only an enum has members", f.what)
	}
	for i, a := range s.Allowed {
		if slices.Contains(s.Allowed[:i], a) {
			l.problemf(f.pos("allowed"), "", "%s: member %s is listed twice", f.what, a)
		}
	}
}

func (l *loader) readRange(f *fields, s *Signal, number bool) {
	s.Step, _ = f.number("step")
	if s.Type == TypeInteger && s.Step == 0 {
		s.Step = 1
	}
	n := f.get("range")
	if n == nil {
		return
	}
	lo, hi := Value{}, Value{}
	if n.Kind == List && len(n.Items) == 2 {
		lo, hi = n.Items[0].Scalar, n.Items[1].Scalar
	}
	var ok1, ok2 bool
	s.Min, ok1 = lo.Float()
	s.Max, ok2 = hi.Float()
	switch {
	case !number:
		l.problemf(f.pos("range"), "", "%s: only a number has a range", f.what)
	case !ok1 || !ok2:
		f.wrong(n, "range", "two numbers such as [0, 100]")
	case s.Min >= s.Max:
		l.problemf(n.Pos, "write the smaller number first", "%s: range %g..%g is empty", f.what, s.Min, s.Max)
	}
	if s.Step < 0 || (s.Step > 0 && ok1 && ok2 && s.Step > s.Max-s.Min) {
		l.problemf(f.pos("step"), "", "%s: step %g does not fit the range %g..%g", f.what, s.Step, s.Min, s.Max)
	}
}

func (l *loader) readMotion(f *fields, s *Signal) {
	n := f.get("motion")
	if n == nil {
		return
	}
	m := l.fields(n, f.what+": motion")
	stop := m.get("stop")
	m.end()
	s.Motion = &Motion{}
	switch word, _ := stop.scalar().Text(); {
	case stop == nil:
		l.problemf(n.Pos, "stop: hold, or stop: {value: V}", "%s: motion does not say how it is stopped", f.what)
	case word == "hold":
		s.Motion.Hold = true
	case stop.Kind == Object:
		v := l.fields(stop, f.what+": stop")
		s.Motion.Stop = v.get("value").Value()
		v.end()
		if s.Type != TypeEnum && s.Check(s.Motion.Stop) != nil {
			l.problemf(stop.Pos, "a word of its own is for enums", "%s: stop: %v", f.what, s.Check(s.Motion.Stop))
		}
	default:
		m.wrong(stop, "stop", "hold, or {value: V}")
	}
	if s.Motion.Hold && s.Type != TypeNumber && s.Type != TypeInteger {
		l.problemf(stop.Pos, "stop: {value: V}", "%s: only a position can be held", f.what)
	}
	if s.Command == nil {
		l.problemf(f.pos("motion"), "remove it, or bind the command", "%s: motion of a signal that is never commanded", f.what)
	}
}

// scalar is the value of a scalar node; unknown for none.
func (n *Node) scalar() Value {
	if n == nil {
		return Value{}
	}
	return n.Scalar
}

// blockedNode is a condition to be read when every signal is known.
type blockedNode struct {
	signal *Signal
	node   *Node
}

// needs reads what says that a command is not followed.
func (l *loader) needs() {
	for _, b := range l.blocked {
		what := "signal " + b.signal.Name + ": blocked"
		if b.signal.Command == nil {
			l.problemf(b.node.Pos, "remove it, or bind the command", "%s: the signal is never commanded", what)
		}
		for _, it := range elements(b.node) {
			if need, ok := l.need(it, what); ok {
				b.signal.Blocked = append(b.signal.Blocked, need)
			}
		}
	}
}

// elements are those of a list; a single node stands for a list of one.
func elements(n *Node) []*Node {
	if n == nil {
		return nil
	}
	if n.Kind == List {
		return n.Items
	}
	return []*Node{n}
}

// need reads one live condition.
func (l *loader) need(n *Node, what string) (Need, bool) {
	f := l.fields(n, what)
	need := Need{Is: f.values("is"), Fresh: f.duration("fresh")}
	if v, ok := f.number("max"); ok {
		need.Max = &v
	}
	if v, ok := f.number("min"); ok {
		need.Min = &v
	}
	name := f.text("signal")
	f.end()
	s, ok := l.signal[name]
	if !ok {
		l.unknownSignal(f.pos("signal"), what, name)
		return need, false
	}
	need.Signal = s.ID
	l.checkNeed(f, s, &need)
	return need, true
}

func (l *loader) unknownSignal(p Pos, what, name string) {
	if name == "" {
		l.problemf(p, "signal: vehicle_speed", "%s: names no signal", what)
		return
	}
	var known []string
	for _, s := range l.p.Signals {
		known = append(known, s.Name)
	}
	l.problemf(p, suggest(name, known), "%s: unknown signal %s", what, name)
}

// checkNeed says why a condition can never be judged, or never hold.
func (l *loader) checkNeed(f *fields, s *Signal, n *Need) {
	if s.Status == nil {
		l.problemf(f.pos("signal"), "use a signal with a status on a bus", "%s: %s is not observed live", f.what, s.Name)
	}
	if len(n.Is) == 0 && n.Min == nil && n.Max == nil {
		l.problemf(f.n.Pos, "is, min or max", "%s: says nothing about %s", f.what, s.Name)
	}
	for _, v := range n.Is {
		if err := s.Check(v); err != nil {
			l.problemf(f.pos("is"), "", "%s: is: %v", f.what, err)
		}
	}
	number := s.Type == TypeNumber || s.Type == TypeInteger
	if (n.Min != nil || n.Max != nil) && !number {
		l.problemf(f.n.Pos, "use is", "%s: %s is no number", f.what, s.Name)
	}
	if n.Min != nil && n.Max != nil && *n.Min > *n.Max {
		l.problemf(f.pos("min"), "", "%s: min %g is above max %g", f.what, *n.Min, *n.Max)
	}
	l.checkLimit(f, s, "min", n.Min)
	l.checkLimit(f, s, "max", n.Max)
}

func (l *loader) checkLimit(f *fields, s *Signal, key string, limit *float64) {
	if limit != nil && s.HasRange() && (*limit < s.Min || *limit > s.Max) {
		l.problemf(f.pos(key), "", "%s: %s %g is outside the range %g..%g of %s", f.what, key, *limit, s.Min, s.Max, s.Name)
	}
}
