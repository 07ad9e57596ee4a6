// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"fmt"
	"slices"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// Found is one finding on a recorded step, held against the outcome.
type Found struct {
	Run     string           `json:"run"`
	Task    string           `json:"task"`
	Message int              `json:"message"` // index in the record
	Turn    int              `json:"turn"`
	Pass    int              `json:"pass"` // 0: on the draft as it was; else after repairs and reads
	Gate    string           `json:"gate"`
	Action  harness.Action   `json:"action"`
	Rule    string           `json:"rule,omitempty"`
	On      []string         `json:"on,omitempty"`    // the calls it is about; none: the reply
	Reads   []vehicle.Call   `json:"reads,omitempty"` // that it demands
	Remedy  []string         `json:"remedy,omitempty"`
	Subject string           `json:"subject"` // write, read or reply
	Note    string           `json:"note"`
	Verdict Verdict          `json:"verdict"`
	Why     string           `json:"why,omitempty"`
	Finding *harness.Finding `json:"-"`
}

// Replayed is what the gates found in one run.
type Replayed struct {
	ID     string  `json:"id"`
	Task   string  `json:"task"`
	Plain  bool    `json:"plain"`
	Passed bool    `json:"passed"`
	Blame  Blame   `json:"blame"` // of a failed run
	Found  []Found `json:"found,omitempty"`
	// Advised is what the advisory gates would put to a critic. It counts in no
	// figure: who follows it is up to a model.
	Advised []Found `json:"advised,omitempty"`
	Turns   int     `json:"turns"` // that the assistant answered
	Reads   int     `json:"reads"` // demanded, each once a turn
	Extra   int     `json:"extra"` // of them those that the student did not make itself in that turn

	scene *Scene
}

// ReplayRun runs the gates over every step of a run, each with the history up
// to it.
func ReplayRun(ctx context.Context, k *Kit, r *sim.Run) (*Replayed, error) {
	t := k.Corpus.Tasks[r.Task]
	sc, err := Play(NewConversation(r, t), k.Corpus.Data)
	if err != nil {
		return nil, err
	}
	out := &Replayed{ID: r.ID, Task: r.Task, Plain: Plain(r), Passed: Passed(r), Blame: Blame{Message: -1}, scene: sc}
	if !out.Passed {
		out.Blame = FindBlame(sc, k.Corpus.Policy)
	}
	suite, err := k.suite(t, nil)
	if err != nil {
		return nil, err
	}
	for _, turn := range sc.Turns {
		if turn.First == turn.Last {
			continue
		}
		out.Turns++
		suite.Hear(turn.Text)
		for i := turn.First; i < turn.Last; i++ {
			d := sc.Steps[i].Draft()
			found := suite.Judge(&d)
			out.advise(k, i, suite.Advise(&d))
			if err := out.take(ctx, k, i, found); err != nil {
				return nil, fmt.Errorf("%s message %d: %w", r.ID, sc.Steps[i].Message, err)
			}
			sc.Steps[i].tell(suite)
		}
	}
	out.countReads()
	return out, nil
}

func (k *Kit) suite(t *sim.Task, car harness.Car) (*harness.Suite, error) {
	p, err := k.Parts(t)
	if err != nil {
		return nil, err
	}
	p.Car = car
	return harness.NewSuite(p)
}

// take judges the findings on a step and those that are left when code has
// done what it can.
func (r *Replayed) take(ctx context.Context, k *Kit, step int, found []harness.Finding) error {
	if len(found) == 0 {
		return nil
	}
	st := &r.scene.Steps[step]
	checks := [][]harness.Finding{found}
	calls := [][]vehicle.Call{st.Calls}
	if slices.ContainsFunc(found, func(f harness.Finding) bool { return f.Action == harness.Repair || f.Action == harness.DemandRead }) {
		more, err := r.scene.verify(ctx, k, step)
		if err != nil {
			return err
		}
		for _, c := range more[1:] {
			checks, calls = append(checks, c.Findings), append(calls, c.Draft)
		}
	}
	j := &judge{k: k, sc: r.scene, passed: r.Passed, blame: r.Blame, step: step}
	seen := map[string]bool{}
	for pass, list := range checks {
		for i := range list {
			f := newFound(r.scene, step, pass, &list[i], calls[pass])
			if key := fmt.Sprint(f.Gate, f.Action, f.Rule, f.On, f.Note); !seen[key] {
				seen[key] = true
				f.Verdict, f.Why = j.verdict(&list[i], calls[pass])
				r.Found = append(r.Found, f)
			}
		}
	}
	return nil
}

