// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"slices"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// Component is one scored part of a verdict.
type Component string

// The components of a verdict.
const (
	ByState     Component = "state"     // final or spoken states off the gold ones
	BySubset    Component = "subset"    // a gold tool was never called
	ByExecution Component = "execution" // a scored tool error
	ByPolicy    Component = "policy"    // an automatic policy check
	ByJudge     Component = "judge"     // a model found a policy line violated
	ByDriver    Component = "driver"    // the driver ended the conversation
)

// Fault is where and by what one component was lost.
type Fault struct {
	Component Component      `json:"component"`
	Message   int            `json:"message"`         // index in the record
	Calls     []string       `json:"calls,omitempty"` // ids of what was done wrong
	Reply     bool           `json:"reply,omitempty"` // what was said there is at fault
	Signals   []string       `json:"signals,omitempty"`
	Missing   []vehicle.Call `json:"missing,omitempty"` // gold calls that were not made by then
	Why       string         `json:"why"`
}

// Blame is what a failed run was lost by.
type Blame struct {
	Message int     `json:"message"` // of the earliest fault; -1: the record does not say why it failed
	Faults  []Fault `json:"faults,omitempty"`
}

// FindBlame returns the step after which the recorded outcome was lost.
func FindBlame(sc *Scene, policy string) Blame {
	b := Blame{Message: -1}
	if len(sc.Steps) == 0 {
		return b
	}
	info, rec := sc.Run.Info, sc.Score
	lost := func(name string, scored bool) bool {
		v, _ := info.Member(name)
		if f, ok := v.Float(); ok {
			return f == 0
		}
		return info.Kind() == vehicle.Unknown && !scored
	}
	add := func(f ...Fault) { b.Faults = append(b.Faults, f...) }
	if lost("r_actions_final", rec.Final) || lost("r_actions_intermediate", rec.Intermediate) {
		add(sc.stateFault())
	}
	if lost("r_tool_subset", rec.Subset) {
		add(sc.subsetFault())
	}
	if lost("r_tool_execution", rec.Execution) {
		add(sc.executionFault()...)
	}
	for _, e := range rec.PolicyErrors {
		add(sc.policyFault(e)...)
	}
	if llm, _ := info.Member("policy_llm_errors"); llm.Len() > 0 {
		lines := policyLines(policy)
		for _, e := range llm.Items() {
			add(sc.judgeFault(lines, e.String()))
		}
	}
	if lost("r_user_end_conversation", rec.Real) {
		at := sc.lastReply()
		add(Fault{Component: ByDriver, Message: sc.Steps[at].Message, Reply: true, Missing: sc.missing(at + 1),
			Calls: sc.fictions(), Why: "the driver ended it: " + text(info, "end_conversation_keyword")})
	}
	for _, f := range b.Faults {
		if b.Message < 0 || f.Message < b.Message {
			b.Message = f.Message
		}
	}
	return b
}

// lastReply is the last step that was heard, or the last of all.
func (sc *Scene) lastReply() int {
	for i := len(sc.Steps) - 1; i >= 0; i-- {
		if sc.Steps[i].Speaks() {
			return i
		}
	}
	return len(sc.Steps) - 1
}

// fictions are the calls that used a removed part.
func (sc *Scene) fictions() []string {
	car, err := sim.NewTaskCar(sc.Task, sc.Data)
	if err != nil {
		return nil
	}
	var out []string
	for i := range sc.Steps {
		for _, c := range sc.Steps[i].Calls {
			n := len(car.Fictions())
			if car.Call(c.Tool, c.Args); len(car.Fictions()) > n {
				out = append(out, c.ID)
			}
		}
	}
	return out
}

// missing are the gold calls that were not made before the step.
func (sc *Scene) missing(before int) []vehicle.Call {
	var out []vehicle.Call
	for _, g := range sc.Task.Gold {
		if !sc.called(&g, before) {
			out = append(out, g)
		}
	}
	return out
}

// writer is the call that gave a signal its value.
type writer struct{ step, call, signal int }

// stateFault finds the first write of a value that no gold state has and that
// is still there when the assistant next speaks; else the first spoken step
// off the gold states; else the last step.
func (sc *Scene) stateFault() Fault {
	var writers []writer // since the last spoken step that was on gold, oldest first
	for i := range sc.Steps {
		m := &sc.At[i]
		for j := range m.After {
			before := m.Before
			if j > 0 {
				before = m.After[j-1]
			}
			for _, s := range changed(before, m.After[j]) {
				writers = slices.DeleteFunc(writers, func(w writer) bool { return w.signal == s })
				writers = append(writers, writer{i, j, s})
			}
		}
		if !sc.Steps[i].Speaks() && i < len(sc.Steps)-1 {
			continue
		}
		now := m.End()
		foreign := slices.DeleteFunc(slices.Clone(writers), func(w writer) bool { return sc.golden(w.signal, now[w.signal]) })
		if len(foreign) > 0 {
			return sc.written(foreign, "a value that no gold state has")
		}
		if !sc.onGold(now) && sc.Steps[i].Speaks() {
			f := sc.written(writers, "")
			f.Message, f.Reply, f.Missing = sc.Steps[i].Message, true, sc.missing(i+1)
			f.Why = "it spoke in a state that is no gold state"
			return f
		}
		writers = nil
	}
	last := len(sc.Steps) - 1
	return Fault{Component: ByState, Message: sc.Steps[last].Message, Reply: sc.Steps[last].Speaks(), Missing: sc.missing(last + 1),
		Why: "gold calls were never made"}
}

func (sc *Scene) written(ws []writer, why string) Fault {
	f := Fault{Component: ByState, Why: why}
	for k, w := range ws {
		if k == 0 {
			f.Message = sc.Steps[w.step].Message
		}
		id := sc.Steps[w.step].Calls[w.call].ID
		if !slices.Contains(f.Calls, id) {
			f.Calls = append(f.Calls, id)
		}
		f.Signals = append(f.Signals, sc.signal(w.signal))
	}
	return f
}

func (sc *Scene) signal(i int) string { return sc.Profile.Signals[i].Name }

func (sc *Scene) subsetFault() Fault {
	last := len(sc.Steps) - 1
	f := Fault{Component: BySubset, Message: sc.Steps[last].Message, Why: "gold tools were never called"}
	for _, g := range sc.Task.Gold {
		if slices.Contains(sc.Score.MissingTools, g.Tool) {
			f.Missing = append(f.Missing, g)
		}
	}
	return f
}

// executionFault is the first call that ended in a scored error.
func (sc *Scene) executionFault() []Fault {
	for i := range sc.Steps {
		for j, o := range sc.At[i].Outcomes {
			if len(o.Tool) > 0 {
				return []Fault{{Component: ByExecution, Message: sc.Steps[i].Message, Calls: []string{sc.Steps[i].Calls[j].ID}, Why: o.Tool[0]}}
			}
		}
	}
	return nil // the gold calls themselves err
}
