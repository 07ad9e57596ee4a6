// SPDX-License-Identifier: Apache-2.0

package eval_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness"
)

// docs/gates.md, which make eval writes, has the precision of every hard gate
// on the runs without harness and on those of other harnesses, and names every
// gate. A gate that found nothing says so.
func TestGatesDocHasEveryGate(t *testing.T) {
	raw, err := os.ReadFile("../../docs/gates.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for _, g := range harness.Gates() {
		if !strings.Contains(text, "| "+g.Name+" | "+string(g.Tier)+" | "+g.Doc+" |") {
			t.Errorf("%s is not among the gates, or is about something else there: make eval", g.Name)
		}
	}
	for _, section := range []string{"### Runs without harness", "### Runs of other harnesses"} {
		_, after, ok := strings.Cut(text, section)
		if !ok {
			t.Fatalf("there is no %q", section)
		}
		rows, _, _ := strings.Cut(after, "\n#")
		for _, g := range harness.Gates() {
			if g.Tier == harness.Hard && !hasPrecision(rows, g.Name) {
				t.Errorf("%s: no precision of %s: make eval", section, g.Name)
			}
		}
	}
}

// hasPrecision reports whether the rows of a gate hold a precision each: a
// number from 0 to 1, or a dash where there was nothing to be right about.
func hasPrecision(rows, gate string) bool {
	found := false
	for line := range strings.Lines(rows) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) < 9 || strings.TrimSpace(cells[0]) != gate {
			continue
		}
		for _, cell := range cells[7:9] {
			cell = strings.TrimSpace(cell)
			if p, err := strconv.ParseFloat(cell, 64); cell != "–" && (err != nil || p < 0 || p > 1) {
				return false
			}
		}
		found = true
	}
	return found
}
