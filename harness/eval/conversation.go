// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// Step is one message of the assistant with what came of it.
type Step struct {
	Message int // index in the record
	Turn    int // index of its turn
	Text    string
	Calls   []vehicle.Call // their ids are unique in the run
	Results []vehicle.Result
}

// Speaks reports whether the driver heard the step: text beside calls never
// reaches anybody.
func (s *Step) Speaks() bool { return len(s.Calls) == 0 }

// Turn is one message of the driver and the steps that follow it.
type Turn struct {
	Message     int
	Text        string
	First, Last int // steps, Last excluded
}

// Conversation is a run taken apart.
type Conversation struct {
	Run   *sim.Run
	Task  *sim.Task
	Turns []Turn
	Steps []Step
}

// NewConversation takes a run apart. Results are matched to calls by id, by
// position where ids do not help.
func NewConversation(r *sim.Run, t *sim.Task) *Conversation {
	c := &Conversation{Run: r, Task: t}
	for i := range r.Messages {
		m := &r.Messages[i]
		switch m.Role {
		case "user":
			c.Turns = append(c.Turns, Turn{Message: i, Text: m.Content, First: len(c.Steps), Last: len(c.Steps)})
		case "assistant":
			if len(c.Turns) == 0 {
				c.Turns = append(c.Turns, Turn{Message: -1})
			}
			c.Steps = append(c.Steps, newStep(r, i, len(c.Turns)-1))
			c.Turns[len(c.Turns)-1].Last = len(c.Steps)
		}
	}
	return c
}

func newStep(r *sim.Run, at, turn int) Step {
	m := &r.Messages[at]
	s := Step{Message: at, Turn: turn, Text: m.Content}
	used := map[int]bool{}
	for j, call := range m.Calls {
		k := answerTo(r.Messages, at+1, call.ID, j, used)
		call.ID = fmt.Sprintf("m%d.%d", at, j)
		s.Calls = append(s.Calls, call)
		if k < 0 {
			s.Results = append(s.Results, vehicle.Result{CallID: call.ID, Tool: call.Tool, Status: vehicle.Failed, Reason: "the record has no result"})
			continue
		}
		used[k] = true
		s.Results = append(s.Results, resultOf(&call, r.Messages[k].Content))
	}
	return s
}

// answerTo finds the tool message that answers a call: the one with its id
// nearest its place, else the one at its place.
func answerTo(ms []sim.Message, from int, id string, j int, used map[int]bool) int {
	tool := func(k int) bool { return k < len(ms) && ms[k].Role == "tool" && !used[k] }
	if tool(from+j) && ms[from+j].CallID == id {
		return from + j
	}
	for k := from; k < len(ms) && ms[k].Role == "tool"; k++ {
		if tool(k) && ms[k].CallID == id {
			return k
		}
	}
	if tool(from + j) {
		return from + j
	}
	return -1
}

// Draft is the step as a proposal.
func (s *Step) Draft() harness.Draft {
	return harness.Draft{Text: s.Text, Calls: append([]vehicle.Call(nil), s.Calls...), Student: "recorded"}
}

// tell takes the step into a suite as what really happened.
func (s *Step) tell(u *harness.Suite) {
	text := s.Text
	if !s.Speaks() {
		text = ""
	}
	u.Record(text, append([]vehicle.Call(nil), s.Calls...), s.Results)
}
