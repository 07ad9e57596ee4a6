// SPDX-License-Identifier: Apache-2.0

package judge_test

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/cross/sharedtest"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/judge"
	"github.com/carguardd/carguardd/rules/bundletest"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/testdata"
)

// carriedOut says by which rules of the in-car bundle, and by which gates of
// the harness whatever the rules, a statement of the benchmark's policy is
// carried out. The number is its row in policy_statements.md.
var carriedOut = map[int]struct{ rules, gates []string }{
	3:  {gates: []string{"output-integrity"}}, // and every reply is made speakable
	4:  {rules: []string{"002"}},
	5:  {gates: []string{"completion"}},
	6:  {gates: []string{"missing-capability", "unknown-hidden"}},
	7:  {gates: []string{"tool-exists", "schema"}},
	10: {gates: []string{"output-integrity"}}, // the text beside calls is never spoken
	11: {gates: []string{"question-not-command", "unrequested-write"}},
	12: {gates: []string{"unrequested-write"}},
	13: {gates: []string{"missing-capability", "value-grounding"}},
	14: {gates: []string{"ask-before-reading", "preferences-first"}},
	16: {gates: []string{"preference-conflict", "value-grounding"}},
	17: {gates: []string{"preferences-first", "preference-conflict"}},
	20: {gates: []string{"present-before-commit", "ask-before-reading"}},
	21: {gates: []string{"value-grounding", "provenance"}},
	23: {rules: []string{"008", "008-fog", "011a"}, gates: []string{"gather", "preferences-first"}},
	24: {rules: []string{"004"}},
	26: {rules: []string{"005"}},
	27: {rules: []string{"007"}},
	28: {rules: []string{"008"}},
	29: {rules: []string{"008-fog"}},
	30: {rules: []string{"008", "008-fog"}},
	31: {rules: []string{"010a"}},
	32: {rules: []string{"010b"}},
	33: {rules: []string{"010c"}},
	34: {rules: []string{"011a"}},
	35: {rules: []string{"011b"}},
	36: {rules: []string{"012"}},
	37: {rules: []string{"013a"}},
	38: {rules: []string{"013b"}},
	39: {rules: []string{"014"}},
	40: {rules: []string{"places"}},
	41: {rules: []string{"poi-poi"}},
	42: {rules: []string{"ids"}, gates: []string{"provenance"}},
	43: {rules: []string{"016"}},
	44: {rules: []string{"017"}},
	45: {rules: []string{"018"}},
	46: {rules: []string{"018-sequence"}},
	47: {rules: []string{"019"}},
	48: {gates: []string{"present-before-commit"}},
	49: {rules: []string{"021", "022-toll"}},
	50: {rules: []string{"022", "022-toll"}},
	51: {rules: []string{"pois"}, gates: []string{"present-before-commit"}},
	53: {rules: []string{"along-route"}},
	54: {rules: []string{"023"}},
	55: {rules: []string{"024"}},
	56: {rules: []string{"contact-name"}},
	57: {rules: []string{"call-last"}},
}

// Every statement that observations, arguments and the reply decide is carried
// out, most of them by rules; each rule fires in one test and stays silent in
// another, plainly and in the harness. That every rule, and every comparison of
// it, is missed by a test when it is taken away or turned round is tested in
// package rules.
func TestStatements(t *testing.T) {
	set, cat := bundletest.Load(t, testdata.FS, testdata.InCarBundle, testdata.DemoEV)
	plain, driven := rulestest.Run(set, cat, rulestest.Plain{}), rulestest.Run(set, cat, judge.Judge{})
	var gates []string
	for _, g := range harness.Gates() {
		gates = append(gates, g.Name)
	}
	for row, by := range carriedOut {
		for _, id := range by.rules {
			if set.Rule(id) == nil {
				t.Errorf("statement %d: there is no rule %s", row, id)
				continue
			}
			for _, rep := range []*rulestest.Report{&plain, &driven} {
				if rep.Fired[id] == 0 || rep.Silent[id] == 0 {
					t.Errorf("statement %d: tests fire rule %s %d times and leave it silent %d times", row, id, rep.Fired[id], rep.Silent[id])
				}
			}
		}
		for _, g := range by.gates {
			if !slices.Contains(gates, g) {
				t.Errorf("statement %d: there is no gate %s", row, g)
			}
		}
	}
	byRule, parts := 0, 0
	for row, dec := range decidable(t) {
		by, ok := carriedOut[row]
		switch {
		case dec == "Y" && !ok:
			t.Errorf("nothing carries out statement %d, which can be decided", row)
		case dec == "Y" && by.rules != nil:
			byRule++
		case dec == "P" && ok:
			parts++
		case dec == "N" && ok:
			t.Errorf("statement %d cannot be decided", row)
		}
	}
	t.Logf("by rules: %d of 33 that can be decided; %d that can be decided in part", byRule, parts)
	if byRule < 30 || parts < 8 {
		t.Errorf("only %d that can be decided are rules, and %d that can in part are carried out", byRule, parts)
	}
}

// decidable is which statements can be decided: Y, P (in part) or N, by row.
func decidable(t *testing.T) map[int]string {
	t.Helper()
	data, err := os.ReadFile(sharedtest.Path(t, "carbench/policy_statements.md"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[int]string{}
	count := map[string]int{}
	row := regexp.MustCompile(`^\| (\d+) \|`)
	for line := range strings.Lines(string(data)) {
		m := row.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		n, _ := strconv.Atoi(m[1])
		cells := strings.Split(line, " | ")
		out[n] = strings.TrimSpace(cells[4])[:1]
		count[out[n]]++
	}
	if len(out) != 57 || count["Y"] != 33 {
		t.Fatalf("read %d statements, %v", len(out), count)
	}
	return out
}
