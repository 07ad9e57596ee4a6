// SPDX-License-Identifier: Apache-2.0

package harnesstest

import (
	"context"
	"sync"

	"github.com/carguardd/carguardd/harness"
)

// Critic gives the verdicts that it was told to, in order, and after that
// none. It notes every case.
type Critic struct {
	Verdicts []harness.Verdict
	Err      error // of every verdict
	Wait     bool  // until the deadline, and then answer all the same

	mu    sync.Mutex
	cases []harness.Case
}

// Name implements harness.Critic.
func (*Critic) Name() string { return "scripted critic" }

// Judge implements harness.Critic.
func (c *Critic) Judge(ctx context.Context, in *harness.Case) (harness.Verdict, error) {
	if c.Wait {
		<-ctx.Done()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cases = append(c.cases, *in)
	v := harness.Verdict{}
	if len(c.Verdicts) > 0 {
		v, c.Verdicts = c.Verdicts[0], c.Verdicts[1:]
	}
	v.Usage.ModelCalls = 1
	return v, c.Err
}

// Cases returns every case it got.
func (c *Critic) Cases() []harness.Case {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]harness.Case(nil), c.cases...)
}

// Extractor finds what it was told to in every utterance.
type Extractor struct {
	Found map[string]harness.Extracted // by utterance
	Err   error
}

// Name implements harness.Extractor.
func (*Extractor) Name() string { return "scripted extractor" }

// Extract implements harness.Extractor.
func (x *Extractor) Extract(_ context.Context, u *harness.Utterance) (harness.Extracted, error) {
	got := x.Found[u.Text]
	got.Usage.ModelCalls = 1
	return got, x.Err
}
