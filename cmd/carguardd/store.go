// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/harness/store"
)

func newStore() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "store",
		Short: "look after the folder where the daemon keeps its state",
		Long: "Works on the folder of a store while no daemon runs on it: journal and ask\n" +
			"ledger, or one that the daemon moved aside. A running daemon has its store for\n" +
			"itself; 'carguardd trace' asks it.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var from storeFlags
	f := cmd.PersistentFlags()
	f.StringVar(&from.config, "config", "", "the daemon's configuration, which names folder and key")
	f.StringVar(&from.stateDir, "state-dir", "", "the folder; "+defaultStateDir+" without a configuration")
	f.StringVar(&from.keyFile, "key-file", "", "the file with the key of an encrypted store")
	cmd.AddCommand(newStoreCheck(&from), newStoreExport(&from), newStoreCompact(&from))
	return cmd
}

// storeFlags say which store is meant.
type storeFlags struct{ config, stateDir, keyFile string }

// options are the folder of the store and how it is opened.
func (f *storeFlags) options() (dir string, o store.Options, err error) {
	dir, key := defaultStateDir, f.keyFile
	if f.config != "" {
		c, err := config.Load(f.config)
		if err != nil {
			return "", o, configError(err)
		}
		dir = c.Store.Dir
		o.MinFree = int64(c.Store.MinFreeMB) << 20
		if key == "" && c.Store.KeyCredential != "" {
			if key, err = c.Credential(c.Store.KeyCredential, os.Getenv); err != nil {
				return "", o, err
			}
		}
	}
	if f.stateDir != "" {
		dir = f.stateDir
	}
	if key != "" {
		o.Key, err = store.ReadKey(key)
	}
	return dir, o, err
}

// storeHint adds what to do about an error of a store.
func storeHint(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrLocked):
		return withHint(err, "end the daemon that runs, or ask it: 'carguardd trace list'")
	case errors.Is(err, store.ErrEncrypted), errors.Is(err, store.ErrWrongKey):
		return withHint(err, "--key-file names the file with the key it was encrypted with")
	case errors.Is(err, store.ErrPlain):
		return withHint(err, "leave the key out, or encrypt it: 'carguardd store compact --new-key-file FILE'")
	case errors.Is(err, fs.ErrNotExist):
		return withHint(err, "--state-dir names the folder, --config the configuration that has it as store.dir")
	case errors.Is(err, store.ErrNoSpace):
		return withHint(err, "make room on its disk")
	}
	return err
}