// verify repeats the conversation up to a step in a suite of its own, which
// can read from a car in the state of that moment, and verifies the step the
// way a turn does.
func (sc *Scene) verify(ctx context.Context, k *Kit, step int) ([]harness.Check, error) {
	car, err := sc.car(step)
	if err != nil {
		return nil, err
	}
	u, err := k.suite(sc.Task, sim.Direct{Car: car})
	if err != nil {
		return nil, err
	}
	for _, turn := range sc.Turns {
		if turn.First > step || turn.First == turn.Last {
			continue
		}
		u.Hear(turn.Text)
		for i := turn.First; i < min(turn.Last, step); i++ {
			sc.Steps[i].tell(u)
		}
	}
	_, checks, _ := u.Verify(ctx, sc.Steps[step].Draft())
	return checks, nil
}

func newFound(sc *Scene, step, pass int, f *harness.Finding, calls []vehicle.Call) Found {
	st := &sc.Steps[step]
	out := Found{Run: sc.Run.ID, Task: sc.Task.ID, Message: st.Message, Turn: st.Turn, Pass: pass, Gate: f.Gate, Action: f.Action,
		Rule: f.Rule, Subject: sc.subject(st, f), Note: f.Note, Finding: f}
	for _, id := range f.Subjects {
		if i := slices.IndexFunc(calls, func(c vehicle.Call) bool { return c.ID == id }); i >= 0 {
			out.On = append(out.On, calls[i].Canonical())
		}
	}
	for _, p := range f.Remedy.Add {
		if f.Action == harness.DemandRead {
			out.Reads = append(out.Reads, p.Call)
		}
		out.Remedy = append(out.Remedy, "add "+p.Call.Canonical())
	}
	for id, c := range f.Remedy.Replace {
		_ = id
		out.Remedy = append(out.Remedy, "replace by "+c.Canonical())
	}
	for verb, ids := range map[string][]string{"remove ": f.Remedy.Remove, "defer ": f.Remedy.Defer} {
		for _, id := range ids {
			if i := slices.IndexFunc(calls, func(c vehicle.Call) bool { return c.ID == id }); i >= 0 {
				out.Remedy = append(out.Remedy, verb+calls[i].Canonical())
			}
		}
	}
	if f.Remedy.Text != "" {
		out.Remedy = append(out.Remedy, "say "+f.Remedy.Text)
	}
	slices.Sort(out.Remedy)
	return out
}

// countReads counts the demanded reads, each once a turn.
func (r *Replayed) countReads() {
	seen := map[string]bool{}
	for i := range r.Found {
		f := &r.Found[i]
		for _, c := range f.Reads {
			key := fmt.Sprint(f.Turn, c.Canonical())
			if seen[key] {
				continue
			}
			seen[key] = true
			r.Reads++
			if !r.scene.makes(f.Turn, c) {
				r.Extra++
			}
		}
	}
}

// makes reports whether the student makes the call itself in the turn.
func (sc *Scene) makes(turn int, c vehicle.Call) bool {
	t := sc.Turns[turn]
	for i := t.First; i < t.Last; i++ {
		for j := range sc.Steps[i].Calls {
			if o := &sc.Steps[i].Calls[j]; o.Tool == c.Tool && o.Canonical() == c.Canonical() {
				return true
			}
		}
	}
	return false
}
