// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"io"
	"strings"
)

// DriveReport is what would have come of recorded runs under the harness.
type DriveReport struct {
	Runs    int       `json:"runs"`
	Figures []Figure  `json:"figures"`
	Turns   int       `json:"turns"`
	Reads   int       `json:"reads"`
	Extra   int       `json:"extra"`
	Driven  []*Driven `json:"driven"`
}

func newDriveReport(l []*Driven) *DriveReport {
	rep := &DriveReport{Runs: len(l), Driven: l}
	count := func(plain bool, ch Change) float64 {
		n := 0.0
		for _, d := range l {
			if d.Plain == plain && d.Change == ch {
				n++
			}
		}
		return n
	}
	others, lost, whole := false, 0.0, 0.0
	for _, d := range l {
		rep.Turns += d.Turns
		rep.Reads, rep.Extra = rep.Reads+d.Reads, rep.Extra+d.Extra
		others = others || !d.Plain
		if d.Plain && len(d.Lost) > 0 {
			lost++
		}
		if d.Plain && d.Change == Recovered && len(d.Else) == 0 {
			whole++
		}
	}
	rep.Figures = []Figure{
		{Key: "drive-recovered", Name: "runs without harness recovered", Value: count(true, Recovered), Unit: "runs", Bar: 8},
		{Key: "drive-broken", Name: "runs without harness broken", Value: count(true, Broken), Unit: "runs", Bar: 0, Most: true},
		{Key: "drive-recovered-whole", Name: "… recovered, and not lost by a judge or the driver too", Value: whole, Unit: "runs", Free: true},
		{Key: "drive-unscored-lost", Name: "passed runs without a scored state that lose a gold write", Value: lost, Unit: "runs", Most: true},
	}
	if rep.Turns > 0 {
		rep.Figures = append(rep.Figures, Figure{Key: "drive-reads", Name: "reads that the harness makes a turn", Value: float64(rep.Reads) / float64(rep.Turns), Bar: 0.7, Most: true},
			Figure{Key: "drive-extra-reads", Name: "… and the student did not make in that turn", Value: float64(rep.Extra) / float64(rep.Turns), Bar: 0.7, Most: true})
	}
	if others {
		rep.Figures = append(rep.Figures,
			Figure{Key: "drive-others-recovered", Name: "runs of other harnesses recovered", Value: count(false, Recovered), Unit: "runs", Free: true},
			Figure{Key: "drive-others-broken", Name: "runs of other harnesses broken", Value: count(false, Broken), Unit: "runs", Most: true, Free: true})
	}
	return rep
}

// Write prints the report for people. With long set runs that merely changed
// their way are printed too.
func (rep *DriveReport) Write(w io.Writer, long bool) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%d runs, %d turns, %d reads made by the harness\n\n", rep.Runs, rep.Turns, rep.Reads)
	writeFigures(b, rep.Figures)
	for _, ch := range []Change{Broken, Recovered, Unchanged} {
		n := 0
		for _, d := range rep.Driven {
			if d.Change == ch {
				n++
			}
		}
		fmt.Fprintf(b, "\n%s: %d\n", ch, n)
		for _, d := range rep.Driven {
			if d.Change == ch && (len(d.Lost) > 0 || ch != Unchanged || long && d.touched()) {
				d.write(b)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// touched reports whether the harness did anything to the run.
func (d *Driven) touched() bool {
	return len(d.Why)+len(d.Withheld)+len(d.Questions)+len(d.Repairs) > 0
}

func (d *Driven) write(b *strings.Builder) {
	fmt.Fprintf(b, "  %s %s\n", d.Run, d.Task)
	for _, w := range d.Why {
		fmt.Fprintf(b, "      %s\n", oneLine(w, 300))
	}
	if len(d.Else) > 0 {
		fmt.Fprintf(b, "      the record lost it by %v too\n", d.Else)
	}
	if len(d.Lost) > 0 {
		fmt.Fprintf(b, "      gold writes that are no longer made: %s\n", strings.Join(d.Lost, ", "))
	}
	for _, h := range d.Withheld {
		fmt.Fprintf(b, "      withheld %s: %s %s: %s\n", oneLine(h.Call.Canonical(), 160), h.Gate, h.Rule, oneLine(h.Reason, 200))
	}
	for _, q := range d.Questions {
		fmt.Fprintf(b, "      asked %q, answered %q by %s\n", oneLine(q.Question, 200), oneLine(q.Answer, 100), q.By)
	}
	for _, r := range d.Repairs {
		fmt.Fprintf(b, "      repair: %s\n", oneLine(r, 200))
	}
	if d.Unused > 0 {
		fmt.Fprintf(b, "      %d recorded drafts were never proposed\n", d.Unused)
	}
}
