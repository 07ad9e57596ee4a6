// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"slices"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// replayer is a student that proposes recorded drafts in their order. Asked
// to revise, it proposes the same again: it cannot think.
type replayer struct {
	steps []Step
	next  int
}

func (s *replayer) load(steps []Step) { s.steps, s.next = steps, 0 }

func (s *replayer) left() int { return len(s.steps) - s.next }

// Name implements harness.Student.
func (*replayer) Name() string { return "recorded" }

// Draft implements harness.Student.
func (s *replayer) Draft(_ context.Context, p *harness.Prompt) (harness.Draft, error) {
	if p.Findings != "" && s.next > 0 {
		return s.steps[s.next-1].Draft(), nil
	}
	if s.next == len(s.steps) {
		return harness.Draft{Report: true, Student: "recorded"}, nil
	}
	s.next++
	return s.steps[s.next-1].Draft(), nil
}

// scoredCar carries calls out on the car of a scorer and tells the scorer
// which of them stood in one message of the assistant: those of one
// verification, the reads that the harness makes apart from the rest.
type scoredCar struct {
	sim.Direct
	scorer *sim.Scorer
	batch  []vehicle.Call
	all    []vehicle.Call
	fresh  bool // a new message begins
}

// progress hears of every verification.
func (c *scoredCar) progress(_ context.Context, what any) {
	if _, ok := what.(*harness.Check); ok {
		c.fresh = true
	}
}

// Do implements harness.Car.
func (c *scoredCar) Do(ctx context.Context, call vehicle.Call) vehicle.Result {
	if n := len(c.batch); n > 0 && (c.fresh || (c.batch[n-1].Origin == vehicle.ByRead) != (call.Origin == vehicle.ByRead)) {
		c.flush()
	}
	c.fresh = false
	c.batch, c.all = append(c.batch, call), append(c.all, call)
	return c.Direct.Do(ctx, call)
}

func (c *scoredCar) flush() {
	if len(c.batch) > 0 {
		c.scorer.Note(c.batch)
		c.batch = nil
	}
}

// recorded returns the next recorded words when they answer the question. They
// do only where the student asked at this very point too: of the turn's
// drafts nothing is left but a question.
func (d *driver) recorded(turn int, q *harness.Question) (string, bool) {
	rest := d.student.steps[d.student.next:]
	if len(rest) != 1 || !rest[0].Speaks() || !d.k.Tongue.Speech(rest[0].Text).Question || turn+1 >= len(d.sc.Turns) {
		return "", false
	}
	next := &d.sc.Turns[turn+1]
	if next.First == next.Last {
		return "", false
	}
	a := d.k.Tongue.Answer(next.Text, q)
	return next.Text, a.Kind == harness.Yes || a.Kind == harness.No
}

// script answers by the gold calls: the first option that changes nothing
// but towards gold values, else no. A question without options asks for what
// the calls of the last draft lack. When these are gold ones the driver says
// them, and the student, which has heard the answer now, proposes them again.
func (d *driver) script(q *harness.Question) string {
	if calls := d.lastWrites(); len(q.Options) == 0 && len(calls) > 0 && d.golden(calls) {
		d.student.next--
		return d.k.Tongue.SpeakAll(calls)
	}
	return d.k.chooses(q, d.golden)
}

// chooses answers a question by what calls are good for: the first option
// that is, else no.
func (k *Kit) chooses(q *harness.Question, good func([]vehicle.Call) bool) string {
	for i, o := range q.Options {
		if !good(o.Calls) {
			continue
		}
		if len(q.Options) == 1 {
			return k.say(q, "yes", harness.Yes, 0)
		}
		return k.say(q, "option "+itoa(i+1), harness.Yes, i)
	}
	return k.say(q, "no", harness.No, 0)
}

// lastWrites are the writes of the draft that was proposed last.
func (d *driver) lastWrites() (calls []vehicle.Call) {
	if d.student.next == 0 {
		return nil
	}
	for _, c := range d.student.steps[d.student.next-1].Draft().Calls {
		if t := d.catalog.Tool(c.Tool); t != nil && t.Access == vehicle.Write {
			calls = append(calls, c)
		}
	}
	return calls
}

// say returns words that the language reads as the answer meant, else the
// option's own label.
func (k *Kit) say(q *harness.Question, text string, kind harness.AnswerKind, option int) string {
	if a := k.Tongue.Answer(text, q); a.Kind == kind && (kind != harness.Yes || a.Option == option) {
		return text
	}
	if kind == harness.Yes {
		return q.Options[option].Label
	}
	return text
}

// golden reports whether the calls, made now, err nowhere and change signals
// to their final gold values only.
func (d *driver) golden(calls []vehicle.Call) bool {
	return leadsToGold(d.sc.Task, d.sc.Data, d.sc.final(), d.car.all, calls)
}

// leadsToGold reports whether calls, made after those that are done, err
// nowhere and change signals to their final gold values only.
func leadsToGold(t *sim.Task, data *sim.Data, final vehicle.State, done, calls []vehicle.Call) bool {
	car, err := sim.NewTaskCar(t, data)
	if err != nil {
		return false
	}
	for _, c := range done {
		car.Call(c.Tool, c.Args)
	}
	before, errs := car.State(), len(car.ToolErrors())
	for _, c := range calls {
		car.Call(c.Tool, c.Args)
	}
	after := car.State()
	return len(car.ToolErrors()) == errs && !slices.ContainsFunc(changed(before, after), func(s int) bool {
		return !after[s].Equal(final[s])
	})
}
