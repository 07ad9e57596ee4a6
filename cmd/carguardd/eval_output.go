// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/harness/eval"
)

// evalOutput is how an evaluation is printed.
type evalOutput struct {
	asJSON bool
	junit  string
	floor  string
}

func (o *evalOutput) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&o.asJSON, "json", false, "print everything as one JSON document")
	f.StringVar(&o.junit, "junit", "", "write the figures as JUnit XML to this file too")
	f.StringVar(&o.floor, "floor", "", "fail when a figure is worse than in this file")
}

// write prints a report, writes its figures for CI, and holds them against
// the floor.
func (o *evalOutput) write(cmd *cobra.Command, name string, doc any, figures []eval.Figure, table func(io.Writer) error) error {
	var floor eval.Floor
	if o.floor != "" {
		raw, err := os.ReadFile(o.floor)
		if err != nil {
			return withHint(err, "eval writes no floor by itself; see testdata/eval/floor.json")
		}
		if floor, err = eval.ParseFloor(raw); err != nil {
			return configError(fmt.Errorf("%s: %w", o.floor, err))
		}
	}
	if o.junit != "" {
		if err := os.WriteFile(o.junit, eval.JUnit("eval "+name, figures, floor), 0o644); err != nil {
			return err
		}
	}
	var err error
	if o.asJSON {
		err = writeJSON(cmd.OutOrStdout(), doc)
	} else {
		err = table(cmd.OutOrStdout())
	}
	if err != nil {
		return err
	}
	return floor.Hold(figures)
}
