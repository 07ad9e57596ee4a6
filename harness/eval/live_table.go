// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Write prints the report for people. With long set every trial that did not
// pass, or nearly did not, is listed.
func (r *LiveReport) Write(w io.Writer, long bool) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%d tasks, %d trials of each, the driver is %s\n", r.Tasks, r.Trials, r.Driver)
	if len(r.LeftOut) > 0 {
		fmt.Fprintf(b, "%d tasks left out: %s\n", len(r.LeftOut), oneLine(strings.Join(r.LeftOut, ", "), 300))
	}
	if r.CutShort != "" {
		fmt.Fprintf(b, "cut short: %s\n", r.CutShort)
	}
	for i := range r.Setups {
		r.Setups[i].write(b, long)
	}
	if len(r.Compared) > 0 {
		fmt.Fprintf(b, "\npass rate by task, the second minus the first, with 95 %% of the resamples\n")
		t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "first\tsecond\tcategory\ttasks\tdifference\tfrom\tto\tbetter in")
		for _, c := range r.Compared {
			iv := c.Interval
			fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%+.3f\t%+.3f\t%+.3f\t%.0f %%\n", c.From, c.To, named(c.Category), c.Tasks, iv.Diff, iv.Low, iv.High, 100*iv.Better)
		}
		t.Flush()
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func named(category string) string {
	if category == "" {
		return "all"
	}
	return category
}

func (s *SetupRun) write(b *strings.Builder, long bool) {
	fmt.Fprintf(b, "\n%s\n", s.Name)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	head := []string{"category", "tasks", "passed"}
	for k := range s.All.PassAll {
		head = append(head, fmt.Sprintf("pass^%d", k+1))
	}
	for k := range s.All.PassAny {
		if k > 0 { // pass@1 is pass^1
			head = append(head, fmt.Sprintf("pass@%d", k+1))
		}
	}
	head = append(head, "near misses", "broken", "turns", "calls/turn", "tokens in", "out/turn", "s/turn", "refused/turn")
	fmt.Fprintln(t, strings.Join(head, "\t"))
	for _, sum := range append([]Summary{s.All}, s.By...) {
		l := []string{named(sum.Category), itoa(sum.Tasks), fmt.Sprintf("%d of %d", sum.Passed, sum.Trials)}
		for _, p := range sum.PassAll {
			l = append(l, fmt.Sprintf("%.3f", p))
		}
		for k, p := range sum.PassAny {
			if k > 0 {
				l = append(l, fmt.Sprintf("%.3f", p))
			}
		}
		l = append(l, percent(sum.NearMiss), itoa(sum.Broken), itoa(sum.Turns), fmt.Sprintf("%.2f", sum.ModelCalls), fmt.Sprintf("%.0f", sum.InputTokens),
			fmt.Sprintf("%.0f", sum.OutputTokens), fmt.Sprintf("%.2f", sum.Seconds), fmt.Sprintf("%.2f", sum.Refused))
		fmt.Fprintln(t, strings.Join(l, "\t"))
	}
	t.Flush()
	if !long {
		return
	}
	for _, x := range s.Results {
		if x.Passed && len(x.Near) == 0 {
			continue
		}
		fmt.Fprintf(b, "  %s trial %d: ", x.Task, x.Trial)
		if x.Passed {
			fmt.Fprintf(b, "passed; a near miss: %s\n", strings.Join(x.Near, ", "))
			continue
		}
		fmt.Fprintf(b, "lost %s", strings.Join(x.Lost, ", "))
		if x.Broken != "" {
			fmt.Fprintf(b, ": %s", oneLine(x.Broken, 200))
		}
		fmt.Fprintln(b)
	}
}
