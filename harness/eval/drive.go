// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// Change is what became of a run under the harness.
type Change string

// The changes of a run's deterministic score.
const (
	Recovered Change = "recovered" // it failed, and passes
	Unchanged Change = "unchanged"
	Broken    Change = "broken" // it passed, and fails
)

// Driven is one run, played again with the harness around its student.
type Driven struct {
	Run    string   `json:"run"`
	Task   string   `json:"task"`
	Plain  bool     `json:"plain"`
	Passed bool     `json:"passed"` // as recorded, with everything a model judged
	Change Change   `json:"change"`
	Why    []string `json:"why,omitempty"` // what changed in the score
	// Else is what the record lost by what only a model judges: a run that
	// recovers here is still lost by it, as far as anybody can tell.
	Else []Component `json:"else,omitempty"`
	// Lost are gold writes that a passed run no longer makes although its
	// category does not score the state.
	Lost []string `json:"lost,omitempty"`

	Withheld  []harness.Held `json:"withheld,omitempty"`
	Repairs   []string       `json:"repairs,omitempty"`
	Questions []Asked        `json:"questions,omitempty"` // that the harness put
	Unused    int            `json:"unused,omitempty"`    // recorded drafts that were never proposed
	Reads     int            `json:"reads"`               // that the harness made
	Extra     int            `json:"extra"`               // … and the record does not hold in that turn
	Turns     int            `json:"turns"`
}

// Asked is a question of the harness and who answered it how.
type Asked struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
	By       string `json:"by"` // record: the next recorded words; script: by the gold calls
}

// maxQuestions bounds how many questions of one turn are answered.
const maxQuestions = 8

// DriveRun plays a run with a full session: the recorded student proposes its
// recorded drafts in order, the recorded driver says what was recorded, and
// what the harness lets through is carried out on the simulated car. Within a
// turn of the record the student proposes only that turn's drafts; when they
// are used up it leaves the report to the harness.
func DriveRun(ctx context.Context, k *Kit, r *sim.Run) (*Driven, error) {
	task := k.Corpus.Tasks[r.Task]
	sc, err := Play(NewConversation(r, task), k.Corpus.Data)
	if err != nil {
		return nil, err
	}
	d, err := newDriver(k, sc)
	if err != nil {
		return nil, err
	}
	for i := range sc.Turns {
		if t := &sc.Turns[i]; t.First < t.Last {
			if err := d.turn(ctx, i); err != nil {
				return nil, err
			}
		}
	}
	d.out.judge(sc.Score, d.scorer.Score())
	d.out.Else = unscored(r)
	if d.out.Passed && task.Category == hallucination && len(sc.At) > 0 {
		was, is := sc.At[len(sc.At)-1].End(), d.scorer.Car.State()
		for _, s := range changed(was, is) {
			if sc.goldWrites(s, was[s]) {
				d.out.Lost = append(d.out.Lost, sc.signal(s)+"="+was[s].String())
			}
		}
	}
	return d.out, nil
}

// unscored are the lost components that only a model can judge.
func unscored(r *sim.Run) []Component {
	var out []Component
	if l, _ := r.Info.Member("policy_llm_errors"); l.Len() > 0 {
		out = append(out, ByJudge)
	}
	end, _ := r.Info.Member("r_user_end_conversation")
	if f, ok := end.Float(); ok && f == 0 {
		out = append(out, ByDriver)
	}
	return out
}

// driver plays one run.
type driver struct {
	k       *Kit
	sc      *Scene
	scorer  *sim.Scorer
	session *harness.Session
	catalog *vehicle.Catalog
	student *replayer
	car     *scoredCar
	out     *Driven
}

