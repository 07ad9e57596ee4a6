// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/systemd"
)

// seeTime is how long the daemon waits for the car's first words before it
// judges the turns that an earlier run left open.
const seeTime = 3 * time.Second

func newRun() *cobra.Command {
	var file string
	var check bool
	cmd := &cobra.Command{
		Use:   "run --config FILE",
		Short: "the daemon proper, on real buses",
		Long: "Runs the daemon that a configuration file describes (docs/config.md) until it\n" +
			"gets SIGTERM or SIGINT. It stays up without a bus, a broker or a model, says\n" +
			"so in /readyz, and takes them up again when they come back. A configuration,\n" +
			"profile or rule that is wrong starts nothing and exits with 78. On SIGHUP it\n" +
			"takes up changed rules, language, student, bounds of a turn and log level; a\n" +
			"change that is wrong, or that needs a restart, is refused as a whole.",
		Example: "  carguardd run --config /etc/carguardd/carguardd.yaml\n  carguardd run --config demo.yaml --check",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if file == "" {
				return usageError("--config is needed: docs/config.md has an example")
			}
			c, err := config.Load(file)
			if err != nil {
				return configError(err)
			}
			if check {
				if _, err := loadCar(c); err != nil {
					return configError(err)
				}
				_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: ok\n", file)
				return err
			}
			log, err := newLogger(c.Log, cmd.ErrOrStderr(), systemd.IsJournal())
			if err != nil {
				return configError(err)
			}
			return runDaemon(cmd.Context(), c, log)
		},
	}
	cmd.Flags().StringVar(&file, "config", "", "configuration file")
	cmd.Flags().BoolVar(&check, "check", false, "only say whether configuration, profile and rules are right")
	return cmd
}

// runDaemon is the daemon from its start to its end.
func runDaemon(ctx context.Context, c *config.Config, log daemonLog) error {
	began := time.Now()
	frugal()
	limitMemory(log.Logger)
	hangups, endHangups := onHangup()
	defer endHangups()
	var d *daemon
	var doors []door
	err := new(systemd.Notifier).Extending(startStep, startLimit, func() (err error) {
		if d, err = openDaemon(ctx, c, log); err != nil {
			return err
		}
		if doors, err = openDoors(c, log.Logger); err != nil {
			return err
		}
		return d.system.SelfTest()
	})
	if d != nil {
		defer d.close()
	}
	if err != nil {
		for _, door := range doors {
			err = errors.Join(err, door.Close())
		}
		return err
	}
	// What runs ends by a context of its own, so that STOPPING is said before
	// anything stops, and movements end before anybody is waited for.
	run, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	g, run := errgroup.WithContext(run)
	g.Go(func() error {
		select {
		case <-ctx.Done():
			d.super.say(d.super.notify.Stopping())
			log.Info().Msg("stopping")
			d.leave(stop)
		case <-run.Done():
		}
		return nil
	})
	for _, door := range doors {
		g.Go(func() error { return api.Serve(run, door, door.guard.Wrap(api.Handler(d.system))) })
	}
	g.Go(func() error { return d.system.Run(run) })
	g.Go(func() error { d.takeUp(run, c.Store.RetentionTurns); return nil })
	g.Go(func() error { d.reloadOn(run, hangups); return nil })
	g.Go(func() error { d.authorOn(run); return nil })
	g.Go(func() error { d.updateOn(run); return nil })
	g.Go(func() error { d.super.report(run, d.system); return nil })
	g.Go(func() error { return d.super.watch(run, d.system) })
	d.logRules()
	log.Info().Str("version", version).Str("profile", d.system.Profile.Name).Str("socket", doors[0].Addr().String()).
		Dur("after", time.Since(began)).Msg("ready")
	removeOff(c.API.Socket)
	d.super.say(d.super.notify.Ready(d.super.status(d.system)))
	d.system.GiveBack() // what was needed to load profile, rules and words
	err = g.Wait()
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	return err
}

// leave ends what runs, because somebody asked for it: movements first, and then
// the context of all the rest. Bundles come last, since they wait for the
// install under way, and that may wait for a network until its context ends.
func (d *daemon) leave(stop func()) {
	d.end()
	stop()
	d.stopBundles()
}

// onHangup passes on SIGHUP; several that come during one reload make one
// more.
func onHangup() (<-chan struct{}, func()) {
	in := make(chan os.Signal, 1)
	out := make(chan struct{}, 1)
	signal.Notify(in, syscall.SIGHUP)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range in {
			select {
			case out <- struct{}{}:
			default:
			}
		}
	}()
	return out, func() { signal.Stop(in); close(in); <-done }
}

// retainPause is how often it is looked whether there are turns to delete.
const retainPause = time.Minute

// takeUp closes the turns that an earlier run left open, once the car has
// said how it is, and from then on deletes turns that are too old.
func (d *daemon) takeUp(ctx context.Context, retention int) {
	if d.system.Journal == nil {
		return
	}
	wait, end := context.WithTimeout(ctx, seeTime)
	d.system.Ready(wait)
	end()
	outcomes, err := d.system.Reconcile(ctx)
	for _, o := range outcomes {
		d.log.Warn().Str("turn", o.Turn).Str("call", o.Call.Canonical()).Bool("reached", o.Reached).Bool("unknown", o.Unknown).
			Msg("a call was under way when the daemon ended; it is not sent again")
	}
	tick := time.NewTicker(retainPause)
	defer tick.Stop()
	for {
		if err == nil {
			err = d.system.Retain(ctx, retention)
		}
		if err != nil && ctx.Err() == nil && d.system.NoStore() == nil {
			d.log.Error().Err(err).Msg("journal")
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			err = nil
		}
	}
}
