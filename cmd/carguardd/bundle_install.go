// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/rules/bundle"
)

func newBundleInstall() *cobra.Command {
	var f unitFlags
	var from string
	cmd := &cobra.Command{
		Use:   "install",
		Short: "take the newest bundle of a repository up",
		Long: "Looks at a repository, verifies it from the root that the unit trusts, and takes\n" +
			"its newest bundle through every stage: downloaded, verified, tested here, staged,\n" +
			"and active between two turns, on probation. Whatever is not right rejects it,\n" +
			"with the reason, and what was in force still is.",
		Example: "  carguardd bundle install\n  carguardd bundle install --from /media/usb\n  carguardd bundle install --from https://ota.example/head-unit",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if from != "" && !strings.Contains(from, "://") {
				abs, err := filepath.Abs(from) // the daemon has a folder of its own
				if err != nil {
					return failed(err)
				}
				from = abs
			}
			return f.with(cmd.Context(), false, func(u unit) error {
				out, err := u.InstallBundle(cmd.Context(), from)
				if err != nil {
					return err
				}
				if f.asJSON {
					return writeJSON(cmd.OutOrStdout(), out)
				}
				_, err = fmt.Fprintln(cmd.OutOrStdout(), installed(out))
				return err
			})
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&from, "from", "", "the repository: a URL, or a folder (default bundles.source of the configuration)")
	return cmd
}

// installed says what came of an install.
func installed(o bundle.Outcome) string {
	s := fmt.Sprintf("nothing newer than %s revision %d", o.Name, o.Revision)
	switch o.Stage {
	case bundle.Active:
		s = fmt.Sprintf("%s revision %d is active, on probation: %s of its own and %s of the floor passed", o.Name, o.Revision, plural(o.Tests, "test"), plural(o.Floor, "test"))
	case bundle.Staged:
		s = fmt.Sprintf("%s revision %d is staged: %s of its own and %s of the floor passed", o.Name, o.Revision, plural(o.Tests, "test"), plural(o.Floor, "test"))
	}
	if o.Note != "" {
		s += "; " + o.Note
	}
	return s
}
