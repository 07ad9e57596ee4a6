// SPDX-License-Identifier: Apache-2.0

package words

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/carguardd/carguardd/vehicle"
)

//go:embed data/*.yaml
var dataFiles embed.FS

// Language is one language as its data file describes it. It does not change
// after loading and may be used concurrently.
type Language struct {
	Code string // BCP 47 primary tag: en
	Name string

	please  string // the word of politeness, in normal form
	decimal byte
	fold    *strings.Replacer
	// foldsASCII is set when fold changes letters that every keyboard has.
	foldsASCII bool
	endings    []string
	numbers    numbers
	units      []unitWords
	lists      map[string]*patterns // by name, see listNames
	raw        map[string][]string  // the same, as the file writes them
	small      map[string]bool      // words without content of their own
	phrases    map[Key]template
	joiners    [len(joinerLists)]*patterns
	joining    []uint64 // the set of them
	telling    [len(tellingLists)]*patterns
	vocab      *vocab  // of lists and units
	memory     *memory // nil: texts are not remembered
}

// Languages are all languages there are data files for.
type Languages struct {
	list []*Language
}

// Load reads the embedded data files. An error says file, line and column;
// it can only be caused by a change of the files.
func Load() (*Languages, error) {
	entries, err := dataFiles.ReadDir("data")
	if err != nil {
		return nil, err
	}
	ls := &Languages{}
	for _, e := range entries {
		data, err := dataFiles.ReadFile(path.Join("data", e.Name()))
		if err != nil {
			return nil, err
		}
		l, err := ParseLanguage(e.Name(), data)
		if err != nil {
			return nil, err
		}
		ls.list = append(ls.list, l)
	}
	return ls, nil
}

// For returns the language of a BCP 47 tag: "de-AT" is de. A language there
// is no file for is answered in English, since something must be said.
func (ls *Languages) For(tag string) *Language {
	base, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	for _, l := range ls.list {
		if l.Code == base {
			return l
		}
	}
	for _, l := range ls.list {
		if l.Code == "en" {
			return l
		}
	}
	return ls.list[0]
}

// Has reports whether there is a data file for the tag's language.
func (ls *Languages) Has(tag string) bool {
	base, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	return ls.For(tag).Code == base
}

// Codes lists the languages by code, sorted.
func (ls *Languages) Codes() []string {
	var out []string
	for _, l := range ls.list {
		out = append(out, l.Code)
	}
	slices.Sort(out)
	return out
}

// languageFile is the form of a data file. Every list must be there, an
// unknown key is an error.
type languageFile struct {
	Language string              `yaml:"language"`
	Name     string              `yaml:"name"`
	Decimal  string              `yaml:"decimal"`
	Please   string              `yaml:"please"`
	Fold     map[string]string   `yaml:"fold"`
	Endings  []string            `yaml:"endings"`
	Numbers  numbersFile         `yaml:"numbers"`
	Units    map[string][]string `yaml:"units"`
	Lists    map[string][]string `yaml:"lists"`
	Phrases  map[Key]string      `yaml:"phrases"`
}

