// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/harness/eval"
	"github.com/carguardd/carguardd/testdata"
)

func newEval() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "measure the harness on recorded runs",
		Long: "Measures the harness on a folder of recorded conversations of real models:\n" +
			"tasks.jsonl, trajectories.jsonl, tools.json, policy.md, mockdata/ and, when it\n" +
			"is there, blame.jsonl.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newEvalSim(), newEvalReplay(), newEvalDrive(), newEvalRun())
	return cmd
}

// loadCorpus reads a folder of recorded runs.
func loadCorpus(dir string) (*eval.Corpus, error) {
	c, err := eval.Load(os.DirFS(dir))
	if err != nil {
		return nil, withHint(fmt.Errorf("%s: %w", dir, err), "the folder must hold tasks.jsonl, trajectories.jsonl, tools.json, policy.md and mockdata/")
	}
	return c, nil
}

// loadKit reads a folder of recorded runs and the domain that judges them.
func loadKit(dir string) (*eval.Kit, error) {
	c, err := loadCorpus(dir)
	if err != nil {
		return nil, err
	}
	return eval.NewKit(eval.Domain{Files: testdata.FS, Profile: testdata.DemoEV, Bundle: testdata.InCarBundle, Language: "en"}, c)
}

// progress tells how far a long run is, at most once a second.
func progress(w io.Writer, what string) func(done, of int) {
	last := time.Now()
	return func(done, of int) {
		if now := time.Now(); now.Sub(last) >= time.Second {
			last = now
			fmt.Fprintf(w, "%s: %d of %d\n", what, done, of)
		}
	}
}
