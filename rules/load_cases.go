// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"io/fs"
	"path"

	"github.com/carguardd/carguardd/vehicle"
)

// LoadCases reads a file of tests that belong to no bundle and resolves them
// against a catalog: they may be played to any set. They can name no rule and
// no word. The error is a [vehicle.Problems] with everything that is wrong.
func LoadCases(fsys fs.FS, name string, cat *vehicle.Catalog) ([]*Case, error) {
	l := loader{fsys: fsys, dir: path.Dir(name)}
	n := l.yaml(path.Base(name))
	if n == nil {
		return nil, l.sorted()
	}
	cases := l.cases(n)
	empty := &Set{Lexicon: &Lexicon{entries: map[string]*Entry{}}}
	c := newChecker(cat, empty.Lexicon)
	for _, cs := range cases {
		c.testCase(empty, cs)
	}
	l.problems = append(l.problems, c.problems...)
	if len(l.problems) > 0 {
		return nil, l.sorted()
	}
	return cases, nil
}
