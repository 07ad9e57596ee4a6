// SPDX-License-Identifier: Apache-2.0

package carguardd_test

import (
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/cross/sharedtest"
)

// The project was written against two lists that it does not carry: numbered
// behaviours of the harness, and cases from the field. Every line of them has a
// case. A test says by a mark which lines it is about: A14.91 or B32 in the name
// of a case, or the numbers alone behind the head of a test function.

// proof is what shows that a line holds: a text in a file, such as the head of a
// test or the name of a case. Why says more where the line is met in another way
// than it asks for, or not yet; a line that is not met has no file.
type proof struct {
	file, has, why string
}

func (p proof) check(t *testing.T, line string) {
	t.Helper()
	if p.file == "" {
		if p.why == "" {
			t.Errorf("%s: no proof and no reason", line)
		}
		return
	}
	raw, err := os.ReadFile(p.file)
	if err != nil {
		t.Errorf("%s: %v", line, err)
	} else if !strings.Contains(string(raw), p.has) {
		t.Errorf("%s: %s has no %q", line, p.file, p.has)
	}
}

// elsewhere are the behaviours that tests without marks are about.
var elsewhere = map[string]proof{
	"12":  {"rules/testdata/errors.txtar", "-- unknown-argument.yaml --", "in a rule file it is an error"},
	"78":  {"vehicle/foreign_test.go", "marked in words", ""},
	"98":  {"rules/testdata/errors.txtar", "-- no-comparison.yaml --", "in a rule file it is an error"},
	"137": {"harness/words/claims_test.go", "func TestSpeakable(", ""},
	"138": {"rules/testdata/errors.txtar", "-- unknown-type.yaml --", "in a rule file it is an error"},
	"139": {"rules/compile/cache_test.go", `"another place"`, ""},
	"140": {"rules/testdata/errors.txtar", "-- unknown-comparison.yaml --", "in a rule file it is an error"},
	"B19": {"rules/testdata/errors.txtar", "-- pattern-matches-nothing.yaml --", "it is an error at load; in a result, what is not there is unknown, and the rule says what follows"},
	"B21": {"rules/testdata/errors.txtar", "-- owe-missing-argument.yaml --", ""},
	"B33": {"harness/clean_test.go", "func TestDemandedThenClean(", ""},
	"B53": {"rules/compile/compile_test.go", "func TestFailure(", ""},
	"B54": {"rules/compile/cache_test.go", `"fewer tools"`, ""},
	"B55": {"rules/compile/cache_test.go", `"another place"`, ""},
}

// fieldCases are the rows of the first table of the cases, in its order.
var fieldCases = []proof{
	{"rules/testdata/errors.txtar", `unknown key "conditon"`, ""},
	{"harness/broken_test.go", "func TestBrokenRule(", ""},
	{"rules/testdata/errors.txtar", "-- unknown-class.yaml --", ""},
	{"harness/cases_test.go", "4 what was rejected never runs", ""},
	{"testdata/bundles/greenhouse/rules/orders_test.yaml", "a no to the first order is none to the second", ""},
	{"harness/cases_test.go", "6 a refusal is final in its turn", ""},
	{"harness/gate/gate_test.go", "func TestFailingGateAllows(", ""},
	{"rules/bundle/proof/proof_test.go", "func TestDeadline(", "the guard has no third party; rules are judged in this process, and a bundle's tests have a deadline"},
	{"cmd/carguardd/config/config_test.go", "func TestEachKeyRoundTrips(", ""},
	{"harness/behaviour_reading_test.go", "B26 unknown only through the draft's own write", ""},
	{"harness/behaviour_owed_test.go", "A14.102 executed collectively after the read", ""},
	{"rules/testdata/errors.txtar", "-- tool-with-parentheses.yaml --", ""},
	{"harness/behaviour_owed_test.go", "A14.94 collective although one is exempt", ""},
	{"harness/words/consent_neighbours_test.go", "okay, and turn on the radio", ""},
	{"harness/turn_test.go", "func TestTurnEndsHonestly(", ""},
	{"harness/turn_test.go", "func TestConsentIsForOneCallOnce(", ""},
	{"harness/behaviour_owed_test.go", "B25 parallel calls match their own results", ""},
	{"harness/behaviour_speech_test.go", "A9.58", ""},
	{"harness/cases_test.go", "19 all of one kind is nothing of another", ""},
	{"vehicle/boundary/stop_test.go", "func TestStopWithin100ms(", "on the bench; speech is not built yet"},
	{why: "a profile says what its positions mean, but nothing checks yet that opening does not lower one"},
	{"harness/words/number_test.go", "17,5 Grad", ""},
	{"harness/words/number_test.go", "func TestNumberWordsRoundTrip(", "numbers are said in the languages there are: English and German"},
	{"harness/words/consent_test.go", "not okay", ""},
	{"harness/words/consent_test.go", "Permission granted.", ""},
	{"harness/words/consent_test.go", "cancel the reservation", ""},
	{"harness/cases_test.go", "27 a denied command is none", ""},
	{why: "speech in is not built yet"},
	{why: "speech in is not built yet"},
	{"harness/student/reply/hostile_test.go", "func TestSplitHostile(", ""},
	{"harness/cases_test.go", "31 what can be read without loss, and what cannot", ""},
	{"harness/student/reply/draft_test.go", `\ud83c\udf78 \ud83c`, ""},
	{"harness/gate_cases_test.go", "can be taken back", ""},
	{"harness/words/claims_test.go", "func TestLooksLikeCall(", ""},
	{"harness/cases_test.go", "35 a second claim needs an effect too", ""},
	{"rules/bundle/reject_test.go", "func TestRejections(", ""},
	{"rules/bundle/disk_test.go", "func TestDamagedArchive(", ""},
	{"rules/bundle/trust/attack_test.go", "without any signature", ""},
	{"rules/bundle/reject_test.go", "func TestNeverEndingTests(", ""},
	{"rules/bundle/trust/trap_test.go", "func TestTwoHashes(", ""},
	{"rules/bundle/trust/trap_test.go", "func TestHalfWrittenMemory(", ""},
	{"rules/bundle/trust/trap_test.go", "func TestNewestRoot(", ""},
	{"rules/bundle/reject_test.go", "func TestExpired(", ""},
	{"rules/bundle/trust/trap_test.go", "func TestClock(", ""},
}

