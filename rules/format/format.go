// SPDX-License-Identifier: Apache-2.0

package format

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// Width is the number of letters that a line has at most when it could be
// broken.
const Width = 140

// settles bounds how often a file is laid out: a comment that came to stand
// elsewhere may let a value onto one line.
const settles = 5

// ErrMeaning is returned, wrapped, when the layout would change what the file
// says: a fault of this package. The file must stay as it is then.
var ErrMeaning = errors.New("the layout would change what the file says")

// Source lays a file of a bundle out. Its name says what it is: rules/X.yaml,
// rules/X_test.yaml, lexicon/LANGUAGE.yaml or manifest.yaml. The error is a
// [vehicle.Problems] when the file is no YAML, or has no keys.
func Source(name string, data []byte) (out []byte, err error) {
	before, ps := vehicle.ParseYAML(name, data)
	if err := ps.Err(); err != nil {
		return nil, err
	}
	if v := before.Value(); v.Known() && v.Kind() != vehicle.Object {
		return nil, vehicle.Problems{{Pos: vehicle.Pos{File: name, Line: 1, Col: 1}, Text: "no file of a bundle: it has no keys with values"}}
	}
	_, comments, err := parse(name, data)
	if err != nil {
		return nil, err
	}
	for range settles {
		last := data
		root, cs, err := parse(name, data)
		if err != nil {
			return nil, err
		}
		w := &writer{source: strings.Split(string(data), "\n"), comments: cs}
		w.file(root, shapeOf(name))
		if data = []byte(w.out.String()); bytes.Equal(data, last) {
			break
		}
	}
	after, ps := vehicle.ParseYAML(name, data)
	if ps.Err() != nil || !after.Value().Equal(before.Value()) {
		return nil, fmt.Errorf("%s: %w", name, ErrMeaning)
	}
	_, kept, err := parse(name, data)
	if err != nil || !sameComments(comments, kept) {
		return nil, fmt.Errorf("%s: comments: %w", name, ErrMeaning)
	}
	return data, nil
}

// shapeOf names what a file holds by its name.
func shapeOf(name string) string {
	base := path.Base(name)
	switch {
	case base == "manifest.yaml":
		return "manifest"
	case path.Base(path.Dir(name)) == "lexicon":
		return "lexicon"
	case strings.HasSuffix(base, "_test.yaml"):
		return "tests"
	}
	return "rules"
}

func sameComments(a, b []comment) bool {
	count := map[string]int{}
	for _, c := range a {
		count[c.text]++
	}
	for _, c := range b {
		count[c.text]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}
