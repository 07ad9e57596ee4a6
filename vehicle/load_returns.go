// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"slices"
	"strings"
)

// returns reads what a tool's result carries: signals by pattern, constants,
// and arguments given back.
func (l *loader) returns(f *fields, t *Tool) {
	for _, n := range f.list("returns") {
		what := f.what + ": returns"
		if n.Kind == String {
			pattern, _ := n.Scalar.Text()
			l.returnSignals(t, n.Pos, what, pattern, "", Return{})
			continue
		}
		r := l.fields(n, what)
		l.returnEntry(t, r)
		r.end()
	}
	for i, r := range t.Returns {
		if slices.ContainsFunc(t.Returns[:i], func(o Return) bool { return o.Path.String() == r.Path.String() }) {
			l.problemf(f.pos("returns"), "give one of them another path", "%s: returns: %s is filled twice", f.what, r.Path)
		}
	}
}

func (l *loader) returnEntry(t *Tool, r *fields) {
	pattern, path := r.text("signal"), r.text("path")
	is, arg := r.get("is"), r.path("arg")
	ret := Return{Unit: Unit(r.text("unit"))}
	if n := r.get("text"); n != nil {
		ret.Text = l.textForm(n, r.what)
	}
	switch {
	case pattern != "" && is == nil && arg == nil:
		l.returnSignals(t, r.n.Pos, r.what, pattern, path, ret)
		return
	case is != nil && pattern == "" && arg == nil:
		l.fixed(t, r, path, Fixed{Value: is.Value()})
	case arg != nil && pattern == "" && is == nil:
		if t.Input.At(arg) == nil {
			l.problemf(r.pos("arg"), suggest(arg.String(), argNames(t.Input)), "%s: tool has no argument %s", r.what, arg)
		}
		if path == "" {
			path = arg.String()
		}
		l.fixed(t, r, path, Fixed{Arg: arg})
	default:
		l.problemf(r.n.Pos, "a pattern, {signal: S, path: P}, {path: P, is: CONSTANT} or {arg: A}", "%s: want one of signal, is and arg", r.what)
	}
	if ret.Unit != "" || ret.Text != nil {
		l.problemf(r.n.Pos, "", "%s: only a signal has a unit", r.what)
	}
}

func (l *loader) textForm(n *Node, what string) *TextForm {
	f := l.fields(n, what+": text")
	d, _ := f.number("decimals")
	form := &TextForm{Decimals: int(d), Suffix: f.text("suffix")}
	if d != float64(int(d)) || d < 0 || d > 9 {
		l.problemf(f.pos("decimals"), "0 to 9", "%s: decimals %g", f.what, d)
		form.Decimals = 0
	}
	f.end()
	return form
}

// fixed adds a part of the result that comes from no signal.
func (l *loader) fixed(t *Tool, r *fields, path string, x Fixed) {
	var ok bool
	if x.Path, ok = l.resultPath(r.pos("path"), r.what, path); ok {
		t.Fixed = append(t.Fixed, x)
	}
}

func (l *loader) resultPath(p Pos, what, text string) (Path, bool) {
	path, err := ParsePath(text)
	if err != nil || len(path) == 0 {
		l.problemf(p, "path: seats_occupied.driver", "%s: path is missing or wrong", what)
		return nil, false
	}
	for _, s := range path {
		if s.Name == "" || s.Name == "*" {
			l.problemf(p, "results are built of named members", "%s: path %s has a list position", what, text)
			return nil, false
		}
	}
	return path, true
}

// returnSignals adds the signals that a pattern matches. In the path, *
// stands for what * stands for in the pattern.
func (l *loader) returnSignals(t *Tool, p Pos, what, pattern, path string, form Return) {
	if strings.Count(pattern, "*") > 1 {
		l.problemf(p, "at most one *", "%s: pattern %s", what, pattern)
		return
	}
	matched := l.p.Match(pattern)
	if len(matched) == 0 {
		l.unknownPattern(p, what, pattern)
		return
	}
	if len(matched) > 1 && path != "" && !strings.Contains(path, "*") {
		l.problemf(p, "put a * into the path", "%s: %d signals match %s and all go to %s", what, len(matched), pattern, path)
		return
	}
	for _, m := range matched {
		s := l.p.Signals[m.Signal]
		out := Return{Signal: m.Signal, Unit: form.Unit, Text: form.Text}
		to := s.Name
		if path != "" {
			to = strings.Replace(path, "*", m.Item, 1)
		}
		var ok bool
		if out.Path, ok = l.resultPath(p, what, to); !ok {
			return
		}
		l.checkReturn(t, p, what, s, &out)
		t.Returns = append(t.Returns, out)
	}
}

func (l *loader) unknownPattern(p Pos, what, pattern string) {
	if !strings.Contains(pattern, "*") {
		l.unknownSignal(p, what, pattern)
		return
	}
	l.problemf(p, "a * stands for one or more letters of a signal's name", "%s: no signal matches %s", what, pattern)
}

func (l *loader) checkReturn(t *Tool, p Pos, what string, s *Signal, r *Return) {
	if r.Unit == "" {
		r.Unit = s.Unit
	}
	if r.Unit != s.Unit {
		if _, err := Convert(0, s.Unit, r.Unit); err != nil {
			l.problemf(p, "", "%s: %s: %v", what, s.Name, err)
		}
	}
	if r.Text != nil && s.Type != TypeNumber && s.Type != TypeInteger {
		l.problemf(p, "remove text", "%s: %s is no number", what, s.Name)
	}
	if r.Text != nil && r.Text.Suffix != "" && !r.Unit.spelled(r.Text.Suffix) {
		l.problemf(p, "the suffix is the unit's name", "%s: %s is in %s and is written with %q", what, s.Name, r.Unit, r.Text.Suffix)
	}
	if s.Service != t.Service && s.Service != "" {
		l.problemf(p, "service: "+s.Service, "%s: %s belongs to service %s, which does not run this tool", what, s.Name, s.Service)
	}
}

// spelled reports whether text is how the unit is written behind a number.
func (u Unit) spelled(text string) bool {
	text = strings.TrimSpace(text)
	return text == string(u) || text == strings.TrimSpace(u.Suffix())
}

func argNames(s *Schema) []string {
	var l []string
	if s != nil {
		for _, p := range s.Properties {
			l = append(l, p.Name)
		}
	}
	return l
}
