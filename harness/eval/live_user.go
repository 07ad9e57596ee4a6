// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student/counsel"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// User plays the driver of one conversation.
type User interface {
	// Name identifies the driver in reports.
	Name() string
	// Next returns what the driver says after the conversation so far, or that
	// they end it. The usage counts with an error too.
	Next(ctx context.Context, t *Talk) (text string, end bool, used harness.Usage, err error)
}

// ScriptedUser says what was recorded, utterance by utterance, as long as the
// assistant asks what was asked then. A question of the harness is answered by
// the next recorded words where they answer it, else by the gold calls: yes, no,
// an option, or the values asked for. Recorded words that only answer are left
// out when nothing was asked. When all is said, a question of the assistant's
// is answered with the gold calls that are still missing.
type ScriptedUser struct {
	k      *Kit
	task   *sim.Task
	final  vehicle.State
	turns  []string
	heard  []string // what the recorded assistant had replied
	next   int
	extra  int
	offers int
}

// ScriptedUser makes the driver of a task from the recorded run, which may be
// nil: then the driver commands the gold writes.
func (k *Kit) ScriptedUser(t *sim.Task, r *sim.Run) (*ScriptedUser, error) {
	s, err := sim.NewScorer(t, k.Corpus.Data)
	if err != nil {
		return nil, err
	}
	gold := s.Gold()
	u := &ScriptedUser{k: k, task: t, final: gold[len(gold)-1]}
	if r == nil {
		writes := k.missing(t, nil)
		if len(writes) == 0 {
			return nil, fmt.Errorf("task %s: there is no recorded run and no gold write to make a script from", t.ID)
		}
		u.turns, u.heard = []string{k.Tongue.SpeakAll(writes)}, []string{""}
		return u, nil
	}
	c := NewConversation(r, t)
	for i := range c.Turns {
		if t := &c.Turns[i]; t.Text != "" && t.First < t.Last { // nobody answered the last words
			u.turns = append(u.turns, t.Text)
			u.heard = append(u.heard, c.Steps[t.Last-1].Text)
		}
	}
	if len(u.turns) == 0 {
		return nil, fmt.Errorf("run %s: nothing was said in it", r.ID)
	}
	return u, nil
}

// Name implements User.
func (u *ScriptedUser) Name() string { return "script" }

// Next implements User.
func (u *ScriptedUser) Next(_ context.Context, t *Talk) (text string, end bool, used harness.Usage, err error) {
	reply := t.Reply()
	if t.Question != nil {
		return u.answer(t), u.extra > maxQuestions, used, nil
	}
	asks := u.k.Tongue.Asks(reply) || strings.Contains(reply, "?")
	known := u.next > 0 && reply == strings.TrimSpace(u.heard[u.next-1])
	for u.next < len(u.turns) {
		text = u.turns[u.next]
		u.next++
		if u.next > 1 && !known && !asks && u.k.onlyAnswers(text, reply) {
			continue
		}
		return text, false, used, nil
	}
	if rest := u.k.missing(u.task, t.Done); asks && len(rest) > 0 && u.offers < maxOffers {
		u.offers++
		return u.k.Tongue.SpeakAll(rest), false, used, nil
	}
	return "", true, used, nil
}

// maxOffers is how often a driver says what is still missing.
const maxOffers = 2

// answer answers a question of the harness.
func (u *ScriptedUser) answer(t *Talk) string {
	u.extra++
	q := t.Question
	if u.next < len(u.turns) {
		a := u.k.Tongue.Answer(u.turns[u.next], q)
		if a.Kind == harness.Yes || a.Kind == harness.No {
			u.next++
			return u.turns[u.next-1]
		}
	}
	if len(q.Options) == 0 {
		if rest := u.k.missing(u.task, t.Done); len(rest) > 0 {
			return u.k.Tongue.SpeakAll(rest)
		}
	}
	return u.k.chooses(q, func(calls []vehicle.Call) bool {
		return leadsToGold(u.task, u.k.Corpus.Data, u.final, t.Done, calls)
	})
}

// onlyAnswers reports whether words are a mere yes or no.
func (k *Kit) onlyAnswers(text, reply string) bool {
	a := k.Tongue.Answer(text, &harness.Question{Text: reply, Options: []harness.Option{{}}})
	return (a.Kind == harness.Yes || a.Kind == harness.No) && a.Rest == ""
}

// missing are the gold writes that were not carried out.
func (k *Kit) missing(t *sim.Task, done []vehicle.Call) []vehicle.Call {
	var out []vehicle.Call
	for _, g := range t.Gold {
		tool := k.Profile.Tool(g.Tool)
		if tool != nil && tool.Access == vehicle.Write && !slices.ContainsFunc(done, func(c vehicle.Call) bool { return c.Canonical() == g.Canonical() }) {
			out = append(out, g)
		}
	}
	return out
}

// ModelUser is a driver that a model plays by the task's instruction.
type ModelUser struct {
	driver *counsel.Driver
	part   counsel.Part
}

// NewModelUser makes the driver of a task.
func NewModelUser(d *counsel.Driver, t *sim.Task) *ModelUser {
	p := counsel.Part{Persona: text(t.Raw, "persona"), Instruction: text(t.Raw, "instruction")}
	if more := text(t.Raw, "disambiguation_element_user"); more != "" {
		p.Instruction += " " + more
	}
	return &ModelUser{d, p}
}

// Name implements User.
func (u *ModelUser) Name() string { return u.driver.Name() }

// Next implements User.
func (u *ModelUser) Next(ctx context.Context, t *Talk) (string, bool, harness.Usage, error) {
	return u.driver.Say(ctx, u.part, t.Messages)
}
