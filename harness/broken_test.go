// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// A rule that cannot be evaluated does to its trigger what its error class
// says, and the other rules of its gate go on.
func TestBrokenRule(t *testing.T) {
	const roof, shade = `open_close_sunroof{"percentage":50}`, `open_close_sunshade{"percentage":100}`
	for _, tc := range []struct {
		name     string
		class    rules.Class
		prefetch bool
		want     []string
	}{
		{"it refuses", rules.ClassRefuse, true, nil},
		{"it refuses, with nothing read ahead", rules.ClassRefuse, false, nil},
		{"it allows", rules.ClassAllow, true, []string{shade, roof}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := carWorld()
			if w.err != nil {
				t.Fatal(w.err)
			}
			cat := vehicle.NewCatalog(w.profile)
			set, err := rules.Load(testdata.FS, testdata.InCarBundle, cat)
			if err != nil {
				t.Fatal(err)
			}
			set.Rule("008").Error = tc.class
			sc := &scene{t: t, car: harnesstest.NewCar(cat, atRest(w.profile)),
				student: harnesstest.NewStudent(harnesstest.Calls("open_close_sunroof", `{"percentage":50}`), harnesstest.Say("That did not work."))}
			sc.car.Answers["get_weather"] = vehicle.MustJSON(`{"current_slot":{"condition":"rain"},"next_slot":null}`)
			sc.session, err = harness.NewSession(harness.Parts{ID: "s", Catalog: cat, Rules: func() *rules.Set { return set }, Car: sc.car, Student: sc.student,
				Language: w.lang(cat), Config: harness.Config{Off: harness.Repairs{Prefetch: !tc.prefetch}},
				Context: func(name string) vehicle.Value {
					if name == "now.month" {
						panic("no calendar")
					}
					return around[name]
				}})
			if err != nil {
				t.Fatal(err)
			}
			turn := sc.say("open the sunroof to 50 percent")
			sc.writes(tc.want...)
			if turn.Outcome == harness.Faulted {
				t.Errorf("the turn broke off: %v", turn.Notes)
			}
			if !slices.ContainsFunc(turn.Notes, func(n string) bool { return strings.Contains(n, "rule 008 failed: no calendar") }) {
				t.Errorf("notes %q", turn.Notes)
			}
			rejected := slices.ContainsFunc(turn.Steps, func(st *harness.Step) bool {
				return slices.ContainsFunc(st.Checks, func(c harness.Check) bool {
					return slices.ContainsFunc(c.Findings, func(f harness.Finding) bool { return f.Rule == "008" && f.Action == harness.Block })
				})
			})
			if rejected != (tc.class == rules.ClassRefuse) {
				t.Errorf("blocked by the rule: %v", rejected)
			}
		})
	}
}
