// SPDX-License-Identifier: Apache-2.0

package oracle_test

import (
	"fmt"
	"maps"

	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/cmd/carguardd/rig/oracle"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// tally is what was counted in turns that went well.
type tally struct {
	turns, drafted, executed int
	fired                    map[string]int // turns in which a rule spoke
	kinds                    map[string]int // answers and outcomes
}

func newTally() *tally { return &tally{fired: map[string]int{}, kinds: map[string]int{}} }

// counts compares what was heard with what both ends say that they sent.
func counts(w *oracle.Watch, r *rig.Rig) (bad []oracle.Violation) {
	_, commands := w.Counts()
	sent := r.System.Boundary.Stats().Sent
	if n := sent["body"] + sent["powertrain"]; n != commands {
		bad = append(bad, oracle.Violation{Statement: "frame", Text: fmt.Sprintf("the boundary sent %d frames, %d were heard", n, commands)})
	}
	return bad
}

// add counts a turn that went well.
func (n *tally) add(r *rig.Rig, t *harness.Turn, said oracle.Said) {
	n.turns++
	n.kinds[string(t.Outcome)]++
	if t.Answer != "" {
		n.kinds["answered "+t.Answer]++
	}
	fired, valid, done := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, st := range t.Steps {
		for _, ck := range st.Checks {
			for _, f := range ck.Findings {
				if f.Rule != "" && f.Action != harness.DemandRead {
					fired[f.Rule] = true
				}
			}
		}
		for i := range st.Draft.Calls {
			c := &st.Draft.Calls[i]
			if tool := r.Words.Catalog.Tool(c.Tool); st.Draft.Student == "random" && tool != nil && oracle.Changes(c.Tool) &&
				c.Raw == "" && c.Args.Kind() == vehicle.Object && len(tool.Input.Validate(c.Args)) == 0 {
				valid[c.Canonical()] = true
			}
		}
		for i := range st.Released {
			c := &st.Released[i]
			if oracle.Changes(c.Tool) && st.Results[i].OK() && (valid[c.Canonical()] || c.Origin == vehicle.ByConsent) {
				done[c.Canonical()] = true
			}
		}
	}
	for id := range fired {
		n.fired[id]++
	}
	if !said.Question && !said.No && !said.Stop { // then nothing may be written
		n.drafted += len(valid)
		n.executed += len(done)
	}
}

func (n *tally) String() string {
	return fmt.Sprintf("%d turns, %d of %d valid writes carried out (%.0f %%), %v, %v", n.turns, n.executed, n.drafted,
		100*float64(n.executed)/max(1, float64(n.drafted)), maps.Clone(n.kinds), maps.Clone(n.fired))
}
