// SPDX-License-Identifier: Apache-2.0

package fields

import (
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
)

// Filter is the list with only what fits a pattern such as window_*: signals,
// tools and words by their names. An empty pattern fits everything; a broken
// one is an error.
func (l List) Filter(pattern string) (List, error) {
	if pattern == "" {
		return l, nil
	}
	fits := func(name string) bool {
		ok, _ := path.Match(pattern, name)
		return ok
	}
	if _, err := path.Match(pattern, ""); err != nil {
		return l, fmt.Errorf("pattern %q: %w", pattern, err)
	}
	out := List{Signals: []Signal{}, Tools: []Tool{}, Tags: []Tag{}, Context: []Value{}, Comparisons: []string{}, Left: []string{}, Units: []string{}}
	for _, s := range l.Signals {
		if fits(s.Name) {
			out.Signals = append(out.Signals, s)
		}
	}
	for _, t := range l.Tools {
		if fits(t.Name) {
			out.Tools = append(out.Tools, t)
		}
	}
	for _, t := range l.Tags {
		if fits(t.Name) || fits(strings.TrimPrefix(t.Name, "@")) {
			out.Tags = append(out.Tags, t)
		}
	}
	for _, c := range l.Context {
		if fits(c.Name) {
			out.Context = append(out.Context, c)
		}
	}
	for _, w := range l.Words {
		if fits(w.Name) {
			out.Words = append(out.Words, w)
		}
	}
	return out, nil
}

// Write prints the list for people.
func (l *List) Write(w io.Writer) error {
	var b strings.Builder
	head := func(s string, n int) bool {
		if n > 0 {
			fmt.Fprintf(&b, "%s\n", s)
		}
		return n > 0
	}
	head("signals (field: NAME)", len(l.Signals))
	for _, s := range l.Signals {
		fmt.Fprintf(&b, "  %s%s\n", s.Value.line(), told(s))
	}
	head("tools", len(l.Tools))
	for _, t := range l.Tools {
		t.write(&b)
	}
	head("tags", len(l.Tags))
	for _, t := range l.Tags {
		fmt.Fprintf(&b, "  %s: %s\n", t.Name, strings.Join(t.Tools, ", "))
	}
	head("surroundings (context: NAME)", len(l.Context))
	for _, c := range l.Context {
		fmt.Fprintf(&b, "  %s\n", c.line())
	}
	head("words of the lexicon", len(l.Words))
	for _, x := range l.Words {
		var langs []string
		for _, lang := range slices.Sorted(maps.Keys(x.Phrases)) {
			langs = append(langs, lang+" "+strings.Join(x.Phrases[lang], ", "))
		}
		fmt.Fprintf(&b, "  %s: %s\n", x.Name, strings.Join(langs, "; "))
	}
	for _, x := range []struct {
		name string
		list []string
	}{{"left sides", l.Left}, {"comparisons", l.Comparisons}, {"units", l.Units}} {
		if head(x.name, len(x.list)) {
			fmt.Fprintf(&b, "  %s\n", strings.Join(x.list, " "))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t *Tool) write(b *strings.Builder) {
	fmt.Fprintf(b, "  %s (%s)", t.Name, t.Access)
	if t.Tags != nil {
		fmt.Fprintf(b, " %s", strings.Join(t.Tags, " "))
	}
	b.WriteByte('\n')
	for _, a := range t.Arguments {
		fmt.Fprintf(b, "    arg %s\n", a.line())
	}
	for _, r := range t.Result {
		fmt.Fprintf(b, "    result %s\n", r.line())
	}
	for _, i := range t.Items {
		fmt.Fprintf(b, "    item %s is %s\n", i.Item, i.Spelling)
	}
}

// line is the value on one line: name, type, unit, range.
func (v Value) line() string {
	s := v.Name
	if v.Type != "" {
		s += ": " + v.Type
	}
	if v.Members != nil {
		s += ", one of " + strings.Join(v.Members, " ")
	}
	if v.Unit != "" {
		s += " in " + v.Unit
	}
	switch {
	case v.Min != nil && v.Max != nil:
		s += fmt.Sprintf(", %g to %g", *v.Min, *v.Max)
	case v.Min != nil:
		s += fmt.Sprintf(", from %g", *v.Min)
	case v.Max != nil:
		s += fmt.Sprintf(", up to %g", *v.Max)
	}
	if v.Required {
		s += ", required"
	}
	if v.Default != "" {
		s += ", default " + v.Default
	}
	return s
}

func told(s Signal) string {
	switch {
	case s.Readers != nil:
		return ", read by " + strings.Join(s.Readers, ", ")
	case s.Live:
		return ", live"
	}
	return ", told by nothing"
}
