// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"context"
	"path"

	"github.com/carguardd/carguardd/cmd/carguardd/bundles"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/rules/bundle"
	"github.com/carguardd/carguardd/vehicle"
)

// openBundles lets the bench take bundles up, where that is asked for: the rules
// it was given are the factory's then.
func (r *Rig) openBundles(p *vehicle.Profile) (err error) {
	if r.o.Bundles == nil {
		return nil
	}
	r.Bundles, err = bundles.Open(*r.o.Bundles, bundles.Car{Factory: r.Rules, Profile: p, Offered: r.Words.Catalog, Files: r.o.Files, Dir: path.Dir(r.o.Profile)})
	if err != nil {
		return err
	}
	r.Rules, err = r.Bundles.Start()
	return err
}

// bundleOptions gives a system what it needs to take bundles up.
func (r *Rig) bundleOptions(o system.Options) system.Options {
	if r.Bundles != nil {
		r.updater = bundle.NewUpdater(r.Bundles, 0)
		o.Bundles, o.Ended, o.Notice = r.Bundles, r.updater.Turn, r.updater.Wake
	}
	return o
}

// startBundles lets bundles take effect in the running system.
func (r *Rig) startBundles(ctx context.Context) {
	if r.Bundles == nil {
		return
	}
	r.Bundles.Attach(r.System.Quiet, r.System.Enforce)
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.updater.Run(ctx)
	}()
	r.closers = append(r.closers, func() {
		<-done
		if err := r.Bundles.Stop(); err != nil {
			r.o.Log.Error().Err(err).Msg("bundles")
		}
	})
}
