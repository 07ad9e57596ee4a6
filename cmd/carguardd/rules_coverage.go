// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/rules/coverage"
)

func newRulesCoverage() *cobra.Command {
	var f ruleFlags
	var threshold float64
	cmd := &cobra.Command{
		Use:   "coverage [BUNDLE]",
		Short: "say what becomes of each sentence of the policy",
		Long: "Lists policy.md sentence by sentence: executable by which rules, advisory and\n" +
			"why, or not covered. With --threshold it exits with 3 when fewer sentences, in\n" +
			"percent, are executable or advisory.",
		Example: "  carguardd rules coverage builtin:in-car\n  carguardd rules coverage --threshold 100 my-bundle",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkPercent("--threshold", threshold); err != nil {
				return err
			}
			set, _, err := f.load(bundleArg(args))
			if err != nil {
				return err
			}
			rep := coverage.Of(set)
			if f.asJSON {
				err = writeJSON(cmd.OutOrStdout(), rep)
			} else {
				err = writeCoverage(cmd.OutOrStdout(), &rep)
			}
			if err == nil && rep.Decided() < threshold {
				err = findingsError("%.1f percent of the sentences are decided, less than %g", rep.Decided(), threshold)
			}
			return err
		},
	}
	f.add(cmd)
	cmd.Flags().Float64Var(&threshold, "threshold", 0, "percent of sentences that must be executable or advisory")
	return cmd
}

func writeCoverage(w io.Writer, rep *coverage.Report) error {
	for _, s := range rep.Sentences {
		what := string(s.Status)
		switch {
		case s.Rules != nil:
			what += " by " + strings.Join(s.Rules, ", ")
		case s.Why != "":
			what += ": " + s.Why
		}
		if _, err := fmt.Fprintf(w, "policy.md:%d: %s\n  %s\n", s.Line, s.Text, what); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%s: %d executable, %d advisory, %d not covered\n", plural(len(rep.Sentences), "sentence"), rep.Executable, rep.Advisory, rep.NotCovered)
	return err
}
