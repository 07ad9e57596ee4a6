// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/cmd/carguardd/show"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// benchFlags are the flags of `bench`.
type benchFlags struct {
	say      []string
	asJSON   bool
	state    string
	faults   []string
	at       string
	student  string
	critic   bool
	language string
	profile  string
	bundle   string
	listen   []string
	broker   string
	fast     bool
	tour     bool
	verbose  bool
	startup  bool
	socket   string
	store    string
	trust    string
}

func newBench() *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "the simulated car, with a prompt",
		Long: "Starts the simulated car on in-process CAN buses and an embedded MQTT broker,\n" +
			"and the same harness, boundary and execution that drive a real one. Without\n" +
			"--say it prompts. At the prompt, a line is what the driver says; these are for\n" +
			"you:\n\n" +
			"  :state [PATTERN]   the car's signals\n" +
			"  :hand K=V,...      change the car as a hand on a switch would\n" +
			"  :fault FAULT       break something: blocked:window_driver_position@40, bus-off:body, ...\n" +
			"  :repair [TARGET]   mend it again\n" +
			"  :quit\n\n" +
			"\"stop\" and Ctrl-C work while a turn runs.",
		Example: "  carguardd bench\n" +
			"  carguardd bench --say 'turn on the air conditioning'\n" +
			"  carguardd bench --say 'open the sunroof halfway' --say yes --json\n" +
			"  carguardd bench --state window_driver_position=0,vehicle_speed=80 --say 'open the trunk'\n" +
			"  carguardd bench --profile greenhouse --say 'open the north vent'\n" +
			"  carguardd bench --tour",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runBench(cmd, &f) },
	}
	fl := cmd.Flags()
	fl.StringArrayVar(&f.say, "say", nil, "say this and exit after the reply (repeatable: one conversation)")
	fl.BoolVar(&f.asJSON, "json", false, "print each turn as one JSON document (docs/turn.schema.json)")
	fl.StringVar(&f.state, "state", "", "the car's start, as signal=value,...")
	fl.StringVar(&f.at, "at", "", "where the car is: a place of the profile's data, such as Bregenz")
	fl.StringArrayVar(&f.faults, "fault", nil, "a fault from the start (repeatable)")
	fl.StringVar(&f.student, "student", "auto", "who proposes: "+studentForms)
	fl.BoolVar(&f.critic, "critic", true, "put advisory findings to the student's model, if it is one")
	fl.StringVar(&f.language, "lang", "en", "the driver's language: en, de")
	fl.StringVar(&f.profile, "profile", "demo-ev", "demo-ev, greenhouse, or a profile file")
	fl.StringVar(&f.bundle, "bundle", "", "rules: a folder, builtin:in-car or builtin:greenhouse; those that go with an embedded profile when empty")
	fl.StringArrayVar(&f.listen, "listen", nil, "let foreign tools join a bus: bus=127.0.0.1:29536 with socketcand, bus=slcan-pty:PATH as a serial adapter (repeatable)")
	fl.StringVar(&f.broker, "broker", "", "serve the embedded broker on this loopback address too")
	fl.BoolVar(&f.fast, "fast", false, "everything settles at once")
	fl.BoolVar(&f.tour, "tour", false, "play five scripted scenes")
	fl.StringVar(&f.socket, "socket", "", "serve the local API on this socket until it is stopped, instead of the prompt")
	fl.StringVar(&f.store, "store", "", "keep the journal and bundles in this folder")
	fl.StringVar(&f.trust, "trust", "", "the root of a repository whose bundles may be taken up; needs --store and --socket")
	fl.BoolVar(&f.startup, "startup-time", false, "print how many milliseconds it took to be ready, and exit")
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "log to standard error")
	return cmd
}