func newDriver(k *Kit, sc *Scene) (*driver, error) {
	d := &driver{k: k, sc: sc, student: &replayer{}, out: &Driven{Run: sc.Run.ID, Task: sc.Task.ID, Plain: Plain(sc.Run), Passed: Passed(sc.Run)}}
	var err error
	if d.scorer, err = sim.NewScorer(sc.Task, sc.Data); err != nil {
		return nil, err
	}
	p, err := k.Parts(sc.Task)
	if err != nil {
		return nil, err
	}
	d.car = &scoredCar{Direct: sim.Direct{Car: d.scorer.Car, Now: p.Now}, scorer: d.scorer}
	d.catalog = p.Catalog
	p.Car, p.Student, p.Progress = d.car, d.student, d.car.progress
	d.session, err = harness.NewSession(p)
	return d, err
}

// turn plays one turn of the record, and answers what the harness asks in it.
func (d *driver) turn(ctx context.Context, i int) error {
	t := &d.sc.Turns[i]
	d.student.load(d.sc.Steps[t.First:t.Last])
	say := t.Text
	for range maxQuestions {
		doc := d.session.Turn(ctx, say)
		if err := ctx.Err(); err != nil {
			return err
		}
		d.car.flush()
		d.scorer.Speak()
		d.note(i, doc)
		if doc.Outcome != harness.Asked || doc.Question == nil {
			break
		}
		answer := Asked{Question: doc.Question.Text}
		if text, ok := d.recorded(i, doc.Question); ok {
			answer.Answer, answer.By = text, "record"
			d.out.Questions = append(d.out.Questions, answer)
			break // the next turn of the record answers it
		}
		say = d.script(doc.Question)
		answer.Answer, answer.By = say, "script"
		d.out.Questions = append(d.out.Questions, answer)
	}
	d.out.Unused += d.student.left()
	return nil
}

// note takes over what a turn did.
func (d *driver) note(turn int, doc *harness.Turn) {
	d.out.Turns++
	d.out.Withheld = append(d.out.Withheld, doc.Withheld...)
	for _, s := range doc.Steps {
		for _, c := range s.Checks {
			d.out.Repairs = append(d.out.Repairs, c.Repairs...)
		}
		for _, c := range s.Released {
			if c.Origin == vehicle.ByRead || c.Origin == vehicle.ByPrefetch {
				d.out.Reads++
				if !d.sc.makes(turn, c) {
					d.out.Extra++
				}
			}
		}
	}
}

// judge compares the deterministic scores before and after.
func (o *Driven) judge(before, after sim.Score) {
	o.Change = Unchanged
	switch {
	case !before.Passed() && after.Passed():
		o.Change = Recovered
	case before.Passed() && !after.Passed():
		o.Change = Broken
	}
	part := func(name string, was, is bool, detail any) {
		if was != is {
			verb := "lost"
			if is {
				verb = "mended"
			}
			o.Why = append(o.Why, fmt.Sprintf("%s %s: %v", name, verb, detail))
		}
	}
	part("final state", before.Final, after.Final, "")
	part("spoken states", before.Intermediate, after.Intermediate, fmt.Sprintf("sample %d", max(before.OffPath, after.OffPath)))
	part("tool subset", before.Subset, after.Subset, append(before.MissingTools, after.MissingTools...))
	part("tool execution", before.Execution, after.Execution, append(before.ToolErrors, after.ToolErrors...))
	part("policy checks", before.Policy, after.Policy, append(before.PolicyErrors, after.PolicyErrors...))
	part("removed parts", before.Real, after.Real, append(before.Fictions, after.Fictions...))
}

// Drive plays runs, some at a time. Progress may be nil.
func Drive(ctx context.Context, k *Kit, runs []sim.Run, progress func(done, of int)) (*DriveReport, error) {
	out := make([]*Driven, len(runs))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	var done atomic.Int64
	for i := range runs {
		g.Go(func() error {
			r, err := DriveRun(ctx, k, &runs[i])
			if err != nil {
				return fmt.Errorf("%s: %w", runs[i].ID, err)
			}
			out[i] = r
			if n := int(done.Add(1)); progress != nil {
				progress(n, len(runs))
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return newDriveReport(out), nil
}
