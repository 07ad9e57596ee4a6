// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/rules/bundle"
)

func newBundleStatus() *cobra.Command {
	var f unitFlags
	cmd := &cobra.Command{
		Use:     "status",
		Short:   "say which rules are in force, and what is under way",
		Example: "  carguardd bundle status\n  carguardd bundle status --config carguardd.yaml --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.with(cmd.Context(), true, func(u unit) error {
				s, err := u.BundleStatus(cmd.Context())
				if err != nil {
					return err
				}
				if f.asJSON {
					return writeJSON(cmd.OutOrStdout(), s)
				}
				return writeBundleStatus(cmd.OutOrStdout(), s)
			})
		},
	}
	f.add(cmd)
	return cmd
}

func writeBundleStatus(w io.Writer, s bundle.Status) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	row := func(name, format string, args ...any) { fmt.Fprintf(t, "%s\t%s\n", name, fmt.Sprintf(format, args...)) }
	at := func(when time.Time) string { return when.UTC().Format(time.RFC3339) }
	stage := map[string]string{"factory": "came with the daemon", string(bundle.Active): "on probation", string(bundle.Good): "good"}[s.Stage]
	if p := s.Probation; p != nil {
		stage += fmt.Sprintf(", %s and %v so far", plural(p.Turns, "turn"), p.Time.Round(time.Second))
	}
	row("in force", "%s revision %d (%s)", s.Name, s.ActiveRevision, stage)
	if s.SHA256 != "" {
		row("sha256", "%s", s.SHA256)
		row("factory", "revision %d", s.FactoryRevision)
	}
	if s.Previous != nil {
		row("before", "revision %d", s.Previous.Revision)
	}
	if c := s.Candidate; c != nil {
		row("under way", "revision %d, %s, from %s", c.Revision, c.Stage, c.From)
	}
	if s.Pinned > 0 {
		row("pinned", "nothing above revision %d", s.Pinned)
	}
	if s.Source != "" {
		row("source", "%s", s.Source)
	}
	if !s.LastRequest.IsZero() {
		row("last look", "%s", at(s.LastRequest))
	}
	if s.Message != "" {
		row("refused", "%s", strings.ReplaceAll(s.Message, "\n", "; "))
	}
	return t.Flush()
}

func newBundleHistory() *cobra.Command {
	var f unitFlags
	var n int
	cmd := &cobra.Command{
		Use:     "history",
		Short:   "list what happened to bundles, the newest first",
		Example: "  carguardd bundle history\n  carguardd bundle history -n 100 --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if n < 1 || n > 1000 {
				return usageError("--count %d: want a number from 1 to 1000", n)
			}
			return f.with(cmd.Context(), true, func(u unit) error {
				records, err := u.BundleHistory(cmd.Context(), n)
				if err != nil {
					return err
				}
				if f.asJSON {
					return writeJSON(cmd.OutOrStdout(), map[string]any{"history": records})
				}
				t := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 8, 2, ' ', 0)
				for _, r := range records {
					what := r.To
					if r.Revision > 0 {
						what = fmt.Sprintf("%s revision %d %s", r.Name, r.Revision, r.To)
					}
					fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", r.Time.Format(time.RFC3339), what, r.By, strings.ReplaceAll(r.Reason, "\n", "; "))
				}
				return t.Flush()
			})
		},
	}
	f.add(cmd)
	cmd.Flags().IntVarP(&n, "count", "n", 20, "how many")
	return cmd
}
