// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/spf13/cobra"
)

// newRoot builds the command tree. Every verb has its own file.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "carguardd",
		Short:         "a language model proposes, a deterministic harness decides what reaches the car",
		Version:       version,
		SilenceErrors: true, // report prints them
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return &exitError{code: exitUsage, err: err, hints: []string{"see '" + cmd.CommandPath() + " --help'"}}
	})
	root.AddCommand(newEval(), newBench(), newRun(), newFailsafe(), newSay(), newCAN(), newTrace(), newStore(), newRules(), newBundle(), newFields(), newGate(), newDoctor(), newVersion())
	wrapUsage(root)
	return root
}

// wrapUsage makes wrong arguments a usage error on every verb.
func wrapUsage(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(c *cobra.Command, args []string) error {
			if err := check(c, args); err != nil {
				return &exitError{code: exitUsage, err: err, hints: []string{"see '" + c.CommandPath() + " --help'"}}
			}
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		wrapUsage(sub)
	}
}
