// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/rules/bench"
)

func newRulesBench() *cobra.Command {
	var f ruleFlags
	var count int
	var plot string
	cmd := &cobra.Command{
		Use:   "bench [BUNDLE]",
		Short: "measure what rules cost",
		Long: "Measures loading and compiling the bundle, judging a draft of four calls by it,\n" +
			"and how both grow: with the number of rules, on sets generated for the profile,\n" +
			"and with the length of the history.",
		Example: "  carguardd rules bench builtin:in-car\n  carguardd rules bench --count 101 --plot docs/rules-bench.svg my-bundle",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if count < 1 {
				return usageError("--count %d: at least 1", count)
			}
			bundle := bundleArg(args)
			_, cat, err := f.load(bundle)
			if err != nil {
				return err
			}
			fsys, dir, err := place(bundle)
			if err != nil {
				return err
			}
			begin := time.Now()
			rep, err := bench.Run(func() time.Duration { return time.Since(begin) }, count, fsys, dir, cat)
			if err != nil {
				return failed(err)
			}
			if plot != "" {
				var b bytes.Buffer
				if err := bench.Plot(&b, &rep); err != nil {
					return err
				}
				if err := os.WriteFile(plot, b.Bytes(), 0o644); err != nil {
					return err
				}
			}
			if f.asJSON {
				return writeJSON(cmd.OutOrStdout(), rep)
			}
			return rep.Write(cmd.OutOrStdout())
		},
	}
	f.add(cmd)
	cmd.Flags().IntVar(&count, "count", 51, "how often each figure is measured")
	cmd.Flags().StringVar(&plot, "plot", "", "draw the growth as SVG into this file")
	return cmd
}
