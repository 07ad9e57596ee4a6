// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"time"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/harness/judge"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

type testFlags struct {
	ruleFlags
	run, junit              string
	verbose, cover, harness bool
	threshold               float64
}

func newRulesTest() *cobra.Command {
	var f testFlags
	cmd := &cobra.Command{
		Use:   "test [BUNDLE]",
		Short: "run the tests of a bundle",
		Long: "Plays every test of the bundle and compares what comes of it with what it wants.\n" +
			"The plain judge does what the rules say and nothing else; with --harness the\n" +
			"tests are played to the harness that drives the car. A rule that no test makes\n" +
			"fire, or that none leaves silent, counts as a failure, unless --run chooses\n" +
			"tests.",
		Example: "  carguardd rules test my-bundle\n  carguardd rules test --harness --run roof -v --junit report.xml my-bundle",
		Args:    cobra.MaximumNArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return f.test(cmd.OutOrStdout(), bundleArg(args)) },
	}
	f.add(cmd)
	fl := cmd.Flags()
	fl.StringVarP(&f.run, "run", "r", "", "only tests whose name matches this regular expression")
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "name every test")
	fl.BoolVar(&f.cover, "cover", false, "show for each rule how many tests fire it and leave it silent")
	fl.Float64Var(&f.threshold, "threshold", 0, "percent of rules that tests must fire and leave silent; less exits with 3")
	fl.BoolVar(&f.harness, "harness", false, "play the tests to the harness that drives the car")
	fl.StringVar(&f.junit, "junit", "", "write the results as JUnit XML to this file too")
	return cmd
}

// judgeOf is the judge that plays tests.
func judgeOf(harness bool) rulestest.Judge {
	if harness {
		return judge.Judge{}
	}
	return rulestest.Plain{}
}

func (f *testFlags) test(w io.Writer, bundle string) error {
	if err := checkPercent("--threshold", f.threshold); err != nil {
		return err
	}
	pattern, err := regexp.Compile(f.run)
	if err != nil {
		return usageError("--run %s: %w", f.run, err)
	}
	set, cat, err := f.load(bundle)
	if err != nil {
		return err
	}
	doc := f.play(set, cat, pattern)
	if f.run != "" && len(doc.Tests) == 0 {
		return failed(fmt.Errorf("%s: no test matches %s", bundle, f.run))
	}
	if f.junit != "" {
		raw, err := doc.junit()
		if err != nil {
			return err
		}
		if err := os.WriteFile(f.junit, raw, 0o644); err != nil {
			return failed(err)
		}
	}
	if f.asJSON {
		err = writeJSON(w, doc)
	} else {
		err = doc.write(w, f.verbose, f.cover)
	}
	switch {
	case err != nil:
		return err
	case doc.Failed > 0 || len(doc.Inert) > 0:
		return findingsError("%s: %d of %s failed, %s about untested rules", bundle, doc.Failed, plural(len(doc.Tests), "test"), plural(len(doc.Inert), "finding"))
	case doc.Percent < f.threshold:
		return findingsError("%s: tests cover %.1f percent of the rules, less than %g", bundle, doc.Percent, f.threshold)
	}
	return nil
}

// play plays the tests that the pattern chooses.
func (f *testFlags) play(set *rules.Set, cat *vehicle.Catalog, pattern *regexp.Regexp) *testDoc {
	doc := &testDoc{Bundle: set.Manifest.Name, Judge: "plain", Tests: []testResult{}, Inert: []problemDoc{}, Rules: []ruleCover{}}
	if f.harness {
		doc.Judge = "harness"
	}
	j := judgeOf(f.harness)
	var played []rulestest.CaseReport
	for _, c := range set.Cases {
		if !pattern.MatchString(c.Name) {
			continue
		}
		begin := time.Now()
		rep := rulestest.Play(set, cat, j, c)
		doc.add(&rep, time.Since(begin))
		played = append(played, rep)
	}
	sum := rulestest.Sum(set, played)
	if f.run == "" {
		doc.Inert = problemDocs(sum.Inert)
	}
	covered := 0
	for _, r := range set.Rules {
		rc := ruleCover{Rule: r.ID, Fired: sum.Fired[r.ID], Silent: sum.Silent[r.ID]}
		if rc.Fired > 0 && rc.Silent > 0 {
			covered++
		}
		doc.Rules = append(doc.Rules, rc)
	}
	doc.Percent = 100
	if len(set.Rules) > 0 {
		doc.Percent = 100 * float64(covered) / float64(len(set.Rules))
	}
	return doc
}
