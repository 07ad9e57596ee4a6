// SPDX-License-Identifier: Apache-2.0

package words

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// Lexicon is a language together with a catalog: it knows which words speak
// about which tools, arguments, items and signals, and how calls are said
// aloud. It does not change after it was made and may be used concurrently.
type Lexicon struct {
	Lang    *Language
	Catalog *vehicle.Catalog
	Chains  []Chain

	words map[string][]string
	items map[string]*itemWords // by item
	// groups are words for several items: rear.
	groups  []*itemWords
	tools   map[string]*ToolWords
	signals []*signalWords // by signal
	names   []*nameWords
	all     *patterns // of every name, to find the longest
	owners  map[string][]*nameWords
	vocab   *vocab // of every list that was compiled
}

// itemWords are the words for an item, or for a group of items.
type itemWords struct {
	items []string
	say   string
	ps    *patterns
}

// nameWords is one thing with a name: what tools are about.
type nameWords struct {
	src     string // the pattern
	tools   []*vehicle.Tool
	signals []vehicle.SignalID
}

// signalWords is how a signal is called and said.
type signalWords struct {
	item  string
	names []string
	thing string
	say   []saySignal
}

// NewLexicon joins the language with a catalog and the lexicon files of that
// language; files of other languages are passed over. Entries for tools that
// the catalog lacks are kept out. The error is [vehicle.Problems] when a file
// does not fit the catalog's profile.
func (l *Language) NewLexicon(cat *vehicle.Catalog, files ...*LexiconFile) (*Lexicon, error) {
	x := &Lexicon{Lang: l, Catalog: cat, words: map[string][]string{}, items: map[string]*itemWords{},
		tools: map[string]*ToolWords{}, owners: map[string][]*nameWords{}}
	b := &lexiconBuilder{x: x, l: l, made: map[string]*patterns{},
		compiler: &compiler{lang: l, lists: l.raw, stem: true, made: map[string]*patterns{}}}
	for _, f := range files {
		if f.Language != l.Code {
			continue
		}
		if cat.Profile != nil {
			b.problems = append(b.problems, f.Check(cat.Profile)...)
		}
		b.files = append(b.files, f)
		maps.Copy(x.words, f.Words)
	}
	if err := b.problems.Err(); err != nil {
		return nil, err
	}
	for _, step := range []func() error{b.buildItems, b.buildSignals, b.buildTools, b.buildNames, b.buildChains, b.buildVocab} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("read lexicon: %w", err)
		}
	}
	return x, nil
}

// lexiconBuilder fills a lexicon from its files.
type lexiconBuilder struct {
	x        *Lexicon
	l        *Language
	files    []*LexiconFile
	problems vehicle.Problems

	compiler *compiler
	made     map[string]*patterns // what was compiled, by its lines
}

func (b *lexiconBuilder) compile(list []string) (*patterns, error) {
	key := strings.Join(list, "\n")
	if ps := b.made[key]; ps != nil {
		return ps, nil
	}
	all, err := b.compiler.all(list)
	if err != nil {
		return nil, err
	}
	b.made[key] = &patterns{all: all}
	return b.made[key], nil
}

// buildVocab is the last step: every list was compiled.
func (b *lexiconBuilder) buildVocab() error {
	var all []*patterns
	for _, key := range slices.Sorted(maps.Keys(b.made)) {
		all = append(all, b.made[key])
	}
	b.x.vocab = newVocab(all, b.l.stem)
	return nil
}

// stemmed readies tokens for matching with the lexicon's own phrases.
func (x *Lexicon) stemmed(toks []Token) *speech { return x.speech(toks, x.Lang.stems(toks)) }

// speech is [Lexicon.stemmed] where the stems are there already.
func (x *Lexicon) speech(toks []Token, stems []string) *speech {
	s := &speech{toks: toks, ids: make([]uint32, len(toks))}
	for i, stem := range stems {
		s.ids[i] = x.vocab.ids.number(stem)
	}
	return s
}

func (b *lexiconBuilder) buildItems() error {
	for _, f := range b.files {
		for _, name := range slices.Sorted(maps.Keys(f.Items)) {
			it := f.Items[name]
			ps, err := b.compile(append(slices.Clone(it.Words), b.nameForms(name)...))
			if err != nil {
				return fmt.Errorf("items.%s: %w", name, err)
			}
			b.x.items[name] = &itemWords{[]string{name}, it.Say, ps}
		}
		for _, name := range slices.Sorted(maps.Keys(f.Groups)) {
			ps, err := b.compile(f.Groups[name].Words)
			if err != nil {
				return fmt.Errorf("groups.%s: %w", name, err)
			}
			b.x.groups = append(b.x.groups, &itemWords{f.Groups[name].Items, "", ps})
		}
	}
	for _, t := range b.x.Catalog.Tools {
		for _, it := range t.Items.List() {
			if b.x.items[it] == nil {
				ps, err := b.compile(b.nameForms(it))
				if err != nil {
					return fmt.Errorf("items.%s: %w", it, err)
				}
				b.x.items[it] = &itemWords{[]string{it}, Humanize(it), ps}
			}
		}
	}
	return nil
}

// nameForms turns an identifier into the phrases people may say for it: its
// words, two words also the other way round, each word also as its synonyms.
func (b *lexiconBuilder) nameForms(name string) []string {
	parts := nameParts(name)
	if len(parts) == 0 {
		return nil
	}
	forms := [][]string{parts}
	if len(parts) == 2 {
		forms = append(forms, []string{parts[1], parts[0]})
	}
	var out []string
	for _, f := range forms {
		out = append(out, strings.Join(f, " "))
		for i, p := range f {
			for _, syn := range b.x.words[p] {
				g := slices.Clone(f)
				g[i] = syn
				out = append(out, strings.Join(g, " "))
			}
		}
	}
	return out
}

// nameParts splits an identifier (snake_case, camelCase, UPPER) into words.
func nameParts(name string) []string {
	var out []string
	cur := ""
	flush := func() {
		if cur != "" {
			out = append(out, strings.ToLower(cur))
			cur = ""
		}
	}
	prevLower := false
	for _, r := range name {
		switch {
		case r >= '0' && r <= '9', r >= 'a' && r <= 'z':
			cur += string(r)
			prevLower = true
		case r >= 'A' && r <= 'Z':
			if prevLower {
				flush()
			}
			cur += string(r)
			prevLower = false
		default:
			flush()
			prevLower = false
		}
	}
	flush()
	return out
}

// HasWord reports whether the text contains the entry of the lexicon's words
// or one of its synonyms; ok is false when there is no such entry.
func (x *Lexicon) HasWord(text, entry string) (has, ok bool) {
	syns, ok := x.words[entry]
	if !ok {
		return false, false
	}
	return x.Lang.Contains(text, append([]string{entry}, syns...)...), true
}

// SignalWords returns the phrases that speak about a signal, its item's words
// not included.
func (x *Lexicon) SignalWords(s vehicle.SignalID) []string {
	if int(s) < 0 || int(s) >= len(x.signals) || x.signals[s] == nil {
		return nil
	}
	return slices.Clone(x.signals[s].names)
}
