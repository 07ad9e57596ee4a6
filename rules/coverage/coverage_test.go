// SPDX-License-Identifier: Apache-2.0

package coverage_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundletest"
	"github.com/carguardd/carguardd/rules/coverage"
	"github.com/carguardd/carguardd/testdata"
)

func TestOf(t *testing.T) {
	set := &rules.Set{
		Policy: `# The policy. It has a heading.

Be kind, e.g. to "children". Never lie!
Ask
first. 007: Then act.

- one: Close the roof. It rains.
* Windows stay as
  they are
<!-- a comment.
Not policy. -->
` + "```\nno policy.\n```\n" + `1. Numbered? Yes.
`,
		Rules:    []*rules.Rule{{ID: "a", Policy: "Close  the roof."}, {ID: "b", Policy: "roof. It rains."}, {ID: "c", Policy: "Windows stay as they are"}, {ID: "none"}},
		Advisory: []*rules.Advisory{{Policy: `Be kind, e.g. to "children".`, Why: "a matter of taste"}},
	}
	var got []string
	rep := coverage.Of(set)
	for _, s := range rep.Sentences {
		got = append(got, fmt.Sprintf("%d %s %v %s: %s", s.Line, s.Status, s.Rules, s.Why, s.Text))
	}
	want := []string{
		`3 advisory [] a matter of taste: Be kind, e.g. to "children".`,
		"3 not covered [] : Never lie!",
		"4 not covered [] : Ask first.",
		"5 not covered [] : 007: Then act.",
		"7 executable [a b] : one: Close the roof.",
		"7 executable [b] : It rains.",
		"8 executable [c] : Windows stay as they are",
		"15 not covered [] : Numbered?",
		"15 not covered [] : Yes.",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if rep.Executable != 3 || rep.Advisory != 1 || rep.NotCovered != 5 || rep.Decided() != 100*4/9.0 {
		t.Errorf("counted %+v", rep)
	}
}

// TestBundles: somebody has decided about every sentence of the policies of
// the repository.
func TestBundles(t *testing.T) {
	for bundle, profile := range map[string]string{testdata.InCarBundle: testdata.DemoEV, testdata.GreenhouseBundle: testdata.Greenhouse} {
		set, _ := bundletest.Load(t, testdata.FS, bundle, profile)
		rep := coverage.Of(set)
		for _, s := range rep.Sentences {
			if s.Status == coverage.NotCovered {
				t.Errorf("%s/policy.md:%d: not covered: %s", bundle, s.Line, s.Text)
			}
		}
		if rep.Executable == 0 {
			t.Errorf("%s: nothing is executable", bundle)
		}
	}
}
