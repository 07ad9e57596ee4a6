// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/canbus/dbc"
)

func newCAN() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "can",
		Short: "watch, send, decode and check CAN",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCANMonitor(), newCANDecode(), newCANCheck())
	return cmd
}

// loadDBC reads one DBC file; its diagnostics are the caller's to show.
func loadDBC(path string, o dbc.Options) (*dbc.Database, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return dbc.Parse(filepath.Base(path), data, o)
}

// loadDecoder builds a decoder of the given DBC files for one bus.
func loadDecoder(bus string, paths []string) (*dbc.Decoder, error) {
	d := &dbc.Decoder{}
	for _, p := range paths {
		db, err := loadDBC(p, dbc.Options{})
		if err != nil {
			return nil, configError(fmt.Errorf("load %s: %w", p, err))
		}
		if err := d.Add(bus, db); err != nil {
			return nil, configError(fmt.Errorf("load %s: %w", p, err))
		}
	}
	return d, nil
}
