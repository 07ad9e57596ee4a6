// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/cmd/carguardd/doctor"
	"github.com/carguardd/carguardd/harness/store"
)

func newDoctor() *cobra.Command {
	var file string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "what works here and what does not",
		Long: "Looks at the machine and, with --config, at everything that the configuration\n" +
			"names, and says what to do about what does not work. It changes nothing and\n" +
			"sends nothing. The exit code is 1 when a check failed.",
		Example: "  carguardd doctor --config /etc/carguardd/carguardd.yaml\n  carguardd doctor --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r := doctor.Run(cmd.Context(), file, doctor.Env{Getenv: os.Getenv, Now: time.Now, Built: builtAt(), Root: "/",
				CANSocket: doctor.CANSocket, Free: store.FreeSpace})
			var err error
			if asJSON {
				err = writeJSON(cmd.OutOrStdout(), r)
			} else {
				err = r.Write(cmd.OutOrStdout())
			}
			if err == nil && !r.OK {
				err = errors.New("a check failed")
			}
			return err
		},
	}
	cmd.Flags().StringVar(&file, "config", "", "configuration file of the daemon")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// builtAt is the time of the revision this program was built from, zero when
// the build does not say.
func builtAt() time.Time {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return time.Time{}
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.time" {
			at, _ := time.Parse(time.RFC3339, s.Value) // zero when it is no time
			return at
		}
	}
	return time.Time{}
}
