// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"slices"
)

func (l *loader) toolList(n *Node) {
	if n == nil {
		return
	}
	for _, m := range l.fields(n, "tools").n.Members {
		l.p.Tools = append(l.p.Tools, l.readTool(m))
	}
	l.checkCategories()
}

func (l *loader) readTool(m Member) *Tool {
	f := l.fields(m.Value, "tool "+m.Name)
	t := &Tool{Name: m.Name, Pos: m.Pos, Description: f.text("description")}
	if !toolForm.MatchString(m.Name) {
		l.problemf(m.Pos, "letters, digits, _ . and -, at most 64", "%s: students cannot call a tool of this name", f.what)
	}
	if t.Description == "" {
		l.problemf(f.pos("description"), "say what the tool does, for the student", "%s: has no description", f.what)
	}
	access := f.text("access")
	if i := slices.Index(accessNames[:], access); i >= 0 {
		t.Access = Access(i)
	} else {
		l.problemf(f.pos("access"), "access: read, write or noop", "%s: access is missing or unknown", f.what)
	}
	t.Service = l.serviceOf(f)
	t.Confirm, t.Terminal, t.Outward = f.truth("confirm"), f.truth("terminal"), f.truth("outward")
	t.Preferences, t.Tags = l.words(f, "preferences"), l.words(f, "tags")
	t.Input = l.input(f)
	t.Output = l.schemaKey(f, "output")
	l.sets(f, t)
	l.returns(f, t)
	f.end()
	l.checkAccess(f, t)
	if t.Output == nil && t.Service == "" && (len(t.Returns) > 0 || len(t.Fixed) > 0) {
		t.Output = l.outputOf(t)
	}
	return t
}

// words reads a list of lower-case words, each once.
func (l *loader) words(f *fields, key string) []string {
	list := f.texts(key)
	for i, w := range list {
		if !wordForm.MatchString(w) {
			l.problemf(f.pos(key), "lower-case words without @", "%s: %s: %q is no word", f.what, key, w)
		}
		if slices.Contains(list[:i], w) {
			l.problemf(f.pos(key), "", "%s: %s: %s is listed twice", f.what, key, w)
		}
	}
	return list
}

// checkAccess checks that what a tool declares agrees with its access.
func (l *loader) checkAccess(f *fields, t *Tool) {
	declares := f.has("sets") || f.has("touches")
	changes := len(elements(f.n.Member("sets")))+len(elements(f.n.Member("touches"))) > 0
	if t.Access != Write {
		for _, key := range []string{"sets", "touches", "undeclared", "confirm", "terminal", "outward"} {
			if f.has(key) && (key == "sets" || key == "touches" || key == "undeclared" || f.n.Member(key).scalar().Equal(BoolOf(true))) {
				l.problemf(f.pos(key), "access: write", "%s: %s is for writes, and this is a %v", f.what, key, t.Access)
			}
		}
		switch {
		case t.Access == Noop && len(t.Returns) > 0:
			l.problemf(f.pos("returns"), "access: read", "%s: a noop tells nothing about the vehicle", f.what)
		case t.Access == Read && t.Service == "" && !f.has("returns"):
			l.problemf(f.pos("access"), "name the signals it returns, or the service that runs it", "%s: reads nothing and nobody runs it", f.what)
		}
		return
	}
	undeclared := f.n.Member("undeclared").scalar().Equal(BoolOf(true))
	switch {
	case !declares && !undeclared && f.text("access") == "write":
		l.problemf(f.pos("access"), "sets: [...], touches: [] when it changes no signal, or undeclared: true", "%s: does not say what it changes", f.what)
	case declares && undeclared:
		l.problemf(f.pos("undeclared"), "remove one of the two", "%s: is undeclared and declares what it changes", f.what)
	case undeclared && t.Service == "":
		l.problemf(f.pos("undeclared"), "declare what it sets, or the service that runs it", "%s: without effects the vehicle cannot carry it out", f.what)
	case declares && !changes && t.Service == "":
		l.problemf(f.pos("touches"), "name the service that runs it", "%s: sets nothing and nobody runs it", f.what)
	}
	t.Declared = declares
}

// checkCategories compares the preference categories that tools name with the
// arguments of the read that fetches them: the one tagged preferences.
func (l *loader) checkCategories() {
	var read *Tool
	for _, t := range l.p.Tools {
		if !t.HasTag("preferences") {
			continue
		}
		if read != nil {
			l.problemf(t.Pos, "one read fetches them", "tool %s: %s is tagged preferences already", t.Name, read.Name)
		}
		read = t
	}
	for _, t := range l.p.Tools {
		for _, c := range t.Preferences {
			switch {
			case read == nil:
				l.problemf(t.Pos, "give the read that fetches stored preferences the tag preferences", "tool %s: preferences: no tool reads them", t.Name)
			case !hasCategory(read.Input, c):
				l.problemf(t.Pos, "categories are argument names of "+read.Name, "tool %s: preferences: %s has no category %s", t.Name, read.Name, c)
			}
		}
	}
}

// hasCategory reports whether a category, dotted, names an argument or a
// member of one.
func hasCategory(s *Schema, category string) bool {
	p, err := ParsePath(category)
	if err != nil || s == nil {
		return false
	}
	if s.At(p) != nil {
		return true
	}
	for _, prop := range s.Properties {
		if prop.Schema.At(p) != nil {
			return true
		}
	}
	return false
}
