// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/rules/bundle"
	"github.com/carguardd/carguardd/rules/bundle/repo"
)

func newBundle() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bundle",
		Short: "take rules up over the air, and publish them",
		Long: "On a unit: install, status, pin, unpin, rollback and history speak to the daemon\n" +
			"that runs, or work on its store when --config names one that does not. For a\n" +
			"vendor: repo keeps a signed repository (docs/bundles.md).\n\n" +
			"Exit codes: 0 done, 1 the operation failed, 2 the command line is wrong, 3 the\n" +
			"rules were not good enough, 4 refused by signature or version.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBundleInstall(), newBundleStatus(), newBundleHistory(), newBundlePin(), newBundleUnpin(), newBundleRollback(), newBundleRepo())
	return cmd
}

// exitRefused is for a bundle, or a repository, that was refused by signature
// or version.
const exitRefused = 4

// bundleError gives an error its exit code.
func bundleError(err error) error {
	var rejected *bundle.RejectedError
	var low *repo.RevisionError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &rejected) && rejected.Content():
		return &exitError{code: exitFindings, err: err}
	case errors.Is(err, repo.ErrRole):
		return usageError("%w", err)
	case errors.As(err, &rejected), errors.As(err, &low):
		return &exitError{code: exitRefused, err: err}
	}
	return failed(err)
}
