// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/rules/lint"
	"github.com/carguardd/carguardd/vehicle"
)

type lintFlags struct {
	ruleFlags
	format, level string
	only, disable []string
	list          bool
}

func newRulesLint() *cobra.Command {
	var f lintFlags
	cmd := &cobra.Command{
		Use:   "lint [BUNDLE]",
		Short: "find what is wrong with rules that load",
		Long: "Looks for rules that can never match, contradict each other, owe what is\n" +
			"forbidden, that no test fires, whose sentences cannot be spoken, and more:\n" +
			"--list shows every check, docs/rules.md explains each.",
		Example: "  carguardd rules lint my-bundle\n  carguardd rules lint --level error --format sarif my-bundle >lint.sarif",
		Args:    cobra.MaximumNArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd.OutOrStdout(), bundleArg(args)) },
	}
	f.add(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.format, "format", "text", "text, json or sarif (2.1.0)")
	fl.StringVar(&f.level, "level", "warning", "report findings of this level and above: warning or error")
	fl.StringSliceVar(&f.only, "only", nil, "run only these checks")
	fl.StringSliceVar(&f.disable, "disable", nil, "do not run these checks")
	fl.BoolVar(&f.list, "list", false, "list the checks")
	return cmd
}

func (f *lintFlags) run(w io.Writer, bundle string) error {
	analyzers, err := f.analyzers()
	if err != nil {
		return err
	}
	if f.list {
		for _, a := range analyzers {
			fmt.Fprintf(w, "%-26s %-8s %s\n", a.Name, a.Level, a.Doc)
		}
		return nil
	}
	set, cat, err := f.load(bundle)
	if err != nil {
		return err
	}
	found := []lint.Finding{}
	for _, x := range lint.Run(set, cat, analyzers) {
		if f.level == "warning" || x.Level == lint.Error {
			found = append(found, x)
		}
	}
	switch f.format {
	case "json":
		err = writeJSON(w, struct {
			Bundle   string         `json:"bundle"`
			Findings []lint.Finding `json:"findings"`
		}{set.Manifest.Name, found})
	case "sarif":
		err = lint.WriteSARIF(w, found, analyzers, version)
	default:
		err = lint.WriteText(w, found)
	}
	if err == nil && len(found) > 0 {
		err = findingsError("%s: %s", bundle, plural(len(found), "finding"))
	}
	return err
}

// analyzers are the checks that the flags leave.
func (f *lintFlags) analyzers() ([]*lint.Analyzer, error) {
	if f.asJSON {
		f.format = "json"
	}
	if f.format != "text" && f.format != "json" && f.format != "sarif" {
		return nil, usageError("--format %s: text, json or sarif", f.format)
	}
	if f.level != "warning" && f.level != "error" {
		return nil, usageError("--level %s: warning or error", f.level)
	}
	named := map[string]bool{}
	for _, name := range append(f.only, f.disable...) {
		if lint.Named(name) == nil {
			var all []string
			for _, a := range lint.Analyzers() {
				all = append(all, a.Name)
			}
			return nil, unknownName("check "+name, vehicle.Suggest(name, all), "'rules lint --list' names every check")
		}
	}
	for _, name := range f.only {
		named[name] = true
	}
	var out []*lint.Analyzer
	for _, a := range lint.Analyzers() {
		if len(f.only) == 0 || named[a.Name] {
			out = append(out, a)
		}
	}
	for _, name := range f.disable {
		for i, a := range out {
			if a.Name == name {
				out = append(out[:i], out[i+1:]...)
				break
			}
		}
	}
	return out, nil
}
