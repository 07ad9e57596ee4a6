// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/cmd/carguardd/bundles"
	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/harness/store"
	"github.com/carguardd/carguardd/rules/bundle"
	"github.com/carguardd/carguardd/vehicle"
)

// unitFlags say whose bundles a verb is about.
type unitFlags struct {
	socket, config string
	asJSON         bool
}

func (f *unitFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.socket, "socket", "", "the daemon's socket (default "+defaultSocket+", or that of --config)")
	fl.StringVar(&f.config, "config", "", "the daemon's configuration: where no daemon runs, its store is worked on")
	fl.BoolVar(&f.asJSON, "json", false, "print one JSON document")
}

// unit is a head unit: a daemon that runs, or the store of one that does not.
type unit interface {
	BundleStatus(ctx context.Context) (bundle.Status, error)
	BundleHistory(ctx context.Context, n int) ([]bundle.Record, error)
	InstallBundle(ctx context.Context, from string) (bundle.Outcome, error)
	PinBundle(ctx context.Context, revision int) (int, error)
	UnpinBundle(ctx context.Context) error
	RollBackBundle(ctx context.Context) error
}

// with does something with the unit. Only to look, its store is opened for
// reading.
func (f *unitFlags) with(ctx context.Context, only bool, do func(unit) error) error {
	var c *config.Config
	if f.config != "" {
		var err error
		if c, err = config.Load(f.config); err != nil {
			return configError(err)
		}
		if f.socket == "" {
			f.socket = c.API.Socket
		}
	}
	if f.socket == "" {
		f.socket = defaultSocket
	}
	client := api.NewClient(f.socket)
	_, err := client.BundleStatus(ctx)
	switch {
	case err == nil || !errors.Is(err, api.ErrUnreachable):
		return bundleError(do(client))
	case c == nil:
		return withHint(failed(err), "is the daemon running? --socket names its socket", "--config names the configuration of one that does not run")
	}
	m, end, err := openUnit(c, only)
	if err != nil {
		return err
	}
	return errors.Join(bundleError(do(offline{m})), end())
}

// openUnit opens the store of a daemon that does not run.
func openUnit(c *config.Config, only bool) (*bundle.Manager, func() error, error) {
	l, err := loadCar(c)
	if err != nil {
		return nil, nil, configError(err)
	}
	o := store.Options{ReadOnly: only}
	if c.Store.KeyCredential != "" {
		file, err := c.Credential(c.Store.KeyCredential, os.Getenv)
		if err != nil {
			return nil, nil, failed(err)
		}
		if o.Key, err = store.ReadKey(file); err != nil {
			return nil, nil, failed(err)
		}
	}
	s, err := store.Open(c.Store.Dir, o)
	if only && errors.Is(err, fs.ErrNotExist) {
		s, err = new(store.Memory), nil // a unit that has not run yet
	}
	if errors.Is(err, store.ErrLocked) {
		return nil, nil, withHint(failed(err), "a daemon or another verb is at work there: --socket names its socket")
	}
	if err != nil {
		return nil, nil, failed(err)
	}
	m, err := bundles.Open(bundles.Parts{Config: c.Bundles, Store: s, StateDir: c.Store.Dir, Version: version, Now: vehicle.NewSystemClock().Now, Log: zerolog.Nop()},
		bundles.Car{Factory: newRuleAuthor(c, zerolog.Nop()).known(c, l), Profile: l.profile, Offered: l.words.Catalog, Files: l.files, Dir: l.dir})
	if err != nil {
		return nil, nil, errors.Join(failed(err), s.Close())
	}
	return m, s.Close, nil
}

// offline is the unit of a daemon that does not run.
type offline struct{ m *bundle.Manager }

// byCLI is who asks, for the history.
const byCLI = "cli"

func (o offline) BundleStatus(context.Context) (bundle.Status, error) { return o.m.Status(), nil }

func (o offline) BundleHistory(_ context.Context, n int) ([]bundle.Record, error) {
	return o.m.History(n)
}

func (o offline) InstallBundle(ctx context.Context, from string) (bundle.Outcome, error) {
	return o.m.Install(ctx, bundle.Request{From: from, By: byCLI, Again: true})
}

func (o offline) PinBundle(_ context.Context, revision int) (int, error) {
	return o.m.Pin(revision, byCLI)
}

func (o offline) UnpinBundle(context.Context) error    { return o.m.Unpin(byCLI) }
func (o offline) RollBackBundle(context.Context) error { return o.m.RollBack(byCLI) }
