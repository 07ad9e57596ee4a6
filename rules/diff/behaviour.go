// SPDX-License-Identifier: Apache-2.0

package diff

import (
	"path"
	"slices"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

// Shift is a turn of a test that comes to something else with the new rules.
type Shift struct {
	Case  string   `json:"case"`
	Place string   `json:"place"`
	Turn  int      `json:"turn"` // from 1
	Gone  []string `json:"gone,omitempty"`
	Come  []string `json:"come,omitempty"`
}

// Behaviour is what two sets do in the tests of both.
type Behaviour struct {
	Tests   int      `json:"tests"` // played to both
	Shifts  []Shift  `json:"shifts"`
	Skipped []string `json:"skipped,omitempty"` // tests that one of the sets cannot play
}

// Behave plays the tests of both sets to both, and compares what comes of
// them. Of two tests with one name in files of one name the new one is
// played.
func Behave(was, is *rules.Set, cat *vehicle.Catalog, j rulestest.Judge) Behaviour {
	out := Behaviour{Shifts: []Shift{}}
	cases := slices.Clone(is.Cases)
	have := map[[2]string]bool{}
	for _, c := range is.Cases {
		have[key(c)] = true
	}
	for _, c := range was.Cases {
		if !have[key(c)] {
			cases = append(cases, c)
		}
	}
	for _, c := range cases {
		if !speaks(was, c) || !speaks(is, c) {
			out.Skipped = append(out.Skipped, c.Pos.String()+": "+c.Name)
			continue
		}
		out.Tests++
		a, b := rulestest.Play(was, cat, j, c), rulestest.Play(is, cat, j, c)
		for i := range max(len(a.Turns), len(b.Turns)) {
			x, y := lines(a.Turns, i), lines(b.Turns, i)
			if slices.Equal(x, y) {
				continue
			}
			s := Shift{Case: c.Name, Place: c.Pos.String(), Turn: i + 1, Gone: less(x, y), Come: less(y, x)}
			if s.Gone == nil && s.Come == nil { // the same in another order
				s.Gone, s.Come = x, y
			}
			out.Shifts = append(out.Shifts, s)
		}
	}
	return out
}

func key(c *rules.Case) [2]string { return [2]string{path.Base(c.Pos.File), c.Name} }

// lines are those of a turn; of one that could not be played none.
func lines(turns []rulestest.Outcome, i int) []string {
	if i >= len(turns) {
		return []string{"cannot be played"}
	}
	return turns[i].Lines()
}

func less(a, b []string) []string {
	var out []string
	for _, l := range a {
		if !slices.Contains(b, l) {
			out = append(out, l)
		}
	}
	return out
}

// speaks reports whether the set's lexicon has the words that a test uses.
func speaks(set *rules.Set, c *rules.Case) bool {
	words := slices.Clone(c.Prefers)
	for _, t := range c.Turns {
		words = append(words, t.Wants...)
	}
	return !slices.ContainsFunc(words, func(w string) bool { return set.Lexicon.Entry(w) == nil })
}
