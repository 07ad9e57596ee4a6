// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

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
	Error       string           `json:"error,omitempty"` // why the file could not be read at all
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
				doc := checkDBC(path, strict)
				if !doc.Clean {
					bad++
				}
				if asJSON {
					if err := writeLine(out, doc); err != nil {
						return err
					}
					continue
				}
				for _, d := range doc.Diagnostics {
					fmt.Fprintln(out, d)
				}
				if doc.Error != "" {
					fmt.Fprintln(out, doc.Error)
					continue
				}
				fmt.Fprintf(out, "%s: %s, %s, %s\n", path, plural(doc.Messages, "message"), plural(doc.Signals, "signal"), plural(len(doc.Diagnostics), "diagnostic"))
			}
			if bad > 0 {
				return fmt.Errorf("%d of %s not clean", bad, plural(len(args), "file"))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document per file and line")
	cmd.Flags().BoolVar(&strict, "strict", false, "count warnings as errors")
	return cmd
}

// checkDBC reads one file. The files after one that cannot be read are looked
// at too.
func checkDBC(path string, strict bool) *checkDoc {
	doc := &checkDoc{File: path, Diagnostics: []dbc.Diagnostic{}}
	db, err := dbc.Load(path, dbc.Options{})
	if err != nil {
		doc.Error = err.Error()
		return doc
	}
	doc.Clean = true
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
	return doc
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