// ParseLanguage reads one data file; name is for errors.
func ParseLanguage(name string, data []byte) (*Language, error) {
	var f languageFile
	if err := yaml.UnmarshalWithOptions(data, &f, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("read language %s: %s", name, yaml.FormatError(err, false, true))
	}
	l := &Language{Code: f.Language, Name: f.Name, raw: f.Lists,
		lists: map[string]*patterns{}, small: map[string]bool{}, phrases: map[Key]template{}}
	if l.Code == "" || (f.Decimal != "." && f.Decimal != ",") {
		return nil, fmt.Errorf("read language %s: language must be set and decimal be \".\" or \",\"", name)
	}
	l.decimal = f.Decimal[0]
	var pairs []string
	for from, to := range f.Fold {
		pairs = append(pairs, from, to)
		l.foldsASCII = l.foldsASCII || isASCII(from)
	}
	l.fold = strings.NewReplacer(pairs...)
	for _, e := range f.Endings {
		l.endings = append(l.endings, l.normal(e))
	}
	slices.SortFunc(l.endings, func(a, b string) int { return len(b) - len(a) })
	l.please = l.normal(f.Please)
	for _, step := range []func(*languageFile) error{l.loadLists, l.loadUnits, l.loadNumbers, l.loadPhrases} {
		if err := step(&f); err != nil {
			return nil, fmt.Errorf("read language %s: %w", name, err)
		}
	}
	var all []*patterns
	for _, name := range listNames {
		all = append(all, l.lists[name])
	}
	for i := range l.units {
		all = append(all, &l.units[i].ps)
	}
	l.vocab = newVocab(all, func(w string) string { return w })
	l.joining = l.vocab.set(l.joiners[:]...)
	for i, ps := range l.joiners {
		if len(ps.rest) > 0 {
			return nil, fmt.Errorf("read language %s: list %q: %q must begin with a word", name, joinerLists[i], ps.rest[0].src)
		}
	}
	return l, nil
}

func (l *Language) loadLists(f *languageFile) error {
	c := &compiler{lang: l, lists: f.Lists, made: map[string]*patterns{}}
	for name := range f.Lists {
		if !slices.Contains(listNames, name) && !strings.HasPrefix(name, "x-") {
			return fmt.Errorf("list %q is not known (one of %s, or x-…)", name, strings.Join(listNames, " "))
		}
	}
	for _, name := range listNames {
		if _, ok := f.Lists[name]; !ok {
			return fmt.Errorf("list %q is missing", name)
		}
		ps, err := c.list(name)
		if err != nil {
			return fmt.Errorf("list %q: %w", name, err)
		}
		l.lists[name] = ps
	}
	for i, name := range joinerLists {
		l.joiners[i] = l.lists[name]
	}
	for i, name := range tellingLists {
		l.telling[i] = l.lists[name]
	}
	for _, name := range []string{"small", "filler", "article"} {
		for _, w := range f.Lists[name] {
			if toks := l.Tokens(w); len(toks) == 1 {
				l.small[toks[0].Word] = true
			}
		}
	}
	return nil
}

// unitWords is how one unit is said.
type unitWords struct {
	unit vehicle.Unit
	say  string // the first form, for a spoken value
	ps   patterns
}

func (l *Language) loadUnits(f *languageFile) error {
	c := &compiler{lang: l}
	for _, name := range vehicle.Units() {
		src := f.Units[name]
		if len(src) == 0 {
			continue // spoken by its suffix; a test lists these
		}
		all, err := c.all(src)
		if err != nil {
			return fmt.Errorf("unit %q: %w", name, err)
		}
		l.units = append(l.units, unitWords{vehicle.Unit(name), src[0], patterns{all: all}})
	}
	for name := range f.Units {
		if !vehicle.Unit(name).Valid() {
			return fmt.Errorf("unit %q is not known (one of %s)", name, strings.Join(vehicle.Units(), " "))
		}
	}
	return nil
}

// stems are the stems of tokens.
func (l *Language) stems(toks []Token) []string {
	out := make([]string, len(toks))
	for i := range toks {
		out[i] = l.stem(toks[i].Word)
	}
	return out
}

// Contains reports whether the text contains one of the phrases as whole
// words, whatever their endings.
func (l *Language) Contains(text string, phrases ...string) bool {
	r := l.read(text)
	for _, p := range phrases {
		if !r.mayHold(p) {
			continue
		}
		if what := l.read(p).stemmed(); len(what) > 0 && indexOf(r.stemmed(), what) >= 0 {
			return true
		}
	}
	return false
}

func indexOf(in, what []string) int {
	for i := 0; i+len(what) <= len(in); i++ {
		if slices.Equal(in[i:i+len(what)], what) {
			return i
		}
	}
	return -1
}
