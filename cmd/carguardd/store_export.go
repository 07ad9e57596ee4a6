// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/harness/store"
	"github.com/carguardd/carguardd/harness/store/journal"
)

func newStoreExport(from *storeFlags) *cobra.Command {
	var out, backup string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "write everything that is kept, one JSON document a line",
		Long: "Writes every record of the journal, oldest first, and then the ask ledgers, one\n" +
			"JSON document a line; where records are missing a line says so. With --backup\n" +
			"it makes a copy of the store instead, in a new folder, that a daemon can be\n" +
			"started on. The export is not encrypted; a backup is, with the same key.",
		Example: "  carguardd store export --state-dir /var/lib/carguardd --out journal.jsonl\n" +
			"  carguardd store export --config /etc/carguardd/carguardd.yaml --backup /media/carguardd-backup",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out != "" && backup != "" {
				return usageError("--out and --backup do not go together")
			}
			dir, o, err := from.options()
			if err != nil {
				return err
			}
			if backup != "" {
				n, err := store.Backup(cmd.Context(), dir, backup, o)
				if err == nil {
					_, err = fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d entries\n", backup, n)
				}
				return storeHint(err)
			}
			if out == "" {
				_, err := exportStore(cmd.Context(), dir, o, cmd.OutOrStdout())
				return storeHint(err)
			}
			n, err := exportFile(cmd.Context(), dir, o, out)
			if err == nil {
				_, err = fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d records\n", out, n)
			}
			return storeHint(err)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write to this file, which must not be there; standard output when left out")
	cmd.Flags().StringVar(&backup, "backup", "", "make a copy of the store in this folder, which must not be there")
	return cmd
}

// exportFile exports to a new file, for the owner's eyes alone.
func exportFile(ctx context.Context, dir string, o store.Options, name string) (records int, err error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	records, err = exportStore(ctx, dir, o, f)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		err = errors.Join(err, os.Remove(name))
	}
	return records, err
}

func exportStore(ctx context.Context, dir string, o store.Options, w io.Writer) (records int, err error) {
	o.ReadOnly = !store.WasRunning(dir)
	if !o.ReadOnly {
		if _, err := os.Stat(dir); err != nil {
			return 0, err
		}
	}
	s, err := store.Open(dir, o)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	j, err := journal.Open(s)
	if err != nil {
		return 0, err
	}
	b := bufio.NewWriter(w)
	records, err = j.Export(ctx, b)
	return records, errors.Join(err, b.Flush())
}
