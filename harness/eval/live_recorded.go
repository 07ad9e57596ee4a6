// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"cmp"
	"context"
	"slices"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// RunsOf are the recorded runs of a task, those without harness first, each
// group in the order of its trials.
func (c *Corpus) RunsOf(task string) []*sim.Run {
	var out []*sim.Run
	for i := range c.Runs {
		if c.Runs[i].Task == task && len(c.Runs[i].Messages) > 0 {
			out = append(out, &c.Runs[i])
		}
	}
	slices.SortStableFunc(out, func(a, b *sim.Run) int {
		if Plain(a) != Plain(b) {
			if Plain(a) {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.Trial, b.Trial), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// RecordedStudent proposes the drafts of a recorded run: with each recorded
// utterance those of its turn, and when they are used up it leaves the report
// to others. Calls that the driver was asked about are proposed again when the
// answer was not recorded. It cannot think: asked to revise,
// it proposes the same again.
type RecordedStudent struct {
	conv  *Conversation
	turn  int
	heard int // utterances
	of    replayer
}

// NewRecordedStudent makes the student of a run.
func NewRecordedStudent(r *sim.Run, t *sim.Task) *RecordedStudent {
	return &RecordedStudent{conv: NewConversation(r, t), turn: -1}
}

// Name implements harness.Student.
func (*RecordedStudent) Name() string { return "recorded" }

// Draft implements harness.Student.
func (s *RecordedStudent) Draft(ctx context.Context, p *harness.Prompt) (harness.Draft, error) {
	users, text := 0, ""
	for i := range p.Messages {
		if m := &p.Messages[i]; m.Role == harness.User {
			users, text = users+1, m.Text
		}
	}
	if users != s.heard {
		s.heard = users
		if !s.recorded(text) && !p.Decided && s.open() {
			s.of.next--
		}
	}
	d, err := s.of.Draft(ctx, p)
	d.Usage.ModelCalls = 1 // what it had cost then
	return d, err
}

// open reports whether the turn has not spoken since calls were proposed:
// somebody else asked a question about them.
func (s *RecordedStudent) open() bool {
	n := s.of.next
	return n > 0 && len(s.of.steps[n-1].Calls) > 0
}

// recorded takes up the next turn that begins with the words, if there is one.
func (s *RecordedStudent) recorded(words string) bool {
	for j := s.turn + 1; j < len(s.conv.Turns); j++ {
		if t := &s.conv.Turns[j]; t.Text == words {
			s.turn = j
			s.of.load(s.conv.Steps[t.First:t.Last])
			return true
		}
	}
	return false
}
