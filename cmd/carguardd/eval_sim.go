// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/spf13/cobra"
)

func newEvalSim() *cobra.Command {
	var o evalOutput
	cmd := &cobra.Command{
		Use:   "sim DIR",
		Short: "does the simulated car give the recorded results and verdicts",
		Long: "Replays every recorded call on the simulated car and compares results, final and\n" +
			"spoken states, tool subset, tool errors and automatic policy verdicts with the\n" +
			"record. Every difference is listed with its reason.",
		Example: "  carguardd eval sim ../shared/carbench",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := loadCorpus(args[0])
			if err != nil {
				return err
			}
			rep, err := c.CompareSim(cmd.Context(), progress(cmd.ErrOrStderr(), "sim"))
			if err != nil {
				return err
			}
			return o.write(cmd, "sim", rep, rep.Figures, rep.Write)
		},
	}
	o.flags(cmd)
	return cmd
}
