// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"runtime"
	"slices"
	"time"

	"github.com/carguardd/carguardd/vehicle/sim"
)

// Timing is how long the verification of a draft takes, over all recorded
// steps, each the best of several passes.
type Timing struct {
	Steps  int           `json:"steps"`
	Passes int           `json:"passes"`
	Median time.Duration `json:"median_ns"`
	P95    time.Duration `json:"p95_ns"`
	Max    time.Duration `json:"max_ns"`
	Worst  string        `json:"worst"` // run and message of the longest
}

// Time measures. Every pass builds every conversation anew, so that nothing
// is gained by having seen a step before.
func Time(ctx context.Context, k *Kit, runs []sim.Run, passes int, progress func(done, of int)) (Timing, error) {
	t := Timing{Passes: passes}
	convs := make([]*Conversation, len(runs))
	for i := range runs {
		convs[i] = NewConversation(&runs[i], k.Corpus.Tasks[runs[i].Task])
		t.Steps += len(convs[i].Steps)
	}
	best := make([]time.Duration, t.Steps)
	for pass := range passes {
		runtime.GC()
		n := 0
		for _, c := range convs {
			if err := ctx.Err(); err != nil {
				return t, err
			}
			took, err := timeRun(k, c)
			if err != nil {
				return t, err
			}
			for i, d := range took {
				if pass == 0 || d < best[n+i] {
					best[n+i] = d
				}
			}
			n += len(took)
		}
		if progress != nil {
			progress(pass+1, passes)
		}
	}
	if t.Steps == 0 {
		return t, nil
	}
	t.Worst = worst(convs, best)
	slices.Sort(best)
	t.Median, t.P95, t.Max = best[len(best)/2], best[(len(best)*95+99)/100-1], best[len(best)-1]
	return t, nil
}

func timeRun(k *Kit, c *Conversation) ([]time.Duration, error) {
	suite, err := k.suite(c.Task, nil)
	if err != nil {
		return nil, err
	}
	var out []time.Duration
	for _, turn := range c.Turns {
		if turn.First == turn.Last {
			continue
		}
		suite.Hear(turn.Text)
		for i := turn.First; i < turn.Last; i++ {
			d := c.Steps[i].Draft()
			start := time.Now()
			suite.Judge(&d)
			out = append(out, time.Since(start))
			c.Steps[i].tell(suite)
		}
	}
	return out, nil
}

func worst(convs []*Conversation, best []time.Duration) string {
	at := slices.Index(best, slices.Max(best))
	for _, c := range convs {
		if at < len(c.Steps) {
			return c.Run.ID + " message " + itoa(c.Steps[at].Message)
		}
		at -= len(c.Steps)
	}
	return ""
}

// Figures are the timing's numbers that have a bar.
func (t *Timing) Figures() []Figure {
	us := func(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
	return []Figure{
		{Key: "verify-median", Name: "verification of a draft, median", Value: us(t.Median), Unit: "µs", Bar: 20, Most: true},
		{Key: "verify-p95", Name: "verification of a draft, 95th percentile", Value: us(t.P95), Unit: "µs", Bar: 200, Most: true},
		{Key: "verify-max", Name: "verification of a draft, longest", Value: us(t.Max), Unit: "µs", Bar: 2000, Most: true},
	}
}
