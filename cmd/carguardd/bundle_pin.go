// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
)

func newBundlePin() *cobra.Command {
	var f unitFlags
	cmd := &cobra.Command{
		Use:   "pin [REVISION]",
		Short: "keep newer bundles out",
		Long: "Keeps bundles above a revision out, above the active one when none is given, until\n" +
			"'bundle unpin'. It never goes back to an older bundle; a daemon that comes with\n" +
			"a newer one ends it.",
		Example: "  carguardd bundle pin\n  carguardd bundle pin 12",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			revision := 0
			if len(args) > 0 {
				var err error
				if revision, err = strconv.Atoi(args[0]); err != nil || revision < 1 {
					return usageError("%q is no revision: want a number from 1", args[0])
				}
			}
			return f.with(cmd.Context(), false, func(u unit) error {
				n, err := u.PinBundle(cmd.Context(), revision)
				if err != nil {
					return err
				}
				if f.asJSON {
					return writeJSON(cmd.OutOrStdout(), map[string]int{"pinned": n})
				}
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "pinned: nothing above revision %d is taken up\n", n)
				return err
			})
		},
	}
	f.add(cmd)
	return cmd
}

func newBundleUnpin() *cobra.Command {
	return unitVerb("unpin", "let newer bundles in again", "Ends what 'bundle pin' began.", "  carguardd bundle unpin",
		func(cmd *cobra.Command, u unit) error { return u.UnpinBundle(cmd.Context()) })
}

func newBundleRollback() *cobra.Command {
	return unitVerb("rollback", "go back to the bundle before",
		"Makes the bundle before the active one the one in force, or the one that came with\nthe daemon. The bundle that is left does not come again; a higher revision does.",
		"  carguardd bundle rollback",
		func(cmd *cobra.Command, u unit) error { return u.RollBackBundle(cmd.Context()) })
}

// unitVerb is a verb that does one thing and then says what is in force.
func unitVerb(name, short, long, example string, do func(*cobra.Command, unit) error) *cobra.Command {
	var f unitFlags
	cmd := &cobra.Command{
		Use: name, Short: short, Long: long, Example: example, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.with(cmd.Context(), false, func(u unit) error {
				if err := do(cmd, u); err != nil {
					return err
				}
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
