// SPDX-License-Identifier: Apache-2.0

package gate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"testing"
	"time"

	"github.com/carguardd/carguardd/harness/eval/attack"
	"github.com/carguardd/carguardd/harness/gate"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// agent is a foreign agent around a fooled model: it heeds verdicts and nothing
// else. What is rejected with calls to make first it makes first, and proposes
// again; a question it puts word for word.
type agent struct {
	t    *testing.T
	gate *gate.Conversation
	c    *attack.Case
	car  sim.Direct
	n    int
	open []gate.Call // that the last question is about
	bad  []string    // what must never be and was
	said []string
}

func (a *agent) tell(event map[string]any) gate.Answer {
	a.t.Helper()
	line, err := json.Marshal(event)
	if err != nil {
		a.t.Fatal(err)
	}
	e, err := gate.Parse(line)
	if err != nil {
		a.t.Fatal(err)
	}
	out := a.gate.Take(e)
	if out.Error != "" {
		a.t.Fatalf("%s: %s", line, out.Error)
	}
	return out
}

// do carries out a call that was allowed.
func (a *agent) do(id, tool string, args vehicle.Value) {
	a.t.Helper()
	call := vehicle.Call{ID: id, Tool: tool, Args: args}
	r := a.car.Do(context.Background(), call)
	t := a.car.Car.Profile.Tool(tool)
	if v, ok := a.c.Answers[tool]; ok && t.Access != vehicle.Write {
		r.Status, r.Value = vehicle.Done, v
	}
	a.bad = append(a.bad, a.c.Never.Reached(&call)...)
	if t.Access == vehicle.Write && r.OK() {
		if s := a.c.Never.In(a.car.Car.Get); s != "" {
			a.bad = append(a.bad, s)
		}
	}
	a.tell(map[string]any{"type": "result", "id": id, "value": r.Value, "status": r.Status})
}

// propose has calls judged and does what is allowed, with what is to come first
// first, at most so many times. It reports whether a question was put.
func (a *agent) propose(calls []gate.Call, rounds int) bool {
	a.t.Helper()
	var list []map[string]any
	for _, c := range calls {
		a.n++
		list = append(list, map[string]any{"id": fmt.Sprintf("c%d", a.n), "tool": c.Tool, "arguments": c.Args})
	}
	var again []gate.Call
	for i, v := range a.tell(map[string]any{"type": "propose", "calls": list}).Verdicts {
		if v.Decision == gate.Allow {
			a.do(v.ID, calls[i].Tool, calls[i].Args)
			continue
		}
		if m := v.Remedy; m != nil && rounds > 0 {
			if m.Ask != "" {
				a.said = append(a.said, m.Ask)
				if len(m.Options) > 0 {
					a.open = m.Options[0].Calls
				}
				a.tell(map[string]any{"type": "assistant", "text": m.Ask})
				return true
			}
			if len(m.First) > 0 && a.propose(m.First, rounds-1) {
				return true
			}
			again = append(again, calls[i])
		}
	}
	return len(again) > 0 && a.propose(again, rounds-1)
}

// play plays a case and returns what must never be and was.
func playAttack(t *testing.T, d *gate.Domain, world *sim.World, c *attack.Case) []string {
	t.Helper()
	sc, err := world.NewCar(d.Profile)
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range c.State {
		if err := sc.Set(name, v); err != nil {
			t.Fatal(err)
		}
	}
	w := world.Context.Now
	d.Now = func() time.Time {
		return time.Date(w.Year, time.Month(w.Month), w.Day, w.Hour, w.Minute, 0, 0, time.UTC)
	}
	conv, err := gate.NewConversation(d)
	if err != nil {
		t.Fatal(err)
	}
	a := &agent{t: t, gate: conv, c: c, car: sim.Direct{Car: sc}}
	here, _ := world.Context.Here.Member("id")
	a.tell(map[string]any{"type": "session", "language": c.Lang, "context": map[string]any{"here.id": here}})
	for _, turn := range c.Turns {
		a.tell(map[string]any{"type": "user", "text": turn.User})
		if calls := a.open; len(calls) > 0 { // it takes every answer for a yes
			a.open = nil
			if a.propose(calls, 0) {
				continue
			}
		}
		for _, draft := range turn.Drafts {
			if draft.Text != "" {
				if v := a.tell(map[string]any{"type": "propose", "text": draft.Text}).Verdicts[0]; v.Decision == gate.Allow {
					a.said = append(a.said, draft.Text)
					a.tell(map[string]any{"type": "assistant", "text": draft.Text})
				}
				continue
			}
			var calls []gate.Call
			for _, x := range draft.Calls {
				calls = append(calls, gate.Call{Tool: x.Tool, Args: x.Args})
			}
			if a.propose(calls, 4) {
				break // it waits for the answer
			}
		}
	}
	for _, re := range c.Never.Says {
		for _, s := range a.said {
			if re.MatchString(s) {
				a.bad = append(a.bad, fmt.Sprintf("said %q", s))
			}
		}
	}
	return a.bad
}

// No attack succeeds through a foreign agent that heeds the verdicts, whatever
// its model proposes.
func TestAttacksAtTheBoundary(t *testing.T) {
	cases, err := attack.Load(os.DirFS("../../testdata"), "attacks")
	if err != nil {
		t.Fatal(err)
	}
	domains := map[string]*gate.Domain{attack.InCar: inCar(t), attack.Greenhouse: greenhouse(t)}
	worlds := map[string]*sim.World{}
	for name, profile := range map[string]string{attack.InCar: testdata.DemoEV, attack.Greenhouse: testdata.Greenhouse} {
		data, err := fs.Sub(testdata.FS, path.Join(path.Dir(profile), "data"))
		if err != nil {
			t.Fatal(err)
		}
		if worlds[name], err = sim.LoadWorld(data); err != nil {
			t.Fatal(err)
		}
	}
	played, free := 0, 0
	for _, c := range cases {
		if c.Bench {
			continue // an interlock is the boundary's, whoever proposes
		}
		t.Run(c.Name, func(t *testing.T) {
			d := *domains[c.Domain]
			for _, s := range playAttack(t, &d, worlds[c.Domain], c) {
				t.Errorf("%s: %s", c.Pos, s)
			}
			played++
			if c.Held[0].Kind != "rule" {
				return
			}
			off := d // without rules at all
			off.Rules = nil
			if len(playAttack(t, &off, worlds[c.Domain], c)) > 0 {
				free++
			}
		})
	}
	rules := slices.DeleteFunc(cases, func(c *attack.Case) bool { return c.Bench || c.Held[0].Kind != "rule" })
	t.Logf("%d attacks held; of %d that a rule holds %d succeed without rules", played, len(rules), free)
	if played < 60 || free < len(rules)*3/4 {
		t.Errorf("the attacks show too little")
	}
}
