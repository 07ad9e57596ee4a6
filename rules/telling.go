// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// Telling is one thing that a disclosure wants said, or kept back.
type Telling struct {
	Value    vehicle.Value // what to say …
	Word     *Entry        // … or the word for it
	Label    string        // what it is, as the rule writes it
	Texts    []string      // what counts as saying it
	Withheld bool          // it must not be said
	Said     Truth         // whether it was; unknown too when the value is
}

// OK reports whether nothing is left to do about it.
func (t *Telling) OK() bool {
	if t.Withheld {
		return t.Said == False
	}
	return t.Said == True
}

// Tells returns what the driver must be told, and must not, for a match. A
// list is told element by element.
func (r *Rule) Tells(env Env, set *Set, m *Match) []Telling {
	e := newEval(env, r, m.bind)
	var out []Telling
	for i, list := range [][]*Tell{r.Tell, r.Withhold} {
		withheld := i > 0
		for _, t := range list {
			if t.Value != nil {
				out = e.telling(out, t.Value, m.Item, withheld)
				continue
			}
			w := set.Lexicon.Entry(t.Word)
			texts := w.Words(e.language())
			out = append(out, Telling{Word: w, Label: t.Word, Texts: texts, Withheld: withheld, Said: env.Told(texts)})
		}
	}
	return out
}

func (e *eval) telling(out []Telling, l Left, item string, withheld bool) []Telling {
	f := e.left(l)
	t := Telling{Label: l.Label(item), Withheld: withheld}
	values := f.Value.Items()
	if f.Value.Kind() != vehicle.List {
		values = []vehicle.Value{f.Value}
	}
	for _, v := range values {
		if withheld && !v.Known() {
			continue // what nobody knows cannot be said
		}
		t.Value, t.Texts, t.Said = v, nil, Unknown
		if v.Known() {
			t.Texts = spoken(v)
			t.Said = e.env.Told(t.Texts)
		}
		out = append(out, t)
	}
	return out
}

// Unheard is what would have to be read so that the driver can be told the
// values that a disclosure wants told for a match. What is kept back need not
// be known.
func (r *Rule) Unheard(env Env, m *Match) []Want {
	e := newEval(env, r, m.bind)
	for _, t := range r.Tell {
		if t.Value == nil {
			continue
		}
		if f := e.left(t.Value); !f.Known() {
			e.wantLeft(t.Value, f)
		}
	}
	return e.wants
}

// Sentence is what the rule says to the driver in a language, its places
// filled in; in the bundle's first language when it does not speak that one,
// and empty when it has no sentence.
func (r *Rule) Sentence(env Env, set *Set, m *Match, language string) string {
	s := r.Say[language]
	for _, lang := range set.Manifest.Languages {
		if s == nil {
			s, language = r.Say[lang], lang
		}
	}
	if s == nil {
		return ""
	}
	e := newEval(env, r, m.bind)
	return s.fill(&e, m.Item, set.Lexicon, language)
}
