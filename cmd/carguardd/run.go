// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/cmd/carguardd/config"
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
			"profile or rule that is wrong starts nothing and exits with 78.",
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
			log, err := newLogger(c.Log, cmd.ErrOrStderr())
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

func newLogger(l config.Log, w io.Writer) (zerolog.Logger, error) {
	level, err := zerolog.ParseLevel(l.Level)
	if err != nil {
		return zerolog.Nop(), err
	}
	if l.Format == "console" {
		w = zerolog.ConsoleWriter{Out: w, TimeFormat: time.RFC3339, NoColor: true}
	}
	return zerolog.New(w).Level(level).With().Timestamp().Logger(), nil
}

// runDaemon is the daemon from its start to its end.
func runDaemon(ctx context.Context, c *config.Config, log zerolog.Logger) error {
	began := time.Now()
	d, err := openDaemon(ctx, c, log)
	if err != nil {
		return err
	}
	defer d.close()
	ln, err := listen(c.API)
	if err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return d.system.Run(ctx) })
	g.Go(func() error { return api.Serve(ctx, ln, api.Handler(d.system)) })
	g.Go(func() error { d.takeUp(ctx, c.Store.RetentionTurns); return nil })
	log.Info().Str("version", version).Str("profile", d.system.Profile.Name).Str("socket", c.API.Socket).
		Dur("after", time.Since(began)).Msg("ready")
	err = g.Wait()
	log.Info().Msg("stopping")
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	return err
}

// takeUp closes the turns that an earlier run left open, once the car has
// said how it is, and deletes turns that are too old.
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
	if err == nil && retention > 0 {
		err = d.system.Journal.Retain(ctx, retention)
	}
	if err != nil && ctx.Err() == nil {
		d.log.Error().Err(err).Msg("journal")
	}
}
