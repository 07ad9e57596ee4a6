// SPDX-License-Identifier: Apache-2.0

package lint

import "github.com/carguardd/carguardd/rules"

var duplicateTest = &Analyzer{
	Name:  "duplicate-test",
	Doc:   "two tests of one file with the same name",
	Help:  "Rename one: reports and rules explain name tests.",
	Level: Warning,
	Run: func(p *Pass) {
		type key struct{ file, name string }
		first := map[key]*rules.Case{}
		for _, c := range p.Set.Cases {
			k := key{c.Pos.File, c.Name}
			if f := first[k]; f != nil {
				x := p.report(nil, c.Pos, "rename one of the two", "test %q is there twice", c.Name)
				x.Related = append(x.Related, Related{f.Pos, "the first one"})
				continue
			}
			first[k] = c
		}
	},
}
