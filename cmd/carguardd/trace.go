// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/cmd/carguardd/show"
)

func newTrace() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "trace",
		Short: "what past turns did",
		Long: "Shows the turns of the journal. A running daemon is asked on its socket; when\n" +
			"there is none, or with --state-dir, its store is read. Nothing is changed.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var from traceFlags
	f := cmd.PersistentFlags()
	f.StringVar(&from.socket, "socket", defaultSocket, "the daemon's socket")
	f.StringVar(&from.stateDir, "state-dir", "", "read the store in this folder; "+defaultStateDir+" when no daemon runs")
	f.StringVar(&from.keyFile, "key-file", "", "the file with the key of an encrypted store")
	cmd.AddCommand(newTraceList(&from), newTraceShow(&from))
	return cmd
}

func newTraceList(from *traceFlags) *cobra.Command {
	var n int
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "the newest turns, one a line",
		Example: "  carguardd trace list -n 5\n  carguardd trace list --json --state-dir /var/lib/carguardd",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if n < 1 || n > 1000 {
				return usageError("-n %d: want a number from 1 to 1000", n)
			}
			src, err := from.open(cmd.Context())
			if err != nil {
				return err
			}
			defer src.close()
			turns, err := src.list(cmd.Context(), n)
			if err != nil {
				return err
			}
			if !asJSON {
				return listTurns(cmd.OutOrStdout(), turns)
			}
			for _, t := range turns {
				if err := writeLine(cmd.OutOrStdout(), t); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().IntVarP(&n, "count", "n", 20, "how many turns")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document per line")
	return cmd
}

// listTurns prints a table of turns. Times are local.
func listTurns(w io.Writer, turns []api.Summary) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, t := range turns {
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\n", show.Clean(t.ID), t.Started.Local().Format("2006-01-02 15:04:05"), t.Outcome, oneLine(t.Utterance))
	}
	return tw.Flush()
}

// oneLine shortens a text to what fits beside others.
func oneLine(s string) string {
	const most = 60
	s = show.Clean(s)
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

func newTraceShow(from *traceFlags) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "everything that one turn did",
		Long: "Shows the utterance, each draft, the findings against it with their evidence,\n" +
			"the repairs, the frames that left, the status frames that came back and the\n" +
			"reply.",
		Example: "  carguardd trace show default-7\n  carguardd trace show default-7 --json",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			src, err := from.open(cmd.Context())
			if err != nil {
				return err
			}
			defer src.close()
			t, err := src.turn(cmd.Context(), args[0])
			if err != nil {
				return withHint(err, "'carguardd trace list' names the turns that are kept")
			}
			out := cmd.OutOrStdout()
			if asJSON {
				return writeJSON(out, t)
			}
			_, err = fmt.Fprintf(out, "%s  %s  rules %s  student %s  took %v\n\n", show.Clean(t.ID), t.Started.Local().Format("2006-01-02 15:04:05"),
				show.Clean(t.Rules), show.Clean(t.Student), t.Ended.Sub(t.Started).Round(1e6))
			if err != nil {
				return err
			}
			return show.Turn(out, t, nil)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the turn as one JSON document (docs/turn.schema.json)")
	return cmd
}
