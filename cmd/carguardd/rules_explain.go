// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/explain"
	"github.com/carguardd/carguardd/vehicle"
)

func newRulesExplain() *cobra.Command {
	var f ruleFlags
	var name, rule string
	cmd := &cobra.Command{
		Use:   "explain [BUNDLE] --case NAME",
		Short: "show why rules did what they did in a test",
		Long: "Plays one test and shows, for every rule that looked at a call or reply, each\n" +
			"condition with the value that it found and where that comes from, the signals\n" +
			"that the rule looks at (seen, before the call, after the draft), and what it\n" +
			"demands. A draft that was repaired is shown before and after.",
		Example: "  carguardd rules explain builtin:in-car --case 'the shade goes before the roof' --rule 005",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if name == "" {
				return usageError("--case is needed: the name of a test")
			}
			set, cat, err := f.load(bundleArg(args))
			if err != nil {
				return err
			}
			if rule != "" && set.Rule(rule) == nil {
				var ids []string
				for _, r := range set.Rules {
					ids = append(ids, r.ID)
				}
				return unknownName("rule "+rule, vehicle.Suggest(rule, ids), "'rules test --cover' names every rule")
			}
			cases, err := casesNamed(set, name)
			if err != nil {
				return err
			}
			for i, c := range cases {
				rep := explain.Case(set, cat, c, rule)
				if f.asJSON {
					err = writeJSON(cmd.OutOrStdout(), rep)
				} else {
					if i > 0 {
						fmt.Fprintln(cmd.OutOrStdout())
					}
					err = rep.Write(cmd.OutOrStdout())
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&name, "case", "", "name of the test (needed)")
	cmd.Flags().StringVar(&rule, "rule", "", "only this rule")
	return cmd
}

// casesNamed are the tests of that name: several files may have one.
func casesNamed(set *rules.Set, name string) ([]*rules.Case, error) {
	var out []*rules.Case
	var all []string
	for _, c := range set.Cases {
		all = append(all, c.Name)
		if c.Name == name {
			out = append(out, c)
		}
	}
	if out == nil {
		return nil, unknownName(fmt.Sprintf("test %q", name), vehicle.Suggest(name, all), "'rules test -v' names every test")
	}
	return out, nil
}
