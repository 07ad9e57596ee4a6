// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/vehicle"
)

func newRules() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "write, check and test rules",
		Long: "What a rule author needs (docs/rules.md). Every verb takes the directory of a\n" +
			"bundle, an archive that build made of one, or an embedded one: builtin:in-car,\n" +
			"builtin:greenhouse.\n\n" +
			"Exit codes: 0 all is well, 1 the verb could not do its work, 2 the command line\n" +
			"is wrong, 3 there are findings or failing tests.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newRulesFmt(), newRulesCheck(), newRulesLint(), newRulesTest(), newRulesExplain(), newRulesCoverage(), newRulesDiff(), newRulesBench(), newRulesCompile(), newRulesReplay(), newRulesBuild(), newRulesInspect())
	return cmd
}

// findingsError says that what was looked at is not as it should be.
func findingsError(format string, args ...any) error {
	return &exitError{code: exitFindings, err: fmt.Errorf(format, args...)}
}

// failed makes any error but that of a command line one of a verb that could
// not do its work: a broken bundle is no broken configuration here.
func failed(err error) error {
	var e *exitError
	if err == nil || errors.As(err, &e) {
		return err
	}
	return &exitError{code: exitFailed, err: err}
}

// problemDoc is a thing wrong with a file, in JSON.
type problemDoc struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

func problemDocs(ps vehicle.Problems) []problemDoc {
	out := []problemDoc{}
	for _, p := range ps {
		out = append(out, problemDoc{p.Pos.File, p.Pos.Line, p.Pos.Col, p.Text, p.Hint})
	}
	return out
}
