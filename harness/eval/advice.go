// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"strings"

	"github.com/carguardd/carguardd/harness"
)

// AdviceRow is how often an advisory gate would have something put to a
// critic. Counts are of runs, Fired is of findings.
type AdviceRow struct {
	Gate   string `json:"gate"`
	InTime int    `json:"in_time"` // failed runs in which it fired at or before the blame step
	Right  int    `json:"right"`   // of them those in which it is about what failed
	Late   int    `json:"late"`    // failed runs in which it only fired after it
	Passed int    `json:"passed"`  // passed runs in which it fired: a critic has to discard it there
	Fired  int    `json:"fired"`
}

// advise holds what the advisory gates found on a step against the outcome. An
// advisory is about what failed if a hard finding in its place would be right:
// one that withholds the calls it is about, or that changes the reply.
func (r *Replayed) advise(k *Kit, step int, found []harness.Finding) {
	j := &judge{k: k, sc: r.scene, passed: r.Passed, blame: r.Blame, step: step}
	calls := r.scene.Steps[step].Calls
	for i := range found {
		f := newFound(r.scene, step, 0, &found[i], calls)
		as := found[i]
		if as.Action = harness.Say; len(as.Subjects) > 0 {
			as.Action = harness.Block
		}
		if f.Verdict, f.Why = Harmless, ""; !r.Passed {
			f.Verdict, f.Why = j.verdict(&as, calls)
		}
		r.Advised = append(r.Advised, f)
	}
}

// AdviceTable sums up the advisories of the runs that fit, one row for each
// advisory gate.
func AdviceTable(runs []*Replayed, fits func(*Replayed) bool) []AdviceRow {
	var out []AdviceRow
	for _, g := range harness.Gates() {
		if g.Tier != harness.Advisory {
			continue
		}
		row := AdviceRow{Gate: g.Name}
		for _, r := range runs {
			if !fits(r) {
				continue
			}
			has := map[Verdict]bool{}
			for i := range r.Advised {
				if r.Advised[i].Gate == g.Name {
					has[r.Advised[i].Verdict] = true
					row.Fired++
				}
			}
			switch {
			case has[Harmless]:
				row.Passed++
			case has[Right]:
				row.InTime++
				row.Right++
			case has[Beside]:
				row.InTime++
			case has[Late]:
				row.Late++
			}
		}
		out = append(out, row)
	}
	return out
}

// writeAdvice writes both tables as one of the documentation.
func writeAdvice(b *strings.Builder, r *ReplayReport) {
	b.WriteString("\n## Advisory gates\n\nWhat they find is put to a critic, a model, and counts only when that confirms it; no figure above holds it. " +
		"The counts are those of above, first in the runs without harness, then in those of other harnesses; *right* is about the call or reply that failed. " +
		"In passed runs a critic has to discard what it is asked.\n\n" +
		"| gate | in time | right | late | passed | findings | in time | right | late | passed | findings |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	for i, a := range r.Advisory {
		o := r.AdvisoryOthers[i]
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d |\n", a.Gate, a.InTime, a.Right, a.Late, a.Passed, a.Fired,
			o.InTime, o.Right, o.Late, o.Passed, o.Fired)
	}
}
