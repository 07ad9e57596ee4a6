// SPDX-License-Identifier: Apache-2.0

package eval_test

import (
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/eval"
)

// What the advisory gates would put to a critic is counted by gate, and in no
// figure.
func TestAdviceIsCountedApart(t *testing.T) {
	k := shared(t)
	part := some(t, k.Corpus.Runs)
	rep, err := eval.Replay(t.Context(), k, part, nil)
	if err != nil {
		t.Fatal(err)
	}
	fired, gates := 0, 0
	for i, a := range rep.Advisory {
		fired += a.Fired + rep.AdvisoryOthers[i].Fired
		if a.Right > a.InTime || a.Gate != rep.AdvisoryOthers[i].Gate {
			t.Errorf("row %+v", a)
		}
	}
	for _, g := range harness.Gates() {
		if g.Tier == harness.Advisory {
			gates++
		}
	}
	if fired == 0 || len(rep.Advisory) != gates || gates != 8 {
		t.Errorf("%d findings of %d gates, %d advisory gates", fired, len(rep.Advisory), gates)
	}
	for _, r := range rep.Details {
		for _, f := range r.Found {
			if f.Finding.Tier == harness.Advisory {
				t.Errorf("%s: advisory %s is among the findings that count", r.ID, f.Gate)
			}
		}
	}
	if page := string(eval.GatesDoc(rep)); !strings.Contains(page, "## Advisory gates") || !strings.Contains(page, "| substitution | ") {
		t.Error("the page of the gates leaves the advisory ones out")
	}
}
