// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"errors"
	"io/fs"
	"path"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/carguardd/carguardd/vehicle"
)

// Load reads the bundle in a directory and resolves it against a catalog. The
// error is a [vehicle.Problems] with everything that is wrong; there is no
// set then.
func Load(fsys fs.FS, dir string, cat *vehicle.Catalog) (*Set, error) {
	l := loader{fsys: fsys, dir: dir}
	if !l.layout() {
		return nil, l.sorted()
	}
	set := &Set{Lexicon: &Lexicon{entries: map[string]*Entry{}}}
	if n := l.yaml("manifest.yaml"); n != nil {
		set.Manifest = l.manifest(n)
	}
	set.Policy = l.policy()
	set.Lexicon.Languages = set.Manifest.Languages
	for _, name := range l.list("lexicon") {
		l.lexiconFile(set.Lexicon, name)
	}
	set.Lexicon.finish()
	var tests []string
	for _, name := range l.list("rules") {
		if strings.HasSuffix(name, "_test.yaml") {
			tests = append(tests, name)
		} else if n := l.yaml(path.Join("rules", name)); n != nil {
			set.Rules = append(set.Rules, l.rules(n)...)
			set.Advisory = append(set.Advisory, l.advisories(n.Member("advisory"))...)
		}
	}
	l.unique(set.Rules)
	set.index()
	for _, name := range tests {
		if n := l.yaml(path.Join("rules", name)); n != nil {
			set.Cases = append(set.Cases, l.cases(n)...)
		}
	}
	if len(l.problems) > 0 {
		return nil, l.sorted() // names mean nothing in what could not be read
	}
	l.resolve(set, cat)
	if len(l.problems) > 0 {
		return nil, l.sorted()
	}
	set.index()
	return set, nil
}

func (l *loader) resolve(set *Set, cat *vehicle.Catalog) {
	c := newChecker(cat, set.Lexicon)
	for _, r := range set.Rules {
		c.check(r)
		l.quoted(set, r)
		l.translated(set, r)
	}
	for _, a := range set.Advisory {
		l.quotes(set, a.Policy, a.Pos, "an advisory sentence")
	}
	for _, cs := range set.Cases {
		c.testCase(set, cs)
	}
	l.problems = append(l.problems, c.problems...)
}

type loader struct {
	reader
	fsys fs.FS
	dir  string
}

func (l *loader) at(name string) vehicle.Pos {
	return vehicle.Pos{File: path.Join(l.dir, name), Line: 1, Col: 1}
}

// layout reports what is no part of a bundle. It is false when there is no
// folder, so that nothing else need be said.
func (l *loader) layout() bool {
	known := map[string]bool{"manifest.yaml": false, "policy.md": false, "rules": true, "lexicon": true}
	entries, err := fs.ReadDir(l.fsys, l.dir)
	if err != nil {
		l.bad(vehicle.Pos{File: l.dir}, "", "read bundle: %v", errors.Unwrap(err))
		return false
	}
	for _, e := range entries {
		isDir, ok := known[e.Name()]
		if !ok || isDir != e.IsDir() {
			l.bad(vehicle.Pos{File: path.Join(l.dir, e.Name())}, "a bundle holds manifest.yaml, policy.md, rules/ and lexicon/", "no part of a bundle")
		}
	}
	return true
}

// list returns the .yaml files of a folder, sorted by name.
func (l *loader) list(folder string) []string {
	entries, err := fs.ReadDir(l.fsys, path.Join(l.dir, folder))
	if err != nil {
		if folder == "rules" {
			l.bad(vehicle.Pos{File: path.Join(l.dir, folder)}, "a bundle has a folder rules", "read folder: %v", errors.Unwrap(err))
		}
		return nil
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() || path.Ext(e.Name()) != ".yaml" {
			l.bad(vehicle.Pos{File: path.Join(l.dir, folder, e.Name())}, "its files end in .yaml", "no part of %s", folder)
			continue
		}
		names = append(names, e.Name())
	}
	sort.Strings(names)
	return names
}

func (l *loader) read(name string) []byte {
	data, err := fs.ReadFile(l.fsys, path.Join(l.dir, name))
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		l.bad(vehicle.Pos{File: path.Join(l.dir, name)}, "", "read file: %v", err)
		return nil
	}
	return data
}

// policy reads the policy, which is text: UTF-8 without control signs.
func (l *loader) policy() string {
	text := string(l.read("policy.md"))
	line := 0
	for s := range strings.Lines(text) {
		line++
		i := strings.IndexFunc(s, func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) && !unicode.IsSpace(r) })
		if i >= 0 {
			l.bad(vehicle.Pos{File: path.Join(l.dir, "policy.md"), Line: line, Col: utf8.RuneCountInString(s[:i]) + 1},
				"a policy is UTF-8, Markdown or plain", "no text: the byte %#02x", s[i])
			return ""
		}
	}
	return text
}

func (l *loader) yaml(name string) *vehicle.Node {
	data := l.read(name)
	if data == nil {
		return nil
	}
	n, ps := vehicle.ParseYAML(path.Join(l.dir, name), data)
	l.problems = append(l.problems, ps...)
	return n
}

func (l *loader) lexiconFile(lex *Lexicon, name string) {
	lang := strings.TrimSuffix(name, ".yaml")
	if !contains(lex.Languages, lang) {
		l.bad(l.at(path.Join("lexicon", name)), "add "+lang+" to languages in manifest.yaml", "a lexicon of a language that the manifest does not list")
	}
	if n := l.yaml(path.Join("lexicon", name)); n != nil {
		lex.read(&l.reader, lang, n)
	}
}

func (l *loader) unique(rs []*Rule) {
	first := map[string]*Rule{}
	for _, r := range rs {
		if f := first[r.ID]; f != nil && r.ID != "" {
			l.bad(r.Pos, "", "rule id %q is already used at %s", r.ID, f.Pos)
			continue
		}
		first[r.ID] = r
	}
}

// quoted checks that the sentence a rule comes from stands in the policy, so
// that coverage can be shown sentence by sentence.
func (l *loader) quoted(set *Set, r *Rule) {
	if r.Policy != "" {
		l.quotes(set, r.Policy, r.Pos, "rule "+r.ID)
	}
}

func (l *loader) quotes(set *Set, sentence string, pos vehicle.Pos, who string) {
	if !strings.Contains(squeeze(set.Policy), squeeze(sentence)) {
		l.bad(pos, "quote it word by word", "%s: policy.md has no sentence %q", who, sentence)
	}
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// translated checks that what a rule says is there in every language.
func (l *loader) translated(set *Set, r *Rule) {
	if r.Say == nil {
		return
	}
	for _, lang := range set.Manifest.Languages {
		if r.Say[lang] == nil {
			l.bad(r.Pos, "", "rule %s says nothing in language %s", r.ID, lang)
		}
	}
	for lang, s := range r.Say {
		if !contains(set.Manifest.Languages, lang) {
			l.bad(s.Pos, "add it to languages in manifest.yaml", "rule %s speaks %s, which the manifest does not list", r.ID, lang)
		}
	}
}

// sorted orders the problems by file and place.
func (l *loader) sorted() vehicle.Problems {
	sort.SliceStable(l.problems, func(i, j int) bool {
		a, b := l.problems[i].Pos, l.problems[j].Pos
		if a.File != b.File {
			return a.File < b.File
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Col < b.Col
	})
	return l.problems
}