// fieldReports are the cases of the second list that the harness has to do with,
// by the report that they come from.
var fieldReports = map[string]proof{
	"home-assistant/core#126392":       {"harness/gate_domains_form_test.go", "Is the heater on?", ""},
	"home-assistant/core#123316":       {"harness/behaviour_form_test.go", "A1.1 a tool that is not offered", ""},
	"extended_openai_conversation#324": {"harness/turn_test.go", "func TestConfirmation(", ""},
	"ollama/ollama#11781":              {"harness/student/ollama/failure_test.go", "call that the server could not parse", ""},
	"ollama#1967":                      {"harness/student/ollama/failure_test.go", "func TestDeadlineInStream(", ""},
}

// Marks stand at the beginning of the name of a case, or behind the head of a
// test function or one line of it.
var (
	markName = regexp.MustCompile(`(?:id: |name: |t.Run\()"((?:(?:A\d+\.\d+|B\d+)[ :])+)`)
	markLine = regexp.MustCompile(`(?m)// ((?:(?:A\d+\.|B)?\d+(?:-\d+)?(?:, )?)+)$`)
	aMark    = regexp.MustCompile(`^A\d+\.`)
)

// behaviourMarks finds the marks in a test file.
func behaviourMarks(text string, mark func(n string)) {
	one := func(s string) {
		s = aMark.ReplaceAllString(strings.TrimRight(s, ":"), "")
		from, to, _ := strings.Cut(s, "-")
		first, errA := strconv.Atoi(from)
		last, errB := strconv.Atoi(to)
		if errA != nil || errB != nil {
			mark(s)
			return
		}
		for n := first; n <= last; n++ {
			mark(strconv.Itoa(n))
		}
	}
	for _, m := range markName.FindAllStringSubmatch(text, -1) {
		for _, part := range strings.Fields(m[1]) {
			one(part)
		}
	}
	for _, m := range markLine.FindAllStringSubmatch(text, -1) {
		for _, part := range strings.Split(m[1], ", ") {
			one(part)
		}
	}
}

func TestEveryBehaviourHasACase(t *testing.T) {
	raw, err := os.ReadFile(sharedtest.Path(t, "behaviours.md"))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, m := range regexp.MustCompile(`(?m)^(B?\d+)\. `).FindAllStringSubmatch(string(raw), -1) {
		lines = append(lines, m[1])
	}
	if len(lines) < 190 {
		t.Fatalf("only %d lines", len(lines))
	}
	marked := map[string]bool{}
	err = walk(func(p string) error {
		if !strings.HasSuffix(p, "_test.go") || path.Base(p) == "behaviours_test.go" || !strings.Contains(p, "harness/") {
			return nil
		}
		text, err := os.ReadFile(p)
		behaviourMarks(string(text), func(n string) { marked[n] = true })
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range lines {
		if p, ok := elsewhere[n]; ok {
			p.check(t, "behaviour "+n)
		} else if !marked[n] {
			t.Errorf("behaviour %s has no case", n)
		}
	}
	for n := range elsewhere {
		if !slices.Contains(lines, n) {
			t.Errorf("there is no behaviour %s", n)
		}
	}
}

func TestEveryCaseFromTheFieldHasATest(t *testing.T) {
	raw, err := os.ReadFile(sharedtest.Path(t, "cases.md"))
	if err != nil {
		t.Fatal(err)
	}
	table, _, _ := strings.Cut(string(raw), "## Buses")
	rows := -2 // its head
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "|") {
			rows++
		}
	}
	if rows != len(fieldCases) {
		t.Errorf("%d rows, and proofs of %d", rows, len(fieldCases))
	}
	for i, p := range fieldCases {
		p.check(t, fmt.Sprintf("row %d", i+1))
	}
	for id, p := range fieldReports {
		if !strings.Contains(string(raw), id) {
			t.Errorf("there is no case of %s", id)
		}
		p.check(t, id)
	}
}
