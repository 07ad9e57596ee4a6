// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// LoadLexicon joins a language with what the profile's folder says in
// lexicon/CODE.yaml, if there is such a file. A language that there are no
// words for is an error.
func LoadLexicon(fsys fs.FS, dir, language string, cat *vehicle.Catalog) (*words.Lexicon, error) {
	all, err := words.Load()
	if err != nil {
		return nil, err
	}
	if !all.Has(language) {
		return nil, fmt.Errorf("language %q: there are words for %v", language, all.Codes())
	}
	lang := all.For(language)
	file := path.Join(dir, "lexicon", lang.Code+".yaml")
	data, err := fs.ReadFile(fsys, file)
	if errors.Is(err, fs.ErrNotExist) {
		return lang.NewLexicon(cat)
	}
	if err != nil {
		return nil, err
	}
	lf, err := words.ParseLexicon(file, data)
	if err != nil {
		return nil, err
	}
	return lang.NewLexicon(cat, lf)
}
