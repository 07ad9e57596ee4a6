// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/region"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

// Level says how sure a finding is to be a fault.
type Level string

// The levels.
const (
	Error   Level = "error"
	Warning Level = "warning"
)

// Analyzer is one check.
type Analyzer struct {
	Name  string // kebab-case, as findings and the manual name it
	Doc   string // one sentence: what it reports
	Help  string // what to do about it
	Level Level
	Run   func(*Pass)
}

// Finding is one thing that an analyzer reports.
type Finding struct {
	Analyzer string
	Level    Level
	Rule     string // id, or empty
	Pos      vehicle.Pos
	Text     string // lower case, what is wrong
	Hint     string // what to do
	Related  []Related
}

// Related is another place that a finding speaks of.
type Related struct {
	Pos  vehicle.Pos
	Text string
}

// String is the line that people read.
func (f Finding) String() string {
	s := fmt.Sprintf("%s: %s: %s [%s]", f.Pos, f.Level, f.Text, f.Analyzer)
	if f.Hint != "" {
		s += " (" + f.Hint + ")"
	}
	return s
}

// Pass is what an analyzer looks at, and where it reports to.
type Pass struct {
	Set     *rules.Set
	Catalog *vehicle.Catalog

	tests    *rulestest.Report
	ways     map[wayKey][]region.Way
	analyzer *Analyzer
	findings []Finding
}

type wayKey struct {
	rule    *rules.Rule
	moments region.Moments
}

// Run applies the analyzers to a set, which must have been loaded against the
// catalog. The findings are in the order of their places.
func Run(set *rules.Set, cat *vehicle.Catalog, analyzers []*Analyzer) []Finding {
	p := &Pass{Set: set, Catalog: cat, ways: map[wayKey][]region.Way{}}
	for _, a := range analyzers {
		p.analyzer = a
		a.Run(p)
	}
	slices.SortStableFunc(p.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), a.Pos.Line-b.Pos.Line, a.Pos.Col-b.Pos.Col, cmp.Compare(a.Analyzer, b.Analyzer))
	})
	return p.findings
}

// Tests is what came of the bundle's tests, played to the plain judge once.
func (p *Pass) Tests() *rulestest.Report {
	if p.tests == nil {
		rep := rulestest.Run(p.Set, p.Catalog, rulestest.Plain{})
		p.tests = &rep
	}
	return p.tests
}

// Ways are the ways in which a rule applies; none when there are too many to
// decide anything.
func (p *Pass) Ways(r *rules.Rule, m region.Moments) []region.Way {
	key := wayKey{r, m}
	w, done := p.ways[key]
	if !done {
		w, _ = region.Of(p.Catalog, r, m)
		p.ways[key] = w
	}
	return w
}

// report adds a finding about a rule, or about none.
func (p *Pass) report(r *rules.Rule, pos vehicle.Pos, hint, format string, args ...any) *Finding {
	f := Finding{Analyzer: p.analyzer.Name, Level: p.analyzer.Level, Pos: pos, Hint: hint, Text: fmt.Sprintf(format, args...)}
	if r != nil {
		f.Rule = r.ID
	}
	p.findings = append(p.findings, f)
	return &p.findings[len(p.findings)-1]
}

// and names another rule that the finding speaks of.
func (f *Finding) and(r *rules.Rule) {
	f.Related = append(f.Related, Related{r.Pos, "rule " + r.ID})
}
