// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// Write prints the figures as a table, budgets beside those that have one.
func (r *Report) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, part := range []struct {
		title, unit string
		figures     []Figure
	}{
		{"the bundle", "rules", r.Bundle},
		{"200 generated rules", "rules", r.Set200},
		{"with the number of rules", "rules", r.Rules},
		{"with the length of the history, 200 rules", "calls", r.History},
	} {
		fmt.Fprintf(t, "%s\t%s\tmedian\tp95\tbudget\n", part.title, part.unit)
		for _, f := range part.figures {
			budget := ""
			if f.Budget > 0 {
				budget = f.Budget.String()
			}
			fmt.Fprintf(t, "  %s\t%d\t%s\t%s\t%s\n", f.Name, f.N, short(f.Median), short(f.P95), budget)
		}
	}
	return t.Flush()
}

// short keeps three digits of a time.
func short(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d >= 1000*unit {
		unit *= 10
	}
	return d.Round(unit)
}
