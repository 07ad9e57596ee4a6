// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/harness/store"
)

// compactReport is the document of `store compact --json`.
type compactReport struct {
	Dir       string `json:"dir"`
	Before    int64  `json:"before_bytes"`
	After     int64  `json:"after_bytes"`
	Encrypted bool   `json:"encrypted"`
}

func newStoreCompact(from *storeFlags) *cobra.Command {
	var newKey string
	var decrypt, asJSON bool
	cmd := &cobra.Command{
		Use:   "compact",
		Short: "write the store anew, without what was deleted",
		Long: "Writes the store anew beside the old files and puts it in their place in one\n" +
			"step, when everything is on the disk. It needs as much room as the store takes.\n" +
			"With --new-key-file it is encrypted with that key from then on, with --decrypt\n" +
			"no longer. Flash memory may hold what the old files said for some time.",
		Example: "  carguardd store compact --state-dir /var/lib/carguardd\n" +
			"  carguardd store compact --config /etc/carguardd/carguardd.yaml --new-key-file new-key",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if decrypt && newKey != "" {
				return usageError("--decrypt and --new-key-file do not go together")
			}
			dir, o, err := from.options()
			if err != nil {
				return err
			}
			key := o.Key
			switch {
			case decrypt:
				key = nil
			case newKey != "":
				if key, err = store.ReadKey(newKey); err != nil {
					return err
				}
			}
			r := compactReport{Dir: dir, Encrypted: key != nil}
			if _, err := os.Stat(dir); err != nil {
				return storeHint(fmt.Errorf("open store: %w", err))
			}
			if r.Before, err = store.Usage(dir); err == nil {
				if err = store.Compact(cmd.Context(), dir, o, key); err == nil {
					r.After, err = store.Usage(dir)
				}
			}
			if err != nil {
				return storeHint(err)
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), r)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %d kB, was %d kB\n", dir, r.After>>10, r.Before>>10)
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&newKey, "new-key-file", "", "the file with the key it is to have from now on")
	f.BoolVar(&decrypt, "decrypt", false, "leave it without encryption")
	f.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
