// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Write prints the report for people. With long set every missed run is
// printed with what was said.
func (r *ReplayReport) Write(w io.Writer, long bool) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%d runs, %d turns, %d steps\n\n", r.Runs, r.Turns, r.Steps)
	writeFigures(b, r.Figures)
	fmt.Fprintf(b, "\ndemanded reads: %d in %d turns, %d of them extra; right in %d failed runs, in time in %d, demanded in %d passed runs\n",
		r.Reads.Demanded, r.Reads.Turns, r.Reads.Extra, r.Reads.Right, r.Reads.InTime, r.Reads.Passed)
	fmt.Fprintf(b, "\nruns without harness\n")
	writeGates(b, r.Plain)
	fmt.Fprintf(b, "\nruns of other harnesses\n")
	writeGates(b, r.Others)
	fmt.Fprintf(b, "\nadvisory gates: what a critic would be asked\n")
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "gate\tin time\tright\tlate\tpassed\tfindings\tothers in time\tright\tlate\tpassed\tfindings")
	for i, a := range r.Advisory {
		o := r.AdvisoryOthers[i]
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", a.Gate, a.InTime, a.Right, a.Late, a.Passed, a.Fired, o.InTime, o.Right, o.Late, o.Passed, o.Fired)
	}
	t.Flush()
	if t := r.Timing; t != nil {
		fmt.Fprintf(b, "\nverification over %d steps, best of %d passes: median %v, p95 %v, longest %v (%s)\n", t.Steps, t.Passes, t.Median, t.P95, t.Max, t.Worst)
	}
	r.writeWrong(b)
	r.writeMissed(b, long)
	if len(r.NoBlame) > 0 {
		fmt.Fprintf(b, "\n%d failed runs of which the record does not say why: %s\n", len(r.NoBlame), strings.Join(r.NoBlame, ", "))
	}
	fmt.Fprintf(b, "\nblame steps that another opinion sees elsewhere: %d\n", len(r.Blames))
	for _, d := range r.Blames {
		fmt.Fprintf(b, "  %s: message %d, the other says %d: %s\n", d.Run, d.Ours.Message, d.Theirs, d.Explain)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeFigures(b *strings.Builder, l []Figure) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "figure\tis\tbar\t")
	for i := range l {
		met := ""
		if !l[i].Met() {
			met = "missed"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", l[i].Name, l[i].String(), l[i].BarText(), met)
	}
	t.Flush()
}

func writeGates(b *strings.Builder, rows []GateRow) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "gate\tkind\tin time\tright\tlate\tpassed\twrong\tprecision fired\tprecision\tlost without\tsaved without\tfindings\tshare failed\tshare passed")
	for _, g := range rows {
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t%d\t%d\t%d\t%s\t%s\n", g.Gate, g.Kind, g.InTime, g.Right, g.Late, g.Passed, g.Wrong,
			precision(g.FiringPrecision), precision(g.Precision), g.LostRight, g.SavedWrong, g.Fired, percent(g.ShareFailed), percent(g.SharePassed))
	}
	t.Flush()
}

func precision(p float64) string {
	if p < 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f", p)
}

func percent(f float64) string { return fmt.Sprintf("%.0f %%", 100*f) }

func (r *ReplayReport) writeWrong(b *strings.Builder) {
	fmt.Fprintf(b, "\nwrong findings: %d, by mechanism:\n", len(r.Wrong))
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, c := range Classes(r.Wrong) {
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%d runs\t%s\n", c.Gate, c.Action, c.Rule, c.Why, c.Runs, strings.Join(c.Examples, " "))
	}
	t.Flush()
	fmt.Fprintln(b)
	for i := range r.Wrong {
		f := &r.Wrong[i]
		rule := f.Rule
		if rule == "" {
			rule = "–"
		}
		on := strings.Join(f.On, ", ")
		if on == "" {
			on = "the reply"
		}
		fmt.Fprintf(b, "  %s %s message %d pass %d: %s %s, rule %s, on %s\n      %s\n", f.Run, f.Task, f.Message, f.Pass, f.Gate, f.Action, rule, on, f.Why)
		fmt.Fprintf(b, "      %s\n", oneLine(f.Note, 300))
		for _, m := range f.Remedy {
			fmt.Fprintf(b, "      remedy: %s\n", oneLine(m, 300))
		}
	}
}

func (r *ReplayReport) writeMissed(b *strings.Builder, long bool) {
	fmt.Fprintf(b, "\nfailed runs without harness and without a right hard finding: %d\n", len(r.Missed))
	class := ""
	for i := range r.Missed {
		m := &r.Missed[i]
		if m.Class != class {
			class = m.Class
			n := 0
			for _, o := range r.Missed {
				if o.Class == class {
					n++
				}
			}
			fmt.Fprintf(b, "  %s: %d (gates that look at it: %s)\n", class, n, strings.Join(m.Gates, ", "))
		}
		read := ""
		if m.Read {
			read = ", but a demanded read was right"
		}
		fmt.Fprintf(b, "    %s %s lost at message %d%s\n", m.Run, m.Task, m.Blame.Message, read)
		for _, f := range m.Blame.Faults {
			fmt.Fprintf(b, "        %s at %d: %s %s\n", f.Component, f.Message, oneLine(f.Why, 200), strings.Join(f.Signals, " "))
		}
		if long {
			fmt.Fprintf(b, "        called %s; said %q\n", strings.Join(m.Calls, ", "), oneLine(m.Said, 400))
		}
	}
}

func oneLine(s string, most int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return s
}