func runBench(cmd *cobra.Command, f *benchFlags) error {
	if f.tour {
		return runTour(cmd, f)
	}
	switch {
	case f.socket != "" && (f.startup || len(f.say) > 0):
		return usageError("--socket serves until it is stopped: it excludes --say and --startup-time")
	case f.trust != "" && (f.store == "" || f.socket == ""):
		return usageError("--trust needs --store, where bundles are kept, and --socket, over which they are asked for")
	}
	if f.startup && len(f.say) > 0 {
		return usageError("--startup-time and --say exclude each other")
	}
	for _, text := range f.say {
		if strings.TrimSpace(text) == "" {
			return usageError("--say %q: there is nothing to say", text)
		}
	}
	frugal()
	began := time.Now()
	r, end, err := startBench(cmd.Context(), f)
	if err != nil {
		return err
	}
	defer end()
	out := cmd.OutOrStdout()
	if f.socket != "" {
		return serveBench(cmd.Context(), r, out, f.socket)
	}
	if f.startup {
		_, err := fmt.Fprintln(out, time.Since(began).Milliseconds())
		return err
	}
	if len(f.say) == 0 {
		r.System.GiveBack() // what was needed to load profile, rules and words
		return prompt(cmd.Context(), r, cmd.InOrStdin(), out, f.asJSON)
	}
	for _, text := range f.say {
		if err := benchTurn(cmd.Context(), r, out, text, f.asJSON); err != nil {
			return err
		}
	}
	return nil
}

// startBench builds the bench that the flags describe.
func startBench(ctx context.Context, f *benchFlags) (_ *rig.Rig, end func(), err error) {
	o := rig.Options{Language: f.language, State: f.state, At: f.at, Faults: f.faults, Fast: f.fast, Broker: f.broker,
		Clock: vehicle.NewSystemClock(), Log: zerolog.Nop(), Listen: map[string]string{}}
	if f.verbose {
		o.Log = zerolog.New(zerolog.ConsoleWriter{Out: os.Stderr}).With().Timestamp().Logger()
	}
	for _, l := range f.listen {
		bus, addr, ok := strings.Cut(l, "=")
		if !ok {
			return nil, nil, usageError("--listen %q: must be BUS=HOST:PORT or BUS=slcan-pty:PATH", l)
		}
		o.Listen[bus] = addr
	}
	if err := f.locate(&o); err != nil {
		return nil, nil, err
	}
	endStore, err := f.keep(&o)
	if err != nil {
		return nil, nil, err
	}
	o.Student = func(w system.Words) (harness.Student, error) { return newStudent(ctx, f.student, w, o.Clock) }
	o.Second = func(s harness.Student) system.Second { return secondOf(s, f.critic, false) }
	r, err := rig.New(ctx, o)
	if wrong := (*rig.OptionError)(nil); errors.As(err, &wrong) {
		err = withHint(usageError("%w", wrong), "'carguardd bench --help' shows each flag, 'carguardd fields' lists the signals")
	}
	if err != nil {
		endStore()
		return nil, nil, err
	}
	return r, func() { r.Close(); endStore() }, nil
}

// locate finds profile and rules: embedded ones by name, others as files.
func (f *benchFlags) locate(o *rig.Options) (err error) {
	o.Files, o.Profile = findProfile(f.profile)
	bundle := f.bundle
	if bundle == "" {
		for name, b := range builtins() {
			if b[1] == f.profile {
				bundle = name
			}
		}
	}
	if bundle == "" {
		return usageError("--profile %s: a profile of your own needs --bundle with its rules; the embedded ones are demo-ev and greenhouse", f.profile)
	}
	o.BundleFiles, o.Bundle, err = placeToBe(bundle)
	return err
}

// benchTurn runs one turn and prints it.
func benchTurn(ctx context.Context, r *rig.Rig, out io.Writer, text string, asJSON bool) error {
	t, err := r.System.Turn(ctx, "bench", text)
	if err != nil {
		return err
	}
	if asJSON {
		enc := json.NewEncoder(out)
		enc.SetEscapeHTML(false)
		return enc.Encode(t)
	}
	return show.Turn(out, t, r.System.Profile)
}
