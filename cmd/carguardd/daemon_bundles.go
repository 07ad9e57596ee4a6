// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"

	"github.com/carguardd/carguardd/cmd/carguardd/bundles"
	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundle"
)

// carOf is a loaded car as bundles are judged with it. Its factory bundle is
// what the configuration names, and what was compiled of it here.
func (d *daemon) carOf(c *config.Config, l *loadedCar) bundles.Car {
	return bundles.Car{Factory: d.author.known(c, l), Profile: l.profile, Offered: l.words.Catalog, Files: l.files, Dir: l.dir}
}

// openBundles decides which rules are in force: those of an installed bundle, or
// those of the configuration. Without a store, or where it cannot be read, it
// is the latter, and the daemon says why nothing newer is taken up.
func (d *daemon) openBundles(c *config.Config, l *loadedCar, o *system.Options) error {
	if o.Store == nil {
		o.NoBundles = errors.Join(errors.New("no bundle is taken up without a store"), o.NoStore)
		return nil
	}
	m, err := bundles.Open(bundles.Parts{Config: c.Bundles, Store: o.Store, StateDir: c.Store.Dir, Version: version, Now: d.clock.Now, Log: d.log.Logger}, d.carOf(c, l))
	if code(err) == exitConfig {
		return configError(err)
	}
	if err != nil {
		d.log.Error().Err(err).Msg("no bundle is taken up")
		o.NoBundles = err
		return nil
	}
	if o.Rules, err = m.Start(); err != nil {
		d.log.Error().Err(err).Msg("bundles")
	}
	d.bundles, d.updater = m, bundle.NewUpdater(m, c.Bundles.Interval)
	d.updater.Failed = func(err error) { d.log.Warn().Err(err).Msg("bundles: nothing newer was taken up") }
	o.Bundles, o.Ended, o.Notice = m, d.updater.Turn, d.updater.Wake
	return nil
}

// attachBundles lets bundles take effect in the system that now runs.
func (d *daemon) attachBundles() {
	if d.bundles == nil {
		return
	}
	d.bundles.Attach(d.system.Quiet, func(set *rules.Set) error {
		d.mu.Lock() // a reload must not put back what it found before
		defer d.mu.Unlock()
		err := d.system.Enforce(set)
		if err == nil {
			d.logRules()
		}
		return err
	})
}

// updateOn looks for bundles until ctx ends.
func (d *daemon) updateOn(ctx context.Context) {
	if d.updater != nil {
		d.updater.Run(ctx)
	}
}

// stopBundles says that this run ends in an orderly way: because somebody asked
// for it, and not because something failed.
func (d *daemon) stopBundles() {
	if d.bundles == nil {
		return
	}
	if err := d.bundles.Stop(); err != nil {
		d.log.Error().Err(err).Msg("bundles")
	}
}

// rebase returns the rules in force for a configuration that was read again.
func (d *daemon) rebase(c *config.Config, l *loadedCar) (*rules.Set, error) {
	car := d.carOf(c, l)
	if d.bundles == nil {
		return car.Factory, nil
	}
	return bundles.Rebase(d.bundles, car)
}

// installed reports whether rules of an installed bundle are in force, which
// are not compiled here.
func (d *daemon) installed() bool { return d.bundles != nil && d.bundles.Status().Stage != "factory" }
