// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/fields"
)

func newFields() *cobra.Command {
	var f ruleFlags
	var bundle string
	cmd := &cobra.Command{
		Use:   "fields [PATTERN]",
		Short: "list everything that a rule may name",
		Long: "Lists signals with type, unit, range and the tools that read and write them;\n" +
			"tools with arguments, results and items; tags; the surroundings; left sides,\n" +
			"comparisons and units; and with --bundle the words of its lexicon. PATTERN, such\n" +
			"as 'window_*', chooses by name; that nothing has such a name is exit code 1.",
		Example: "  carguardd fields\n  carguardd fields 'window_*'\n  carguardd fields --profile greenhouse --bundle builtin:greenhouse --json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cat, err := f.catalog(bundle)
			if err != nil {
				return err
			}
			var set *rules.Set
			if bundle != "" {
				if set, _, err = f.load(bundle); err != nil {
					return err
				}
			}
			pattern := ""
			if len(args) > 0 {
				pattern = args[0]
			}
			l, err := fields.Of(cat, set).Filter(pattern)
			if err != nil {
				return usageError("%w", err)
			}
			if l.Empty() {
				return fmt.Errorf("nothing has a name like %q: 'carguardd fields' lists every name", pattern)
			}
			if f.asJSON {
				return writeJSON(cmd.OutOrStdout(), l)
			}
			return l.Write(cmd.OutOrStdout())
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&bundle, "bundle", "", "list the words of this bundle's lexicon too")
	return cmd
}
