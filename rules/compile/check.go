// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"errors"
	"io/fs"
	"path"
	"slices"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/lint"
	"github.com/carguardd/carguardd/vehicle"
)

// certain are the checks of lint that say a rule cannot be right, whoever
// wrote it and whether it has tests or not.
func certain() []*lint.Analyzer {
	var out []*lint.Analyzer
	for _, name := range []string{"duplicate-id", "out-of-range", "never-matches", "conflict", "remedy-violates", "remedy-loop", "wildcard-matches-nothing"} {
		out = append(out, lint.Named(name))
	}
	return out
}

// base is the bundle below, without compiled rules and without tests: tests
// may name rules that are not there yet.
func (o *Options) base(files map[string][]byte) Overlay {
	over := map[string][]byte{o.file(): nil}
	entries, _ := fs.ReadDir(o.below(), path.Join(o.Dir, "rules")) // there may be none yet
	for _, e := range entries {
		if isTest, _ := path.Match("*_test.yaml", e.Name()); isTest {
			over["rules/"+e.Name()] = nil
		}
	}
	for name, data := range files {
		over[name] = data
	}
	return Overlay{Below: o.Bundle, Dir: o.Dir, Files: over}
}

func (o *Options) below() fs.FS {
	if o.Bundle == nil {
		return Overlay{}
	}
	return o.Bundle
}

func (o *Options) file() string {
	if o.File == "" {
		return File
	}
	return o.File
}

// check says what is wrong with the last rule of a result. The error means
// that the bundle itself cannot be read.
func (c *compiler) check(r *Result) (problems []string, err error) {
	last := &r.Rules[len(r.Rules)-1]
	files, err := r.files(&c.o, c.base.Manifest.Languages)
	if err != nil {
		return []string{err.Error()}, nil
	}
	set, err := rules.Load(c.o.base(files), c.o.Dir, c.o.Catalog)
	var ps vehicle.Problems
	switch {
	case errors.As(err, &ps):
		for _, p := range ps {
			text := p.Text
			if p.Hint != "" {
				text += " (" + p.Hint + ")"
			}
			if !slices.Contains(problems, text) {
				problems = append(problems, text)
			}
		}
		return problems, nil
	case err != nil:
		return nil, err
	}
	problems = unsaid(set.Rule(last.ID), c.o.Catalog)
	for _, f := range lint.Run(set, c.o.Catalog, c.certain) {
		if f.Rule != last.ID && !slices.ContainsFunc(f.Related, func(x lint.Related) bool { return x.Text == "rule "+last.ID }) {
			continue
		}
		problems = append(problems, f.Text+" ["+f.Analyzer+"]")
	}
	return problems, nil
}
