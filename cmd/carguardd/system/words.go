// SPDX-License-Identifier: Apache-2.0

package system

import (
	"fmt"
	"io/fs"
	"path"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// Words are what a student may need to understand a driver.
type Words struct {
	Languages *words.Languages
	Files     []*words.LexiconFile // of every language
	Lexicon   *words.Lexicon       // of the driver's language
	Catalog   *vehicle.Catalog
	Context   func(name string) vehicle.Value
}

// LoadWords reads the languages and what the profile's folder says in
// lexicon/*.yaml, if there is such a folder. A language that there are no
// words for is an error.
func LoadWords(fsys fs.FS, dir, language string, cat *vehicle.Catalog) (Words, error) {
	w := Words{Catalog: cat}
	var err error
	if w.Languages, err = words.Load(); err != nil {
		return w, err
	}
	if !w.Languages.Has(language) {
		return w, fmt.Errorf("language %q: there are words for %v", language, w.Languages.Codes())
	}
	names, err := fs.Glob(fsys, path.Join(dir, "lexicon", "*.yaml"))
	if err != nil {
		return w, err
	}
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return w, err
		}
		f, err := words.ParseLexicon(name, data)
		if err != nil {
			return w, err
		}
		w.Files = append(w.Files, f)
	}
	w.Lexicon, err = w.Languages.For(language).NewLexicon(cat, w.Files...)
	return w, err
}
