// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"os"
	"sync"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/harness/eval"
)

// timingPasses is how often every verification is measured; the best counts.
const timingPasses = 5

func newEvalReplay() *cobra.Command {
	var o evalOutput
	var long, fast bool
	var gates string
	cmd := &cobra.Command{
		Use:   "replay DIR",
		Short: "what the gates find on every recorded step",
		Long: "Runs the gates over every recorded step with the history up to it, and holds\n" +
			"each finding against the step at which the run was lost, or against what it\n" +
			"would have changed in a run that passed. Every wrong finding is listed.",
		Example: "  carguardd eval replay ../shared/carbench\n  carguardd eval replay --json ../shared/carbench > replay.json",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			k, err := loadKit(args[0])
			if err != nil {
				return err
			}
			rep, err := eval.Replay(cmd.Context(), k, k.Corpus.Runs, locked(progress(cmd.ErrOrStderr(), "replay")))
			if err != nil {
				return err
			}
			if !fast {
				t, err := eval.Time(cmd.Context(), k, k.Corpus.Runs, timingPasses, progress(cmd.ErrOrStderr(), "timing pass"))
				if err != nil {
					return err
				}
				rep.Timing = &t
				rep.Figures = append(rep.Figures, t.Figures()...)
			}
			if gates != "" {
				if err := os.WriteFile(gates, eval.GatesDoc(rep), 0o644); err != nil {
					return err
				}
			}
			return o.write(cmd, "replay", rep, rep.Figures, func(w io.Writer) error { return rep.Write(w, long) })
		},
	}
	f := cmd.Flags()
	o.flags(cmd)
	f.StringVar(&gates, "gates", "", "write the gate table as Markdown to this file too")
	f.BoolVar(&long, "long", false, "print what was said and called where a run was lost")
	f.BoolVar(&fast, "no-timing", false, "do not measure how long verification takes")
	return cmd
}

// locked lets several runs report their progress at once.
func locked(f func(done, of int)) func(done, of int) {
	var mu sync.Mutex
	return func(done, of int) {
		mu.Lock()
		defer mu.Unlock()
		f(done, of)
	}
}
