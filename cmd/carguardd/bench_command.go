// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// benchCommand carries out a line of the prompt that is not for the car.
func benchCommand(r *rig.Rig, out io.Writer, line string) error {
	verb, arg, _ := strings.Cut(line, " ")
	arg = strings.TrimSpace(arg)
	switch verb {
	case "state":
		return printState(r, out, arg)
	case "hand":
		settings, err := sim.ParseState(r.System.Profile, arg)
		if err != nil {
			return err
		}
		for _, s := range settings {
			if err := r.Bench.SetByHand(s.Signal.Name, s.Value); err != nil {
				return err
			}
		}
	case "fault":
		return r.Bench.InjectText(arg)
	case "repair":
		r.Bench.Repair(arg)
	default:
		fmt.Fprintln(out, ":state [PATTERN]  :hand SIGNAL=VALUE,...  :fault FAULT  :repair [TARGET]  :quit")
	}
	return nil
}

func printState(r *rig.Rig, out io.Writer, pattern string) error {
	if pattern == "" {
		pattern = "*"
	}
	for _, s := range r.System.State() {
		ok, err := filepath.Match(pattern, s.Name)
		if err != nil {
			return fmt.Errorf("pattern %q: %w", pattern, err)
		}
		if ok {
			fmt.Fprintf(out, "  %-34s %v%s (%s)\n", s.Name, s.Value, s.Unit.Suffix(), s.Quality)
		}
	}
	return nil
}
