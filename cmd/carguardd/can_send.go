// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/vehicle"
)

// sendFlags are the flags of `can send`.
type sendFlags struct {
	profile string
	bus     string
	with    []string
	wait    time.Duration
	dryRun  bool
	asJSON  bool
}

func newCANSend() *cobra.Command {
	var f sendFlags
	cmd := &cobra.Command{
		Use:   "send URL FRAME | send URL MESSAGE SIGNAL=VALUE...",
		Short: "send one frame through the boundary",
		Long: "Sends one frame, given as 123#0102 or by message and signals, past the same\n" +
			"boundary that guards the daemon: what the profile does not declare as a\n" +
			"command, what is out of its range, and what a live signal forbids does not\n" +
			"leave. It listens first, so that live signals are known; one that is not heard\n" +
			"forbids. Signals that come over another bus need that bus with --with. A command\n" +
			"that the DBC says again in cycles is said again here too, and released, before\n" +
			"the program ends.\n\n" +
			"That a frame was sent does not say that the car follows it.",
		Example: "  carguardd can send socketcan:can0 WindowCommand WindowDriverTarget=0 --profile car.yaml --bus body --with powertrain=socketcan:can1\n" +
			"  carguardd can send socketcand://127.0.0.1:29536/body 420#007F7F7F --profile demo-ev --bus body --dry-run",
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := newSender(cmd.Context(), &f, args[0])
			if err != nil {
				return err
			}
			defer s.close()
			if _, err := s.frame(args[1], args[2:]); err != nil {
				return err
			}
			s.listen(cmd.Context(), f.wait)
			frame, err := s.frame(args[1], args[2:]) // again, on what was heard
			if err != nil {
				return err
			}
			sent, err := s.boundary.SendFrame(cmd.Context(), f.bus, frame)
			doc := sendDoc{Bus: f.bus, Frame: frame.String(), DryRun: f.dryRun, Sent: err == nil && !f.dryRun, Allowed: err == nil}
			doc.Message, doc.Signals = s.meaning(frame)
			if !errors.As(err, &doc.Refusal) && err != nil {
				return err
			}
			if sent.End != nil {
				// With the counter and checksum of a protected message.
				if left, err := canbus.ParseFrame(sent.Text); err == nil {
					doc.Frame = sent.Text
					doc.Message, doc.Signals = s.meaning(left)
				}
				if err := s.boundary.Settle(cmd.Context()); err != nil {
					return err
				}
				sent.End()
			}
			return doc.report(cmd, err)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.profile, "profile", "", "the vehicle profile: a file, demo-ev or greenhouse (needed)")
	fl.StringVar(&f.bus, "bus", "", "the profile's name of the bus that URL leads to (needed)")
	fl.StringArrayVar(&f.with, "with", nil, "another bus to listen to, as BUS=URL (repeatable)")
	fl.DurationVar(&f.wait, "wait", 2*time.Second, "how long to wait at most for the live signals that interlocks need")
	fl.BoolVar(&f.dryRun, "dry-run", false, "ask every gate and send nothing")
	fl.BoolVar(&f.asJSON, "json", false, "print one JSON document")
	return cmd
}

// sendDoc is the document of `can send --json`.
type sendDoc struct {
	Bus     string           `json:"bus"`
	Frame   string           `json:"frame"`
	Message string           `json:"message,omitempty"`
	Signals map[string]any   `json:"signals,omitempty"`
	Allowed bool             `json:"allowed"` // every gate let it pass
	Sent    bool             `json:"sent"`
	DryRun  bool             `json:"dry_run,omitempty"`
	Refusal *vehicle.Refusal `json:"refusal,omitempty"`
}

// report prints the document; a refusal is the error.
func (d *sendDoc) report(cmd *cobra.Command, refused error) error {
	out := cmd.OutOrStdout()
	if asJSON, err := cmd.Flags().GetBool("json"); err == nil && asJSON {
		if err := writeJSON(out, d); err != nil {
			return err
		}
	} else if refused == nil {
		verb := map[bool]string{true: "would send", false: "sent"}[d.DryRun]
		if _, err := fmt.Fprintf(out, "%s %s on %s%s\n", verb, d.Frame, d.Bus, signalList(d.Message, d.Signals)); err != nil {
			return err
		}
	}
	if d.Refusal == nil {
		return nil
	}
	err := fmt.Errorf("%s on %s: %w", d.Frame, d.Bus, refused)
	if d.Refusal.Gate == vehicle.GateFreshness {
		return withHint(err, "the signal was not heard: --with BUS=URL joins its bus, --wait gives it more time")
	}
	return err
}

// signalList words the content of a message.
func signalList(message string, signals map[string]any) string {
	if message == "" {
		return ""
	}
	var parts []string
	for _, n := range sortedNames(signals) {
		parts = append(parts, fmt.Sprintf("%s=%v", n, signals[n]))
	}
	return " (" + strings.Join(append([]string{message}, parts...), " ") + ")"
}
