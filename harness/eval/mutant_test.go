// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"slices"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// copied is a copy that can be changed.
func (c *Conversation) copied() *Conversation {
	task := *c.Task
	task.Removed = slices.Clone(task.Removed)
	out := &Conversation{Run: c.Run, Task: &task, Turns: slices.Clone(c.Turns), Steps: slices.Clone(c.Steps)}
	for i := range out.Steps {
		s := &out.Steps[i]
		s.Calls, s.Results = slices.Clone(s.Calls), slices.Clone(s.Results)
	}
	return out
}

// at is the step looked at, turn its turn.
func (m *mutant) at() *Step { return &m.Steps[m.step] }

func (m *mutant) turn() *Turn { return &m.Turns[m.at().Turn] }

// cut ends the run after the step looked at: what followed answers what is no
// longer there.
func (m *mutant) cut() bool {
	m.Steps = m.Steps[:m.step+1]
	m.Turns = m.Turns[:m.at().Turn+1]
	m.turn().Last = m.step + 1
	return true
}

// drop takes the calls away that f picks, from the steps before the one given,
// and the steps of which nothing is left. It reports whether there were any.
func (m *mutant) drop(before int, f func(c *vehicle.Call) bool) bool {
	dropped := false
	for i := before - 1; i >= 0; i-- {
		s := &m.Steps[i]
		for j := len(s.Calls) - 1; j >= 0; j-- {
			if f(&s.Calls[j]) {
				s.Calls, s.Results, dropped = slices.Delete(s.Calls, j, j+1), slices.Delete(s.Results, j, j+1), true
			}
		}
		if dropped && len(s.Calls) == 0 && s.Text == "" {
			m.remove(i)
		}
	}
	return dropped
}

// remove takes a step away.
func (m *mutant) remove(i int) {
	m.move(i, -1)
	m.Steps = slices.Delete(m.Steps, i, i+1)
}

// insert puts a step before the i-th, in the turn of that one.
func (m *mutant) insert(i int, s Step) {
	s.Turn = m.Steps[i].Turn
	m.move(i, +1)
	m.Steps = slices.Insert(m.Steps, i, s)
}

func (m *mutant) move(i, by int) {
	turn := m.Steps[i].Turn
	m.Turns[turn].Last += by
	for k := turn + 1; k < len(m.Turns); k++ {
		m.Turns[k].First += by
		m.Turns[k].Last += by
	}
	if m.step > i || m.step == i && by > 0 {
		m.step += by
	}
}

// tool is the profile's tool of a call.
func (m *mutant) tool(c *vehicle.Call) *vehicle.Tool { return m.k.Profile.Tool(c.Tool) }

func (m *mutant) writes(c *vehicle.Call) bool {
	t := m.tool(c)
	return t != nil && t.Access == vehicle.Write
}

// find is the first call of the step that f picks, or -1.
func (m *mutant) find(f func(c *vehicle.Call) bool) int {
	for i := range m.at().Calls {
		if f(&m.at().Calls[i]) {
			return i
		}
	}
	return -1
}

// count is how many calls of the run f picks.
func (m *mutant) count(f func(c *vehicle.Call) bool) int {
	n := 0
	for i := range m.Steps {
		for j := range m.Steps[i].Calls {
			if f(&m.Steps[i].Calls[j]) {
				n++
			}
		}
	}
	return n
}

// earlier reports whether a call of an earlier step is picked.
func (m *mutant) earlier(f func(c *vehicle.Call) bool) bool {
	for i := range m.step {
		if slices.ContainsFunc(m.Steps[i].Calls, func(c vehicle.Call) bool { return f(&c) }) {
			return true
		}
	}
	return false
}

// writeSteps is in how many steps of the run something is written.
func (m *mutant) writeSteps() int {
	n := 0
	for i := range m.Steps {
		if slices.ContainsFunc(m.Steps[i].Calls, func(c vehicle.Call) bool { return m.writes(&c) }) {
			n++
		}
	}
	return n
}

// driver is all that the driver said, in lower case.
func (m *mutant) driver() string {
	var b strings.Builder
	for _, t := range m.Turns {
		b.WriteString(t.Text + "\n")
	}
	return strings.ToLower(b.String())
}

// said is all that was said in the run, in lower case.
func (m *mutant) said() string {
	var b strings.Builder
	for _, t := range m.Turns {
		b.WriteString(t.Text + "\n")
	}
	for i := range m.Steps {
		b.WriteString(m.Steps[i].Text + "\n")
	}
	return strings.ToLower(b.String())
}

// state is what is known before the step looked at.
func (m *mutant) state() vehicle.State {
	u, err := m.k.suite(m.Task, nil)
	if err != nil {
		return nil
	}
	for _, turn := range m.Turns {
		u.Hear(turn.Text)
		for i := turn.First; i < min(turn.Last, m.step); i++ {
			m.Steps[i].tell(u)
		}
	}
	return u.State()
}

// changes reports whether a call of the step changes what is known.
func (m *mutant) changes(c *vehicle.Call) bool {
	as, err := m.tool(c).Effects(c.Args, nil)
	state := m.state()
	return err == nil && slices.ContainsFunc(as, func(a vehicle.Assignment) bool {
		return a.Op == vehicle.Set && state[a.Signal].Known() && !state[a.Signal].Equal(a.Value)
	})
}

// callStep is a tool with arguments, as a call and its result in an own step.
func callStep(tool, args string, result vehicle.Value) Step {
	c := vehicle.Call{ID: "mutation", Tool: tool, Args: vehicle.MustJSON(args)}
	return Step{Calls: []vehicle.Call{c}, Results: []vehicle.Result{{CallID: c.ID, Tool: tool, Status: vehicle.Done, Value: result}}}
}
