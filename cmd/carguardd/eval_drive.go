// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/harness/eval"
	"github.com/carguardd/carguardd/vehicle/sim"
)

func newEvalDrive() *cobra.Command {
	var o evalOutput
	var long, all bool
	cmd := &cobra.Command{
		Use:   "drive DIR",
		Short: "what would have come of recorded runs with the harness around the student",
		Long: "Plays recorded runs again with the full harness: the recorded student proposes\n" +
			"its recorded drafts, the recorded driver says what was recorded, and the part of\n" +
			"the score that code can give is computed again. A question of the harness is\n" +
			"answered by the next recorded words where the student asked at that point too,\n" +
			"else by a scripted one by the gold calls: yes, no, an option or the values asked for.",
		Example: "  carguardd eval drive ../shared/carbench",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			k, err := loadKit(args[0])
			if err != nil {
				return err
			}
			runs := k.Corpus.Runs
			if !all {
				runs = slices.DeleteFunc(slices.Clone(runs), func(r sim.Run) bool { return !eval.Plain(&r) })
			}
			rep, err := eval.Drive(cmd.Context(), k, runs, locked(progress(cmd.ErrOrStderr(), "drive")))
			if err != nil {
				return err
			}
			return o.write(cmd, "drive", rep, rep.Figures, func(w io.Writer) error { return rep.Write(w, long) })
		},
	}
	o.flags(cmd)
	cmd.Flags().BoolVar(&all, "all", false, "runs of other harnesses too")
	cmd.Flags().BoolVar(&long, "long", false, "print unchanged runs in which the harness did something too")
	return cmd
}
