// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/cmd/carguardd/rig"
)

// scene is one part of the tour: a car, and what happens in it.
type scene struct {
	name  string
	about string
	state string
	at    string
	steps []sceneStep
}

// sceneStep is what the driver says, or something done to the car.
type sceneStep struct {
	say    string
	fault  string
	repair string
}

// tour is the five scenes, each in a car of its own.
func tour() []scene {
	return []scene{
		{"the example", "what the policy owes for a command is computed and carried out first", "", "",
			[]sceneStep{{say: "turn on the air conditioning"}}},
		{"a withheld write", "a call that a rule forbids never reaches the bus", "fog_lights=true,head_lights_low_beams=true", "",
			[]sceneStep{{say: "turn on the high beams"}}},
		{"a consent that changes", "a yes is for the exact calls that were asked about, and for nothing else", "", "Bregenz",
			[]sceneStep{{say: "open the sunroof halfway"}, {say: "no, open the sunroof to 20 percent"}, {say: "yes"}}},
		{"a blocked ECU", "what depends on a call that failed is not sent, and nothing is called done", "", "",
			[]sceneStep{{fault: "blocked:window_passenger_position@40"}, {say: "turn on the air conditioning"}}},
		{"a lost bus", "nothing is queued for a bus that is gone, and it works again when the bus is back", "", "",
			[]sceneStep{{fault: "bus-off:body"}, {say: "turn on the reading light of the driver"}, {repair: "body"}, {say: "turn on the reading light of the driver"}}},
	}
}

func runTour(cmd *cobra.Command, f *benchFlags) error {
	for _, name := range []string{"say", "state", "at", "fault", "profile", "bundle", "startup-time"} {
		if cmd.Flags().Changed(name) {
			return usageError("--tour and --%s exclude each other: a scene has a car and words of its own", name)
		}
	}
	out := cmd.OutOrStdout()
	for i, sc := range tour() {
		if !f.asJSON {
			fmt.Fprintf(out, "%s%d. %s: %s\n\n", map[bool]string{true: "\n"}[i > 0], i+1, sc.name, sc.about)
		}
		if err := playScene(cmd.Context(), out, f, sc); err != nil {
			return fmt.Errorf("scene %q: %w", sc.name, err)
		}
	}
	return nil
}

func playScene(ctx context.Context, out io.Writer, f *benchFlags, sc scene) error {
	own := *f
	own.profile, own.bundle, own.state, own.at, own.student = "demo-ev", "", sc.state, sc.at, "offline"
	r, end, err := startBench(ctx, &own)
	if err != nil {
		return err
	}
	defer end()
	for _, st := range sc.steps {
		if err := playStep(ctx, r, out, st, f.asJSON); err != nil {
			return err
		}
	}
	return nil
}

func playStep(ctx context.Context, r *rig.Rig, out io.Writer, st sceneStep, asJSON bool) error {
	note := func(format string, args ...any) {
		if !asJSON {
			fmt.Fprintf(out, format, args...)
		}
	}
	switch {
	case st.fault != "":
		note("[fault: %s]\n", st.fault)
		return r.Bench.InjectText(st.fault)
	case st.repair != "":
		note("[repaired: %s]\n", st.repair)
		r.Bench.Repair(st.repair)
		return r.Seen(ctx)
	}
	return benchTurn(ctx, r, out, st.say, asJSON)
}
