// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"fmt"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// Trial is one conversation about a task.
type Trial struct {
	Task     string `json:"task"`
	Category string `json:"category"`
	Trial    int    `json:"trial"` // from 1
	// Passed is the part of the benchmark's verdict that code can give.
	Passed bool     `json:"passed"`
	Lost   []string `json:"lost,omitempty"` // what did not pass
	// Near are rules that wanted something done first of a write that was
	// carried out in a conversation that passed all the same.
	Near     []string      `json:"near,omitempty"`
	Turns    int           `json:"turns"`
	Seconds  float64       `json:"seconds"` // of all turns
	Usage    harness.Usage `json:"usage"`   // of the assistant's models
	User     harness.Usage `json:"user"`    // of the driver's
	Refused  int           `json:"refused,omitempty"`
	Broken   string        `json:"broken,omitempty"` // why the conversation broke off
	Unending bool          `json:"unending,omitempty"`

	Talk []harness.Message `json:"talk,omitempty"`
}

// Talk is a conversation as far as it has gone.
type Talk struct {
	Messages []harness.Message // what was said
	Question *harness.Question // what the harness asked last, and waits for
	Done     []vehicle.Call    // what was carried out
}

// Reply is what the assistant said last, or nothing.
func (t *Talk) Reply() string {
	for i := len(t.Messages) - 1; i >= 0; i-- {
		if t.Messages[i].Role == harness.Assistant {
			return t.Messages[i].Text
		}
	}
	return ""
}

// answer is what came of one utterance.
type answer struct {
	reply    string
	question *harness.Question
	steps    []did
	usage    harness.Usage
	refused  int
	broken   string // the assistant could not go on
	ended    bool   // a tool ended the conversation
}

// did is what was carried out at once.
type did struct {
	calls   []vehicle.Call
	results []vehicle.Result
}

// agent is an assistant in one of the modes.
type agent interface {
	turn(ctx context.Context, text string) (answer, error)
}

// trial has one conversation and judges it.
func (l *Live) trial(ctx context.Context, s *Setup, t *sim.Task, n int) (*Trial, error) {
	out := &Trial{Task: t.ID, Category: t.Category, Trial: n + 1}
	scorer, err := sim.NewScorer(t, l.Kit.Corpus.Data)
	if err != nil {
		return nil, err
	}
	parts, err := l.Kit.Parts(t)
	if err != nil {
		return nil, err
	}
	st, err := s.Student(t, n)
	if err != nil {
		return nil, err
	}
	user, err := l.User(t, n)
	if err != nil {
		return nil, err
	}
	car := &scoredCar{Direct: sim.Direct{Car: scorer.Car, Now: parts.Now}, scorer: scorer}
	watched := &watchedStudent{Student: st}
	a, err := l.agent(s, parts, car, watched)
	if err != nil {
		return nil, err
	}
	talk := &Talk{}
	var near nearMisses
	out.Unending = true
	for range l.Turns {
		text, end, used, err := user.Next(ctx, talk)
		out.User.Add(used)
		if err != nil && (gone(err) || student.KindOf(err) == "" || ctx.Err() != nil) {
			return nil, fmt.Errorf("the driver %s: %w", user.Name(), err)
		}
		if err != nil {
			out.Broken, out.Unending = "the driver failed: "+err.Error(), false
			break
		}
		if end {
			out.Unending = false
			break
		}
		start := l.Now()
		ans, err := a.turn(ctx, text)
		out.Seconds += l.Now().Sub(start).Seconds()
		if err == nil {
			err = ctx.Err()
		}
		if err == nil && watched.down != nil {
			err = watched.down
		}
		if err != nil {
			return nil, err
		}
		car.flush()
		scorer.Speak()
		near.turn(text, &ans)
		talk.add(text, &ans, l.Keep)
		out.Turns++
		out.Refused += ans.refused
		out.Usage.Add(ans.usage)
		if out.Broken = ans.broken; ans.broken != "" || ans.ended {
			out.Unending = false
			break
		}
	}
	out.judge(scorer.Score())
	if out.Passed {
		if out.Near, err = near.find(parts); err != nil {
			return nil, err
		}
	}
	if l.Keep {
		out.Talk = talk.Messages
	}
	return out, nil
}

// add takes in an utterance and what came of it; calls are kept when the
// report is to hold them.
func (t *Talk) add(text string, a *answer, calls bool) {
	t.Messages = append(t.Messages, harness.Message{Role: harness.User, Text: text})
	for _, d := range a.steps {
		t.Done = append(t.Done, d.calls...)
		if !calls {
			continue
		}
		t.Messages = append(t.Messages, harness.Message{Role: harness.Assistant, Calls: d.calls})
		for i := range d.results {
			r := d.results[i]
			r.Trace = nil
			t.Messages = append(t.Messages, harness.Message{Role: harness.ToolRole, Result: &r})
		}
	}
	t.Messages = append(t.Messages, harness.Message{Role: harness.Assistant, Text: a.reply})
	t.Question = a.question
}

// judge says what of the score was lost.
func (o *Trial) judge(s sim.Score) {
	o.Passed = s.Passed() && o.Broken == ""
	lost := func(ok bool, what string) {
		if !ok {
			o.Lost = append(o.Lost, what)
		}
	}
	lost(s.Final, "final state")
	lost(s.Intermediate, "spoken states")
	lost(s.Subset, "tool subset")
	lost(s.Execution, "tool execution")
	lost(s.Policy, "policy checks")
	lost(s.Real, "removed parts")
	lost(o.Broken == "", "broke off")
}

// gone reports whether nothing can be measured with a server any more. One that
// took too long, or broke off, costs its conversation only.
func gone(err error) bool {
	switch student.KindOf(err) {
	case student.Timeout, student.Incomplete:
		return false
	}
	return student.Down(err)
}

// watchedStudent remembers that its student's server is down: nothing can be
// measured then. Only a student that can be asked for its health has one; others
// that say so do it on purpose.
type watchedStudent struct {
	harness.Student
	down error
}

// Draft implements harness.Student.
func (s *watchedStudent) Draft(ctx context.Context, p *harness.Prompt) (harness.Draft, error) {
	d, err := s.Student.Draft(ctx, p)
	if _, served := s.Student.(student.Checker); served && gone(err) {
		s.down = err
	}
	return d, err
}
