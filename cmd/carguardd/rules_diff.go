// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/rules/diff"
)

// rulesDiffDoc is the document of `rules diff --json`.
type rulesDiffDoc struct {
	Rules     []diff.Change  `json:"rules"`
	Behaviour diff.Behaviour `json:"behaviour"`
}

func newRulesDiff() *cobra.Command {
	var f ruleFlags
	var harness bool
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "compare two bundles by rule and by behaviour",
		Long: "Lists the rules that were added, removed or changed, and plays the tests of both\n" +
			"bundles to both: every turn that comes to something else is shown, whatever the\n" +
			"test expects. Exits with 3 when there is a difference.",
		Example: "  carguardd rules diff builtin:in-car my-bundle",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			doc, err := f.diff(args[0], args[1], harness)
			if err != nil {
				return err
			}
			if f.asJSON {
				err = writeJSON(cmd.OutOrStdout(), doc)
			} else {
				err = doc.write(cmd.OutOrStdout())
			}
			if n, m := len(doc.Rules), len(doc.Behaviour.Shifts); err == nil && n+m > 0 {
				err = findingsError("%s and %s differ", plural(n, "rule"), plural(m, "turn"))
			}
			return err
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&harness, "harness", false, "play the tests to the harness that drives the car")
	return cmd
}

func (f *ruleFlags) diff(was, is string, harness bool) (*rulesDiffDoc, error) {
	if f.profile == "" { // both are for the profile of the embedded one
		for _, b := range []string{was, is} {
			if builtin, ok := builtins()[b]; ok {
				f.profile = builtin[1]
			}
		}
	}
	a, _, err := f.load(was)
	if err != nil {
		return nil, err
	}
	b, cat, err := f.load(is)
	if err != nil {
		return nil, err
	}
	oldFS, oldDir, err := place(was)
	if err != nil {
		return nil, err
	}
	newFS, newDir, err := place(is)
	if err != nil {
		return nil, err
	}
	doc := &rulesDiffDoc{}
	if doc.Rules, err = diff.Rules(oldFS, oldDir, newFS, newDir); err != nil {
		return nil, failed(err)
	}
	if doc.Rules == nil {
		doc.Rules = []diff.Change{}
	}
	doc.Behaviour = diff.Behave(a, b, cat, judgeOf(harness))
	return doc, nil
}

func (d *rulesDiffDoc) write(w io.Writer) error {
	var b strings.Builder
	for _, c := range d.Rules {
		fmt.Fprintf(&b, "%s: rule %s: %s", c.Place, c.Rule, c.Kind)
		if c.Keys != nil {
			fmt.Fprintf(&b, ": %s", strings.Join(c.Keys, ", "))
		}
		b.WriteByte('\n')
	}
	for _, s := range d.Behaviour.Shifts {
		fmt.Fprintf(&b, "%s: %s, turn %d\n", s.Place, s.Case, s.Turn)
		for _, l := range s.Gone {
			fmt.Fprintf(&b, "  - %s\n", l)
		}
		for _, l := range s.Come {
			fmt.Fprintf(&b, "  + %s\n", l)
		}
	}
	for _, s := range d.Behaviour.Skipped {
		fmt.Fprintf(&b, "not played, one lexicon lacks its words: %s\n", s)
	}
	fmt.Fprintf(&b, "%s played to both, %s come to something else\n", plural(d.Behaviour.Tests, "test"), plural(len(d.Behaviour.Shifts), "turn"))
	_, err := io.WriteString(w, b.String())
	return err
}
