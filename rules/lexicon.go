// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

// Lexicon holds what a bundle's words sound like in each language.
type Lexicon struct {
	Languages []string // in the manifest's order
	entries   map[string]*Entry
}

// Entry is one word of a lexicon: a name that rules use, and the words or
// phrases that stand for it.
type Entry struct {
	Name   string
	Pos    vehicle.Pos // in the first language's file that has it
	byLang map[string][]string
	all    []string
}

// Words returns the phrases of a language, or those of every language when
// the lexicon does not have it.
func (e *Entry) Words(language string) []string {
	if l := e.byLang[language]; l != nil {
		return l
	}
	return e.all
}

// Entry returns the named entry, or nil.
func (l *Lexicon) Entry(name string) *Entry { return l.entries[name] }

// Names lists the entries by name, sorted.
func (l *Lexicon) Names() []string { return l.names() }

func (l *Lexicon) names() []string {
	var names []string
	for n := range l.entries {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// read adds the words of one language's file.
func (l *Lexicon) read(r *reader, lang string, n *vehicle.Node) {
	if !r.isMap(n, "a lexicon") {
		return
	}
	r.keys(n, "words")
	words := n.Member("words")
	if words == nil {
		r.bad(n.Pos, "begin with words:", "no words in this file")
		return
	}
	if !r.isMap(words, "words") {
		return
	}
	for _, f := range words.Members {
		e := l.entries[f.Name]
		if e == nil {
			e = &Entry{Name: f.Name, Pos: f.Pos, byLang: map[string][]string{}}
			l.entries[f.Name] = e
		}
		e.byLang[lang] = r.names(f.Value, "a word")
	}
}

// finish collects the phrases of all languages.
func (l *Lexicon) finish() {
	for _, e := range l.entries {
		for _, lang := range l.Languages {
			e.all = appendNew(e.all, e.byLang[lang]...)
		}
	}
}

// Phrase is the first phrase of an entry in a language, or false.
func (l *Lexicon) Phrase(name, language string) (string, bool) {
	if e := l.entries[name]; e != nil && len(e.byLang[language]) > 0 {
		return e.byLang[language][0], true
	}
	return "", false
}

func isLanguage(s string) bool {
	for _, c := range s {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-') {
			return false
		}
	}
	return len(s) >= 2 && len(s) <= 12
}
