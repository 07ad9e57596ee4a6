// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/lint"
	"github.com/carguardd/carguardd/vehicle"
)

// rulesCheckDoc is the document of `rules check --json`.
type rulesCheckDoc struct {
	Bundle   string       `json:"bundle"`
	Revision int          `json:"revision,omitempty"`
	Rules    int          `json:"rules"`
	Tests    int          `json:"tests"`
	Problems []problemDoc `json:"problems"`
}

func newRulesCheck() *cobra.Command {
	var f ruleFlags
	var strict bool
	cmd := &cobra.Command{
		Use:   "check [BUNDLE]",
		Short: "say whether a bundle loads",
		Long: "Reads a bundle and checks every name, unit, type and constant in its rules and\n" +
			"tests against the profile. Everything that is wrong is listed. With --strict\n" +
			"what lint is certain about counts too.",
		Example: "  carguardd rules check my-bundle\n  carguardd rules check --strict --profile car.yaml my-bundle",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := bundleArg(args)
			cat, err := f.catalog(name)
			if err != nil {
				return err
			}
			fsys, dir, err := place(name)
			if err != nil {
				return err
			}
			set, err := rules.Load(fsys, dir, cat)
			doc := rulesCheckDoc{Bundle: name}
			var ps vehicle.Problems
			switch {
			case errors.As(err, &ps):
			case err != nil:
				return err
			default:
				doc.Bundle, doc.Revision, doc.Rules, doc.Tests = set.Manifest.Name, set.Manifest.Revision, len(set.Rules), len(set.Cases)
				if strict {
					ps = certain(set, cat)
				}
			}
			doc.Problems = problemDocs(ps)
			out := cmd.OutOrStdout()
			if f.asJSON {
				if err := writeJSON(out, doc); err != nil {
					return err
				}
			} else {
				for _, p := range ps {
					fmt.Fprintln(out, p)
				}
			}
			if len(ps) > 0 {
				return findingsError("%s: %s", name, plural(len(ps), "problem"))
			}
			if !f.asJSON {
				fmt.Fprintf(out, "%s revision %d: %s, %s\n", doc.Bundle, doc.Revision, plural(doc.Rules, "rule"), plural(doc.Tests, "test"))
			}
			return nil
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&strict, "strict", false, "count what lint is certain about")
	return cmd
}

// certain are the findings of lint that are errors, but those of the checks to
// be left out.
func certain(set *rules.Set, cat *vehicle.Catalog, but ...string) vehicle.Problems {
	var out vehicle.Problems
	analyzers := slices.DeleteFunc(lint.Analyzers(), func(a *lint.Analyzer) bool { return slices.Contains(but, a.Name) })
	for _, x := range lint.Run(set, cat, analyzers) {
		if x.Level == lint.Error {
			out = append(out, vehicle.Problem{Pos: x.Pos, Text: x.Text + " [" + x.Analyzer + "]", Hint: x.Hint})
		}
	}
	return out
}
