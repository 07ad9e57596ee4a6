// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// agent is the assistant of a setup for one conversation.
func (l *Live) agent(s *Setup, p harness.Parts, car *scoredCar, st harness.Student) (agent, error) {
	switch s.Mode {
	case ModeNone, ModeGates:
		a := &bareAgent{parts: p, car: car, student: st, tongue: l.Kit.Tongue, steps: l.Steps}
		if s.Mode == ModeNone {
			return a, nil
		}
		var err error
		a.suite, err = harness.NewSuite(p)
		return a, err
	case ModeFull:
		p.Car, p.Student, p.Progress = car, st, car.progress
		p.Config.Steps = l.Steps
		if s.Adjust != nil {
			s.Adjust(&p)
		}
		session, err := harness.NewSession(p)
		return &fullAgent{session}, err
	}
	return nil, fmt.Errorf("mode %q: there is none of this name", s.Mode)
}

// fullAgent is a session of the harness.
type fullAgent struct{ session *harness.Session }

func (a *fullAgent) turn(ctx context.Context, text string) (answer, error) {
	doc := a.session.Turn(ctx, text)
	out := answer{reply: doc.Reply, usage: doc.Usage, refused: len(doc.Withheld)}
	if doc.Outcome == harness.Asked {
		out.question = doc.Question
	}
	for _, s := range doc.Steps {
		out.steps = append(out.steps, apart(s.Released, s.Results)...)
	}
	return out, nil
}

// apart parts the reads that the harness made for a draft from the draft: they
// came before it.
func apart(calls []vehicle.Call, results []vehicle.Result) []did {
	own := func(i int) bool { return calls[i].Origin == vehicle.ByRead || calls[i].Origin == vehicle.ByPrefetch }
	var out []did
	for first, i := 0, 1; i <= len(calls); i++ {
		if i == len(calls) || own(i) != own(first) {
			out = append(out, did{calls[first:i], results[first:i]})
			first = i
		}
	}
	return out
}

// bareAgent is a student in a loop: what it calls is carried out, until it
// speaks. With a suite the gates stand at the action boundary: a call that they
// refuse is not carried out, and its result says why.
type bareAgent struct {
	parts   harness.Parts
	car     *scoredCar
	student harness.Student
	tongue  *harness.Tongue
	suite   *harness.Suite // nil: no gates
	steps   int

	messages []harness.Message
	ids      int
	asks     []*harness.Question // that refusals want put
}

func (a *bareAgent) turn(ctx context.Context, text string) (answer, error) {
	a.messages = append(a.messages, harness.Message{Role: harness.User, Text: text})
	if a.suite != nil {
		a.suite.Hear(text)
	}
	var out answer
	for range a.steps {
		d, err := a.draft(ctx)
		out.usage.Add(d.Usage)
		if err != nil {
			out.broken = "the student failed: " + err.Error()
			return out, ctx.Err()
		}
		if len(d.Calls) == 0 {
			out.reply = a.speak(&d, out.steps)
			return out, nil
		}
		done, refused := a.carryOut(ctx, d.Calls)
		out.refused += refused
		if len(done.calls) > 0 {
			out.steps = append(out.steps, done)
		}
		for i, c := range done.calls {
			if t := a.parts.Catalog.Tool(c.Tool); t != nil && t.Terminal && done.results[i].OK() {
				out.ended = true
				return out, nil
			}
		}
	}
	out.broken = fmt.Sprintf("the turn used up its %d steps", a.steps)
	return out, nil
}

// draft asks the student; a panic of it is a failed draft.
func (a *bareAgent) draft(ctx context.Context) (d harness.Draft, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("it broke off: %v", x)
		}
	}()
	d, err = a.student.Draft(ctx, &harness.Prompt{Policy: a.parts.Policy, Language: a.parts.Language.Code(), Messages: a.messages, Tools: a.parts.Catalog})
	d.Calls = slices.Clone(d.Calls)
	for i := range d.Calls {
		a.ids++
		d.Calls[i].ID, d.Calls[i].Origin = fmt.Sprintf("c%d", a.ids), vehicle.ByStudent
	}
	return d, err
}

// carryOut carries out what nothing speaks against, in order.
func (a *bareAgent) carryOut(ctx context.Context, calls []vehicle.Call) (done did, refused int) {
	no := map[string]*harness.Refusal{}
	if a.suite != nil {
		list := a.suite.Sift(nil, &harness.Draft{Calls: slices.Clone(calls)})
		for i := range list {
			no[list[i].Call] = &list[i]
		}
	}
	a.messages = append(a.messages, harness.Message{Role: harness.Assistant, Calls: calls})
	for _, c := range calls {
		var r vehicle.Result
		if why := no[c.ID]; why != nil {
			refused++
			r = vehicle.Result{CallID: c.ID, Tool: c.Tool, Status: vehicle.Refused, Reason: a.rejection(why), At: a.parts.Now()}
		} else {
			r = a.car.Do(ctx, c)
			done.calls, done.results = append(done.calls, c), append(done.results, r)
		}
		a.messages = append(a.messages, harness.Message{Role: harness.ToolRole, Result: &r})
	}
	a.car.flush()
	if a.suite != nil && len(done.calls) > 0 {
		a.suite.Record("", done.calls, done.results)
	}
	return done, refused
}

// rejection is a refusal as the student reads it in place of a result.
func (a *bareAgent) rejection(r *harness.Refusal) string {
	text := r.Gate + ": " + r.Note
	for _, p := range r.Remedy.Add {
		text += "; first call " + p.Call.Canonical()
	}
	if r.Question != nil {
		a.asks = append(a.asks, r.Question)
		text += "; ask the driver: " + r.Question.Text
	}
	return text
}

// speak takes a reply into the conversation. Where it puts a question that a
// refusal wanted, the next words decide about its calls.
func (a *bareAgent) speak(d *harness.Draft, steps []did) string {
	text := strings.TrimSpace(d.Text)
	if text == "" {
		text = a.report(steps)
	}
	a.messages = append(a.messages, harness.Message{Role: harness.Assistant, Text: text})
	if a.suite == nil {
		return text
	}
	a.suite.Record(text, nil, nil)
	var put []*harness.Question
	for _, q := range a.asks {
		if strings.Contains(oneLine(text, len(text)), oneLine(q.Text, len(q.Text))) {
			put = append(put, q)
		}
	}
	a.suite.Ask(put...)
	a.asks = nil
	return text
}

// report is what a student that leaves the report to others is taken to say.
func (a *bareAgent) report(steps []did) string {
	var said []string
	for _, s := range steps {
		for i, c := range s.calls {
			if t := a.parts.Catalog.Tool(c.Tool); t != nil && t.Access == vehicle.Write && s.results[i].OK() {
				said = append(said, a.tongue.Done(c))
			}
		}
	}
	if len(said) == 0 {
		return a.tongue.Phrase(words.SayNothing)
	}
	return a.tongue.Phrase(words.SayDone, a.tongue.List(said))
}
