// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/gate"
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

type gateFlags struct {
	profile, rules, lang string
	only, disable        []string
	list                 bool
	limits               gate.Limits
}

func newGate() *cobra.Command {
	var f gateFlags
	cmd := &cobra.Command{
		Use:   "gate",
		Short: "judge what a foreign agent proposes, on JSON lines",
		Long: "Reads what a foreign agent hears, says, reads and proposes from standard input,\n" +
			"one JSON document a line, and answers each line with one: a proposed call is\n" +
			"allowed, or rejected with gate, rule, reason and remedy, which take the place of\n" +
			"the call's result. Nothing is carried out and nothing is kept. docs/gate.md has\n" +
			"the protocol.\n\n" +
			"Without a profile the tool list of the session event is all that is known. A\n" +
			"line that cannot be read is answered with an error and passed over; the exit\n" +
			"code is 1 then.",
		Example: "  carguardd gate --profile demo-ev --rules builtin:in-car < session.jsonl\n" +
			"  agent | carguardd gate --profile car.yaml --rules my-bundle\n" +
			"  carguardd gate --list",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.list {
				return listGates(cmd.OutOrStdout())
			}
			return f.serve(cmd)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.profile, "profile", "", "what the tools do: demo-ev, greenhouse or a file (default an embedded bundle's own, else none)")
	fl.StringVar(&f.rules, "rules", "", "the bundle to judge by: a folder, builtin:in-car or builtin:greenhouse (default none)")
	fl.StringVar(&f.lang, "lang", "en", "the driver's language, of sessions that name none")
	fl.StringSliceVar(&f.only, "only", nil, "judge by these gates alone")
	fl.StringSliceVar(&f.disable, "disable", nil, "do not judge by these gates")
	fl.BoolVar(&f.list, "list", false, "list the gates in their order")
	fl.IntVar(&f.limits.Line, "max-line", 1<<20, "bytes that a line may have")
	fl.IntVar(&f.limits.Events, "max-events", 10_000, "events that a conversation may have")
	return cmd
}

func listGates(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, g := range decidingGates() {
		fmt.Fprintf(t, "%s\t%s\n", g.Name, g.Doc)
	}
	return t.Flush()
}

// decidingGates are those that decide without a model: an advisory one only
// says what a critic should look at.
func decidingGates() []harness.Gate {
	return slices.DeleteFunc(harness.Gates(), func(g harness.Gate) bool { return g.Tier != harness.Hard })
}

func (f *gateFlags) serve(cmd *cobra.Command) error {
	if f.limits.Line < 64 || f.limits.Events < 1 {
		return usageError("--max-line must be at least 64 and --max-events at least 1")
	}
	d, err := f.domain()
	if err != nil {
		return err
	}
	c, err := gate.NewConversation(d)
	if err != nil {
		return err
	}
	n, err := gate.Serve(cmd.Context(), c, cmd.InOrStdin(), cmd.OutOrStdout(), f.limits)
	switch {
	case err != nil:
		return err
	case n.Bad > 0:
		return fmt.Errorf("%d of %s could not be taken in", n.Bad, plural(n.Lines, "line"))
	}
	return nil
}

// domain is what the flags choose to judge by.
func (f *gateFlags) domain() (*gate.Domain, error) {
	d := &gate.Domain{Language: f.lang}
	var err error
	if d.Gates, err = chosenGates(f.only, f.disable); err != nil {
		return nil, err
	}
	if f.profile == "" {
		f.profile = builtins()[f.rules][1]
	}
	dir := ""
	if f.profile != "" {
		fsys, name := findProfile(f.profile)
		if d.Profile, err = vehicle.Load(fsys, name); err != nil {
			return nil, err
		}
		dir = path.Dir(name)
		w, err := system.LoadWords(fsys, dir, f.lang, vehicle.NewCatalog(d.Profile))
		if err != nil {
			return nil, err
		}
		d.Languages, d.Files = w.Languages, w.Files
	} else if d.Languages, err = words.Load(); err != nil {
		return nil, err
	}
	if !d.Languages.Has(f.lang) {
		return nil, usageError("--lang %s: there are words for %s", f.lang, strings.Join(d.Languages.Codes(), ", "))
	}
	if f.rules == "" {
		return d, nil
	}
	fsys, bundle, err := placeToBe(f.rules)
	if err != nil {
		return nil, err
	}
	if d.Profile == nil {
		d.Rules = func(cat *vehicle.Catalog) (*rules.Set, error) { return rules.Load(fsys, bundle, cat) }
		return d, nil
	}
	set, err := rules.Load(fsys, bundle, vehicle.NewCatalog(d.Profile))
	if err != nil {
		return nil, err
	}
	d.Rules = func(*vehicle.Catalog) (*rules.Set, error) { return set, nil }
	return d, nil
}

// chosenGates are the gates by name, in their own order.
func chosenGates(only, disable []string) ([]harness.Gate, error) {
	all := decidingGates()
	var names []string
	for _, g := range all {
		names = append(names, g.Name)
	}
	for _, list := range [][]string{only, disable} {
		for _, n := range list {
			if !slices.Contains(names, n) {
				return nil, unknownName("gate "+n, vehicle.Suggest(n, names), "'carguardd gate --list' names every gate")
			}
		}
	}
	return slices.DeleteFunc(all, func(g harness.Gate) bool {
		return len(only) > 0 && !slices.Contains(only, g.Name) || slices.Contains(disable, g.Name)
	}), nil
}
