// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"maps"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

var untranslated = &Analyzer{
	Name:  "untranslated",
	Doc:   "a sentence that is the same in two languages, or one that speaks a name which the language's lexicon does not have",
	Help:  "Translate it, or add the name to lexicon/LANGUAGE.yaml. A missing language is refused at load.",
	Level: Warning,
	Run: func(p *Pass) {
		for _, r := range p.Set.Rules {
			p.copies(r)
			for _, lang := range slices.Sorted(maps.Keys(r.Say)) {
				if lang != p.Set.Manifest.Languages[0] {
					p.names(r, lang)
				}
			}
		}
	},
}

func (p *Pass) copies(r *rules.Rule) {
	first := map[string]string{}
	for _, lang := range p.Set.Manifest.Languages {
		s := r.Say[lang]
		if s == nil || len(strings.Fields(s.Text)) < 2 {
			continue
		}
		if other := first[s.Text]; other != "" {
			p.report(r, s.Pos, "translate it", "rule %s says the same in %s as in %s", r.ID, lang, other)
			continue
		}
		first[s.Text] = lang
	}
}

// names reports what a sentence fills in by a name that is no word of the
// language. The first language's names are taken to be the profile's.
func (p *Pass) names(r *rules.Rule, lang string) {
	var missing []string
	for _, name := range p.spoken(r, r.Say[lang].Text) {
		_, ok1 := p.Set.Lexicon.Phrase(name, lang)
		_, ok2 := p.Set.Lexicon.Phrase(strings.ToLower(name), lang)
		if !ok1 && !ok2 && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
	}
	if missing != nil {
		p.report(r, r.Say[lang].Pos, "add it to lexicon/"+lang+".yaml", "rule %s speaks names that have no word in %s: %s", r.ID, lang, strings.Join(missing, ", "))
	}
}

// spoken lists the names that places of a sentence can be filled with.
func (p *Pass) spoken(r *rules.Rule, text string) []string {
	var out []string
	for _, place := range places.FindAllStringSubmatch(text, -1) {
		switch place[1] {
		case "item":
			out = append(out, r.Items()...)
		case "arg":
			path, err := vehicle.ParsePath(place[2])
			for _, name := range r.Triggers() {
				if t := p.Catalog.Tool(name); err == nil && t != nil && t.Input != nil {
					if s := t.Input.At(path); s != nil && s.Type == "string" {
						out = append(out, s.EnumText()...)
					}
				}
			}
		case "field":
			for _, m := range p.Catalog.Profile.Match(strings.Replace(place[2], "{item}", "*", 1)) {
				out = append(out, p.Catalog.Profile.Signals[m.Signal].Allowed...)
			}
		}
	}
	return out
}
