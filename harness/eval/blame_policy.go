// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"slices"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// policyFault finds the calls that an automatic policy error is about: those
// that a tool complained of at once, else the message without which the
// checks find nothing, and in it the calls without which they find nothing.
func (sc *Scene) policyFault(e string) []Fault {
	for i := range sc.Steps {
		for j, o := range sc.At[i].Outcomes {
			if slices.Contains(o.Policy, e) {
				return []Fault{{Component: ByPolicy, Message: sc.Steps[i].Message, Calls: []string{sc.Steps[i].Calls[j].ID}, Why: e}}
			}
		}
	}
	for i := range sc.Steps {
		if sc.Steps[i].Speaks() || !slices.Contains(sc.checks(i, nil), e) {
			continue
		}
		f := Fault{Component: ByPolicy, Message: sc.Steps[i].Message, Missing: sc.missing(i), Why: e}
		for j, c := range sc.Steps[i].Calls {
			rest := slices.Delete(slices.Clone(sc.Steps[i].Calls), j, j+1)
			if !slices.Contains(sc.checks(i, rest), e) {
				f.Calls = append(f.Calls, c.ID)
			}
		}
		return []Fault{f}
	}
	return nil
}

// checks are the policy errors on the messages up to a step, in the final
// state of the conversation. The step's calls can be replaced.
func (sc *Scene) checks(step int, instead []vehicle.Call) []string {
	s, err := sim.NewScorer(sc.Task, sc.Data)
	if err != nil {
		return nil
	}
	for i := range sc.Steps {
		for _, c := range sc.Steps[i].Calls {
			s.Car.Call(c.Tool, c.Args)
		}
		switch {
		case i == step && instead != nil:
			s.Note(instead)
		case i <= step && !sc.Steps[i].Speaks():
			s.Note(sc.Steps[i].Calls)
		}
	}
	return s.Score().PolicyErrors
}

// judgeFault finds the call or reply that a judge's complaint is about: of a
// line about what must be told the first reply after a call that makes the
// line relevant, of any other line the first such call; the last reply when
// there is none.
func (sc *Scene) judgeFault(lines []policyLine, complaint string) Fault {
	id := lineOf(lines, complaint)
	f := Fault{Component: ByJudge, Why: id + ": " + complaint}
	line, seen := judged[id], false
	for i := range sc.Steps {
		s := &sc.Steps[i]
		for _, c := range s.Calls {
			if !slices.Contains(line.tools, c.Tool) {
				continue
			}
			seen = true
			if !line.reply {
				f.Message, f.Calls = s.Message, []string{c.ID}
				return f
			}
		}
		if seen && s.Speaks() {
			f.Message, f.Reply = s.Message, true
			return f
		}
	}
	f.Message, f.Reply = sc.Steps[sc.lastReply()].Message, true
	return f
}
