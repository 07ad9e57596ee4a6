// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"strings"

	"github.com/carguardd/carguardd/harness"
)

// GatesDoc is the gate table as a page of documentation. It holds nothing
// that differs from one machine to another, so that a change of it is a
// change of the gates.
func GatesDoc(r *ReplayReport) []byte {
	b := &strings.Builder{}
	b.WriteString("<!-- written by make eval; do not edit -->\n\n# The gates, measured\n\n")
	fmt.Fprintf(b, "Measured on %d recorded runs of real models, %d turns and %d steps of the assistant. "+
		"How a finding is judged right or wrong is in the comment of package harness/eval.\n\n", r.Runs, r.Turns, r.Steps)
	b.WriteString("| figure | is | bar |\n|---|---|---|\n")
	for i := range r.Figures {
		f := &r.Figures[i]
		if f.Unit == "µs" {
			continue
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", f.Name, f.String(), f.BarText())
	}
	fmt.Fprintf(b, "\nDemanded reads in the runs without harness: %d in %d turns, %d of them not made by the student itself in that turn. "+
		"One was right in %d failed runs, one was demanded in time in %d, and one was demanded in %d passed runs.\n",
		r.Reads.Demanded, r.Reads.Turns, r.Reads.Extra, r.Reads.Right, r.Reads.InTime, r.Reads.Passed)
	b.WriteString("\n## What each gate is about\n\n| gate | tier | about |\n|---|---|---|\n")
	for _, g := range harness.Gates() {
		fmt.Fprintf(b, "| %s | %s | %s |\n", g.Name, g.Tier, g.Doc)
	}
	b.WriteString("\n## What each was worth\n\n" +
		"Counts are of runs. *In time*: failed runs in which it fired at or before the step at which the run was lost; *right*: of them those in which " +
		"it touched what failed; *late*: it only fired later; *passed*: passed runs in which it fired; *wrong*: of them those in which a write or reply would have " +
		"been changed. *Fired* is the precision of firing at all, in time of in time and passed; *precision* is right of right and wrong. " +
		"*Lost* and *saved* is what taking the gate away costs in failed and saves in passed runs. The shares are of all findings in failed and in passed runs.\n")
	for _, t := range []struct {
		name string
		rows []GateRow
	}{{"Runs without harness", r.Plain}, {"Runs of other harnesses", r.Others}} {
		fmt.Fprintf(b, "\n### %s\n\n| gate | does | in time | right | late | passed | wrong | fired | precision | lost | saved | findings | share failed | share passed |\n", t.name)
		b.WriteString("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
		for _, g := range t.rows {
			fmt.Fprintf(b, "| %s | %s | %d | %d | %d | %d | %d | %s | %s | %d | %d | %d | %s | %s |\n", g.Gate, g.Kind, g.InTime, g.Right, g.Late, g.Passed, g.Wrong,
				precision(g.FiringPrecision), precision(g.Precision), g.LostRight, g.SavedWrong, g.Fired, percent(g.ShareFailed), percent(g.SharePassed))
		}
	}
	writeAdvice(b, r)
	writeClasses(b, r.Wrong)
	return []byte(b.String())
}

// writeClasses lists the wrong findings by what they have in common.
func writeClasses(b *strings.Builder, wrong []Found) {
	b.WriteString("\n## Wrong findings by mechanism\n\n| gate | does | rule | why | runs | for example |\n|---|---|---|---|---|---|\n")
	for _, c := range Classes(wrong) {
		rule := c.Rule
		if rule == "" {
			rule = "–"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %d | %s |\n", c.Gate, c.Action, rule, c.Why, c.Runs, strings.Join(c.Examples, ", "))
	}
}
