// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/carguardd/carguardd/vehicle/sim"
)

func itoa(n int) string { return strconv.Itoa(n) }

// ReplayReport is all that a replay of recorded runs says.
type ReplayReport struct {
	Runs    int       `json:"runs"`
	Steps   int       `json:"steps"`
	Turns   int       `json:"turns"`
	Figures []Figure  `json:"figures"`
	Plain   []GateRow `json:"gates"`        // runs without harness
	Others  []GateRow `json:"gates_others"` // runs of other harnesses
	// Advisory is what the advisory gates would put to a critic, in runs without
	// harness and in the others.
	Advisory       []AdviceRow `json:"advisory"`
	AdvisoryOthers []AdviceRow `json:"advisory_others"`
	Reads          Reads       `json:"reads"`
	Wrong          []Found     `json:"wrong"`
	Missed         []Missed    `json:"missed"`
	Blames         []Dissent   `json:"blame_differences"`
	NoBlame        []string    `json:"no_blame"` // failed runs of which the record does not say why
	Timing         *Timing     `json:"timing,omitempty"`

	Details []*Replayed `json:"details,omitempty"`
}

// Reads is what the demanded reads of the runs without harness were worth.
type Reads struct {
	Demanded int `json:"demanded"` // each once a turn
	Extra    int `json:"extra"`    // that the student did not make itself in the turn
	Turns    int `json:"turns"`
	// Right are failed runs in which one supplied a missing gold read in time,
	// InTime those in which one was demanded in time, Passed the passed runs
	// in which one was demanded.
	Right  int `json:"right"`
	InTime int `json:"in_time"`
	Passed int `json:"passed"`
}

// Dissent is a run whose blame step somebody else sees elsewhere.
type Dissent struct {
	Run     string `json:"run"`
	Ours    Blame  `json:"ours"`
	Theirs  int    `json:"theirs"`
	Explain string `json:"explain"`
}

// Replay runs the gates over runs, some at a time. Progress may be nil.
func Replay(ctx context.Context, k *Kit, runs []sim.Run, progress func(done, of int)) (*ReplayReport, error) {
	out := make([]*Replayed, len(runs))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	var done atomic.Int64
	for i := range runs {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			r, err := ReplayRun(ctx, k, &runs[i])
			out[i] = r
			if n := int(done.Add(1)); progress != nil {
				progress(n, len(runs))
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return k.report(out), nil
}

func (k *Kit) report(runs []*Replayed) *ReplayReport {
	plain := func(r *Replayed) bool { return r.Plain }
	rep := &ReplayReport{Runs: len(runs), Figures: Figures(runs), Plain: GateTable(runs, plain),
		Others: GateTable(runs, func(r *Replayed) bool { return !r.Plain }), Missed: k.Missed(runs, plain), Details: runs,
		Advisory: AdviceTable(runs, plain), AdvisoryOthers: AdviceTable(runs, func(r *Replayed) bool { return !r.Plain })}
	for _, r := range runs {
		rep.Steps += len(r.scene.Steps)
		rep.Turns += r.Turns
		if !r.Passed && r.Blame.Message < 0 {
			rep.NoBlame = append(rep.NoBlame, r.ID)
		}
		for i := range r.Found {
			if r.Found[i].Verdict == Wrong {
				rep.Wrong = append(rep.Wrong, r.Found[i])
			}
		}
		if o, ok := k.Corpus.Opinion[r.ID]; ok && o.Message != r.Blame.Message {
			rep.Blames = append(rep.Blames, Dissent{r.ID, r.Blame, o.Message, explain(&r.Blame, o)})
		}
		if r.Plain {
			rep.Reads.add(r)
		}
	}
	return rep
}

// explain names the components that the two see elsewhere.
func explain(b *Blame, o Opinion) string {
	s := ""
	for _, f := range b.Faults {
		s += fmt.Sprintf("%s at %d (%s); ", f.Component, f.Message, f.Why)
	}
	return s + fmt.Sprintf("the other opinion is %v", o.ByComponent)
}

func (d *Reads) add(r *Replayed) {
	d.Demanded += r.Reads
	d.Extra += r.Extra
	d.Turns += r.Turns
	right, inTime := false, false
	for i := range r.Found {
		f := &r.Found[i]
		if kindOf(f.Action) != KindRead {
			continue
		}
		right = right || f.Verdict == Right
		inTime = inTime || f.Verdict != Late
	}
	switch {
	case r.Passed && inTime:
		d.Passed++
	case right:
		d.Right++
		d.InTime++
	case inTime:
		d.InTime++
	}
}
