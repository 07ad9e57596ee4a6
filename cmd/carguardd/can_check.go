// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/canbus/dbc"
)

// checkDoc is the document of `can check --json`, one per file.
type checkDoc struct {
	File        string           `json:"file"`
	Messages    int              `json:"messages"`
	Signals     int              `json:"signals"`
	Diagnostics []dbc.Diagnostic `json:"diagnostics"`
	Clean       bool             `json:"clean"`
}

func newCANCheck() *cobra.Command {
	var asJSON, strict bool
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "say what is wrong with DBC files",
		Long: "Says what of a DBC file was repaired, ignored or cannot be used, with\n" +
			"file:line:col. Exits with 1 when something cannot be used; with --strict\n" +
			"everything but notes counts.",
		Example: "  carguardd can check body.dbc\n  carguardd can check --strict --json *.dbc",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			out := cmd.OutOrStdout()
			bad := 0
			for _, path := range args {
				doc, err := checkDBC(path, strict)
				if err != nil {
					return err
				}
				if !doc.Clean {
					bad++
				}
				if asJSON {
					if err := writeJSON(out, doc); err != nil {
						return err
					}
					continue
				}
				for _, d := range doc.Diagnostics {
					fmt.Fprintln(out, d)
				}
				fmt.Fprintf(out, "%s: %d messages, %d signals, %d diagnostics\n", path, doc.Messages, doc.Signals, len(doc.Diagnostics))
			}
			if bad > 0 {
				return fmt.Errorf("%d of %d files are not clean", bad, len(args))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON document per file")
	cmd.Flags().BoolVar(&strict, "strict", false, "count warnings as errors")
	return cmd
}

func checkDBC(path string, strict bool) (*checkDoc, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	doc := &checkDoc{File: path, Diagnostics: []dbc.Diagnostic{}, Clean: true}
	db, err := dbc.Parse(path, data, dbc.Options{})
	if err != nil {
		return nil, fmt.Errorf("check %s: %w", path, err)
	}
	doc.Messages = len(db.Messages)
	for _, m := range db.Messages {
		doc.Signals += len(m.Signals)
	}
	for _, d := range db.Diagnostics {
		doc.Diagnostics = append(doc.Diagnostics, d)
		if d.Severity == dbc.Error || strict && d.Severity == dbc.Warning {
			doc.Clean = false
		}
	}
	return doc, nil
}
