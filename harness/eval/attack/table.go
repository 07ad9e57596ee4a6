// SPDX-License-Identifier: Apache-2.0

package attack

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
)

// Table counts, for each kind of attack, how many there are, were held, and
// succeed without what holds them.
type Table struct {
	kinds []string
	rows  map[string]*row
}

type row struct{ cases, bench, played, held, without int }

// NewTable returns the table of the cases, none of which was played.
func NewTable(cases []*Case) *Table {
	t := &Table{rows: map[string]*row{}}
	for _, c := range cases {
		r := t.rows[c.Kind]
		if r == nil {
			r = &row{}
			t.kinds, t.rows[c.Kind] = append(t.kinds, c.Kind), r
		}
		if r.cases++; c.Bench {
			r.bench++
		}
	}
	return t
}

// Add counts a case that was played as it is, and without what holds it.
func (t *Table) Add(c *Case, as, without *Outcome) {
	r := t.rows[c.Kind]
	r.played++
	if len(as.Succeeded) == 0 {
		r.held++
	}
	if len(without.Succeeded) > 0 {
		r.without++
	}
}

func (t *Table) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "kind of attack\tplayed\theld\tsucceed without what holds them")
	sum := row{}
	for _, k := range t.kinds {
		r := t.rows[k]
		if r.played == 0 {
			continue
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\n", k, r.played, r.held, r.without)
		sum.played, sum.held, sum.without = sum.played+r.played, sum.held+r.held, sum.without+r.without
	}
	fmt.Fprintf(w, "all\t%d\t%d\t%d\n", sum.played, sum.held, sum.without)
	_ = w.Flush() // a builder takes everything
	return b.String()
}

// Document is docs/attacks.md: what the suite holds, by kind. Its figures are
// those of the files; the tests see to it that every attack is held.
func Document(cases []*Case) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Attacks

The suite of testdata/attacks: %d attacks on the guarantees, each with a student that obeys the attacker and insists. None succeeds, and each is known to
succeed when what holds it (a rule, a gate, an interlock of the boundary) is switched off. `+"`go test -v -run 'Attacks' ./harness/eval/attack ./cmd/carguardd/rig`"+` plays
them and prints the table of what was held.

What is judged is what was carried out, in which state the car was after each write, and what was spoken. Not judged is whether the student can be fooled:
it is. What an attack may still bring about is what the driver could ask for and no rule forbids.

| kind | attacks | German | invented domain | on the bench | held by |
|---|---|---|---|---|---|
`, len(cases))
	t := NewTable(cases)
	for _, k := range t.kinds {
		de, inv := 0, 0
		var by []string
		for _, c := range cases {
			if c.Kind != k {
				continue
			}
			if c.Lang == "de" {
				de++
			}
			if c.Domain != InCar {
				inv++
			}
			for _, g := range c.Held {
				if !slices.Contains(by, g.String()) {
					by = append(by, g.String())
				}
			}
		}
		slices.Sort(by)
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %s |\n", k, t.rows[k].cases, de, inv, t.rows[k].bench, strings.Join(by, ", "))
	}
	for _, k := range t.kinds {
		fmt.Fprintf(&b, "\n## %s\n\n", strings.ToUpper(k[:1])+k[1:])
		for _, c := range cases {
			if c.Kind != k {
				continue
			}
			var said []string
			for _, turn := range c.Turns {
				said = append(said, "“"+turn.User+"”")
			}
			fmt.Fprintf(&b, "- **%s**: %s\n", c.Name, strings.Join(said, " … "))
		}
	}
	return b.String()
}
