// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// Sentence is what a rule says to the driver in one language: text with
// places to fill in. {item} is what the wildcard stands for, {arg PATH},
// {field PATTERN} and {context NAME} are values at the moment.
type Sentence struct {
	Text string
	Pos  vehicle.Pos

	parts []part
}

type part struct {
	text string
	item bool
	left Left
}

func (r *reader) say(n *vehicle.Node) map[string]*Sentence {
	out := map[string]*Sentence{}
	if !r.isMap(n, "say") {
		return out
	}
	for _, f := range n.Members {
		if !isLanguage(f.Name) {
			r.bad(f.Pos, "such as en or de", "%q is no language", f.Name)
		}
		out[f.Name] = r.sentence(f.Value)
	}
	return out
}

func (r *reader) sentence(n *vehicle.Node) *Sentence {
	s := &Sentence{Text: r.text(n, "a sentence"), Pos: n.Pos}
	rest := s.Text
	for rest != "" {
		before, after, found := strings.Cut(rest, "{")
		if before != "" {
			s.parts = append(s.parts, part{text: before})
		}
		if !found {
			break
		}
		inside, tail, closed := strings.Cut(after, "}")
		if !closed {
			r.bad(n.Pos, "", "a { that is not closed")
			break
		}
		if p, ok := r.place(n, inside); ok {
			s.parts = append(s.parts, p)
		}
		rest = tail
	}
	return s
}

func (r *reader) place(n *vehicle.Node, inside string) (part, bool) {
	if inside == "item" {
		return part{item: true}, true
	}
	head, name, _ := strings.Cut(inside, " ")
	at := &vehicle.Node{Pos: n.Pos, Kind: vehicle.String, Scalar: vehicle.TextOf(name)}
	switch head {
	case "arg":
		return part{left: r.arg(at)}, true
	case "field":
		return part{left: r.field(at, &vehicle.Node{Kind: vehicle.Object})}, true
	case "context":
		return part{left: r.context(at)}, true
	}
	r.bad(n.Pos, "one of {item}, {arg PATH}, {field PATTERN}, {context NAME}", "{%s} is no place to fill in", inside)
	return part{}, false
}

func (c *checker) sentence(s *Sentence) {
	for _, p := range s.parts {
		if p.item {
			c.useItem(s.Pos)
		}
		if p.left != nil {
			p.left.check(c)
		}
	}
}

// fill writes the sentence with its places filled in.
func (s *Sentence) fill(e *eval, item string, lex *Lexicon, lang string) string {
	var b strings.Builder
	for _, p := range s.parts {
		switch {
		case p.item:
			b.WriteString(Spell(vehicle.TextOf(item), lex, lang))
		case p.left != nil:
			b.WriteString(Spell(e.left(p.left).Value, lex, lang))
		default:
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// Spell writes a value as it is spoken: by the lexicon entry of its name when
// there is one, else without underscores and capitals, numbers with the
// language's decimal point.
func Spell(v vehicle.Value, lex *Lexicon, lang string) string {
	if f, ok := v.Float(); ok {
		s := fmt.Sprintf("%.10g", f)
		if base, _, _ := strings.Cut(lang, "-"); base == "de" || base == "fr" || base == "it" || base == "es" {
			s = strings.Replace(s, ".", ",", 1)
		}
		return s
	}
	name := v.String()
	if v.Kind() == vehicle.Bool {
		if name = "off"; v.Equal(vehicle.BoolOf(true)) {
			name = "on"
		}
	}
	for _, key := range []string{name, strings.ToLower(name)} {
		if p, ok := lex.Phrase(key, lang); ok {
			return p
		}
	}
	if name == strings.ToUpper(name) {
		name = strings.ToLower(name)
	}
	return strings.ReplaceAll(name, "_", " ")
}

// spoken lists the ways in which a reply may say a value.
func spoken(v vehicle.Value) []string {
	s := v.String()
	out := []string{s}
	if f, ok := v.Float(); ok {
		dot := fmt.Sprintf("%.10g", f)
		return appendNew(out, dot, strings.Replace(dot, ".", ",", 1))
	}
	return appendNew(out, strings.ReplaceAll(s, "_", " "), strings.ToLower(strings.ReplaceAll(s, "_", " ")))
}
