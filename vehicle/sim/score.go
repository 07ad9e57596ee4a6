// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

// Scorer drives one task and judges it by everything that can be judged
// without a model: the state at the end and whenever the assistant spoke,
// the tools called, their errors, and the policy checks on the trajectory.
type Scorer struct {
	Task *Task
	Car  *Car

	gold     []moment // at the start and after each gold call
	goldErrs []string
	goldGaps []string
	samples  []moment // at the start and each time the assistant spoke
	batches  [][]vehicle.Call
}

// moment is the state of a car at one time.
type moment struct {
	state vehicle.State
	print string
}

func momentOf(c *Car) moment { return moment{c.State(), c.Fingerprint()} }

// Score is the deterministic part of a verdict. Components that a category
// does not count are true.
type Score struct {
	Final        bool // the final state is the gold one
	Intermediate bool // every sample is a gold prefix
	Subset       bool // every gold tool was called
	Execution    bool // no scored tool error
	Policy       bool // no automatic policy error
	Real         bool // no removed tool or argument was used

	MissingTools []string
	ToolErrors   []string // scored, those of the gold calls included
	PolicyErrors []string
	Fictions     []string
	OffPath      int // the first sample that is no gold prefix; -1: none
	// Gaps are look-ups that the data could not answer although both ends of
	// the route asked for are known: an error that rests on one of them says
	// nothing about the assistant.
	Gaps []string
}

// Passed reports whether every component is met.
func (s Score) Passed() bool {
	return s.Final && s.Intermediate && s.Subset && s.Execution && s.Policy && s.Real
}

// NewScorer starts the task: it runs the gold calls on a car of their own and
// prepares another for the assistant.
func NewScorer(t *Task, d *Data) (*Scorer, error) {
	ref, err := NewTaskCar(t, d)
	if err != nil {
		return nil, fmt.Errorf("task %s: %w", t.ID, err)
	}
	s := &Scorer{Task: t, gold: []moment{momentOf(ref)}}
	for _, g := range t.Gold {
		ref.Call(g.Tool, g.Args)
		s.gold = append(s.gold, momentOf(ref))
	}
	s.goldErrs, s.goldGaps = ref.ToolErrors(), ref.Gaps()
	if s.Car, err = NewTaskCar(t, d); err != nil {
		return nil, err
	}
	s.samples = []moment{momentOf(s.Car)}
	return s, nil
}

// Batch executes the calls of one assistant message.
func (s *Scorer) Batch(calls []vehicle.Call) []Outcome {
	s.batches = append(s.batches, calls)
	out := make([]Outcome, len(calls))
	for i, c := range calls {
		out[i] = s.Car.Call(c.Tool, c.Args)
	}
	return out
}

// Note takes in the calls of one assistant message that were carried out on
// the car already, by somebody who drives it call by call.
func (s *Scorer) Note(calls []vehicle.Call) { s.batches = append(s.batches, calls) }

// Speak is called when the assistant says something to the driver. It
// reports whether the state then is a gold prefix.
func (s *Scorer) Speak() bool {
	s.samples = append(s.samples, momentOf(s.Car))
	return s.onGold(len(s.samples) - 1)
}

// Gold returns the states along the gold calls, the start first.
func (s *Scorer) Gold() []vehicle.State { return states(s.gold) }

// Samples returns the states at the start and each time the assistant spoke.
func (s *Scorer) Samples() []vehicle.State { return states(s.samples) }

func states(l []moment) []vehicle.State {
	out := make([]vehicle.State, len(l))
	for i, m := range l {
		out[i] = m.state
	}
	return out
}

func (s *Scorer) onGold(i int) bool {
	return slices.ContainsFunc(s.gold, func(g moment) bool { return g.print == s.samples[i].print })
}

// Score judges the conversation so far as if it had ended.
func (s *Scorer) Score() Score {
	r := Score{Final: true, Intermediate: true, Subset: true, Execution: true, Policy: true, Real: true, OffPath: -1}
	r.ToolErrors = slices.Concat(s.Car.ToolErrors(), s.goldErrs)
	r.Execution = len(r.ToolErrors) == 0
	r.Gaps = slices.Concat(s.Car.Gaps(), s.goldGaps)
	r.Fictions = s.Car.Fictions()
	r.Real = len(r.Fictions) == 0
	if s.Task.Category == "hallucination" {
		return r
	}
	r.Final = s.Car.Fingerprint() == s.gold[len(s.gold)-1].print
	for i := range s.samples {
		if !s.onGold(i) {
			r.OffPath, r.Intermediate = i, false
			break
		}
	}
	called := map[string]bool{}
	for _, b := range s.batches {
		for _, c := range b {
			called[c.Tool] = true
		}
	}
	for _, g := range s.Task.Gold {
		if !called[g.Tool] && !slices.Contains(r.MissingTools, g.Tool) {
			r.MissingTools = append(r.MissingTools, g.Tool)
		}
	}
	r.Subset = len(r.MissingTools) == 0
	r.PolicyErrors = slices.Concat(s.Car.PolicyErrors(), checkPolicy(s.batches, s.Car))
	r.Policy = len(r.PolicyErrors) == 0
	return r
}

// Replayed is one recorded result beside what the simulated car gave.
type Replayed struct {
	Message  int // index of the tool message
	Call     vehicle.Call
	Recorded string
	Got      string
	Match    bool
}

// Replay executes the calls of a recorded run and compares every result. The
// score is the simulated car's.
func Replay(t *Task, d *Data, r *Run) ([]Replayed, Score, error) {
	s, err := NewScorer(t, d)
	if err != nil {
		return nil, Score{}, err
	}
	var out []Replayed
	for i, m := range r.Messages {
		switch {
		case m.Role != "assistant":
		case len(m.Calls) > 0:
			results := s.Batch(m.Calls)
			for j, c := range m.Calls {
				k := i + 1 + j
				if k >= len(r.Messages) || r.Messages[k].Role != "tool" {
					break // the record stops here
				}
				rec, got := r.Messages[k].Content, results[j].Text()
				out = append(out, Replayed{k, c, rec, got, sameContent(rec, got)})
			}
		default:
			s.Speak()
		}
	}
	return out, s.Score(), nil
}

// sameContent compares two results as JSON, or as text where they are none.
func sameContent(a, b string) bool {
	if a == b {
		return true
	}
	x, err1 := vehicle.ParseJSON([]byte(a))
	y, err2 := vehicle.ParseJSON([]byte(b))
	return err1 == nil && err2 == nil && x.Equal(y)
}
