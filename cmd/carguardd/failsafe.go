// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/systemd"
	"github.com/carguardd/carguardd/vehicle/mqtt"
)

// offFile is the file beside the API's socket that is there while the
// assistant is off for good.
const offFile = "assistant-off"

// offTime is how long the broker may take.
const offTime = 5 * time.Second

// offDoc says to a display that the assistant is off, and why.
type offDoc struct {
	Since  time.Time `json:"since"`
	Result string    `json:"result"` // of the unit, as systemd names it: exit-code, watchdog, …
	Status string    `json:"status,omitempty"`
}

func newFailsafe() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "failsafe --config FILE",
		Short: "say that the assistant is off (for the service manager)",
		Long: "Says that the daemon has failed for good: in the log, in the file\n" +
			offFile + " beside the API's socket, and, where there is a broker, by \"offline\"\n" +
			"on the car's status topic. It opens no bus and sends nothing to the car: what\n" +
			"an actuator does when commands end is its own control unit's matter.",
		Example: "  carguardd failsafe --config /etc/carguardd/carguardd.yaml",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if file == "" {
				return usageError("--config is needed")
			}
			doc := offDoc{time.Now().UTC(), os.Getenv("MONITOR_SERVICE_RESULT"), os.Getenv("MONITOR_EXIT_STATUS")}
			// A configuration that is wrong may be why the daemon is off.
			c, err := config.Load(file)
			if err != nil {
				c = config.Default()
			}
			log, lerr := newLogger(c.Log, cmd.ErrOrStderr(), systemd.IsJournal())
			log.Error().Str(systemd.EventField, systemd.EventOff).Str("result", doc.Result).Str("status", doc.Status).Msg("the assistant is off")
			return errors.Join(err, lerr, writeOff(c.API.Socket, doc), sayOff(cmd.Context(), c, log))
		},
	}
	cmd.Flags().StringVar(&file, "config", "", "configuration file of the daemon")
	return cmd
}

// writeOff leaves the file for a display.
func writeOff(socket string, doc offDoc) error {
	data, err := json.Marshal(doc)
	if err != nil {
		return err
	}
	file := filepath.Join(filepath.Dir(socket), offFile)
	if err := os.WriteFile(file+".new", append(data, '\n'), 0o644); err != nil {
		return fmt.Errorf("say that the assistant is off: %w", err)
	}
	return os.Rename(file+".new", file)
}

// removeOff takes the file away again: the daemon runs.
func removeOff(socket string) {
	// A file that cannot be removed is in a folder that the daemon may not
	// write to; then it did not come from there either.
	_ = os.Remove(filepath.Join(filepath.Dir(socket), offFile))
}

// sayOff publishes the retained status. The broker does so by itself when a
// daemon that was connected is gone; this is for one that never was.
func sayOff(ctx context.Context, c *config.Config, log daemonLog) error {
	if c.MQTT.URL == "" {
		return nil
	}
	topics, err := mqtt.NewTopics(c.Vehicle.ID)
	if err != nil {
		return err
	}
	m, err := mqttConfig(c, topics)
	if err != nil {
		return err
	}
	m.ClientID, m.Announce = m.ClientID+"-failsafe", false
	client, err := mqtt.New(m, log.Logger)
	if err != nil {
		return err
	}
	ctx, end := context.WithTimeout(ctx, offTime)
	defer end()
	run, stop := context.WithCancel(ctx)
	var g errgroup.Group
	g.Go(func() error { return client.Run(run) })
	for !client.Connected() && ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond):
		}
	}
	if ctx.Err() == nil {
		err = client.Publish(ctx, topics.Status(), []byte("offline"), 1, true)
	} else {
		err = errors.New("say that the assistant is off: the broker does not answer")
	}
	stop()
	return errors.Join(err, g.Wait())
}
