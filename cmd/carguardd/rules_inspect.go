// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/rules/bundle/archive"
)

func newRulesInspect() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "inspect FILE",
		Short: "show what is in an archive",
		Long: "Reads an archive, checks that it is whole and in its one form, and prints its\n" +
			"manifest. Who signed it is not in the archive: 'bundle repo inspect' shows that.",
		Example: "  carguardd rules inspect in-car-2.cgb\n  carguardd rules inspect --json in-car-2.cgb",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := archive.Read(args[0])
			if err != nil {
				return failed(err)
			}
			a, err := archive.Open(data)
			if err != nil {
				return failed(fmt.Errorf("%s: %w", args[0], err))
			}
			doc := buildDoc{args[0], a.Digest(), len(data), &a.Manifest}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), doc)
			}
			return doc.write(cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func (d *buildDoc) write(w io.Writer) error {
	m := d.Manifest
	or := func(s, other string) string {
		if s == "" {
			return other
		}
		return s
	}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, row := range [][2]string{
		{"bundle", fmt.Sprintf("%s revision %d", m.Name, m.Revision)},
		{"version", or(m.Version, "-")},
		{"description", or(m.Description, "-")},
		{"sha256", d.SHA256},
		{"length", fmt.Sprintf("%d bytes", d.Length)},
		{"daemon", or(m.MinDaemon, "any") + " to " + or(m.MaxDaemon, "any")},
		{"hardware", or(strings.Join(m.Hardware, ", "), "any")},
		{"languages", strings.Join(m.Languages, ", ")},
		{"catalogue", strings.Join(m.Catalogues, "\n\t")},
		{"content", plural(m.Rules, "rule") + ", " + plural(m.Tests, "test")},
	} {
		fmt.Fprintf(t, "%s\t%s\n", row[0], row[1])
	}
	for _, name := range slices.Sorted(maps.Keys(m.Files)) {
		fmt.Fprintf(t, "file\t%s  %d bytes  %s\n", name, m.Files[name].Length, m.Files[name].SHA256[:16])
	}
	return t.Flush()
}
