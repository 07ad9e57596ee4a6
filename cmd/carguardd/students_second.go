// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"

	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/counsel"
)

// secondOf is what a student's model can be besides: the critic, and who finds
// asks. One that stands in front of the offline student is asked as long as it
// is there.
func secondOf(st harness.Student, critic, asks bool) (s system.Second) {
	f, ok := st.(*student.Fallback)
	if !ok {
		return s
	}
	m, ok := f.Primary().(counsel.Model)
	if !ok {
		return s
	}
	m = attending{m, f}
	if critic {
		s.Critic = counsel.NewCritic(m)
	}
	if asks {
		s.Extractor = counsel.NewExtractor(m)
	}
	return s
}

// configuredSecond makes what a configuration wants besides the student, which
// it gives.
func configuredSecond(c *config.Config, st harness.Student) (s system.Second, err error) {
	s = secondOf(st, c.Critic, c.Asks == config.AsksByModel)
	if c.Escalation.Kind != config.None {
		s.Escalation, err = configuredModel(c, &c.Escalation)
	}
	return s, err
}

// attending is a model that is not asked while another student stands in for
// it: nobody waits for a server that is known to be gone.
type attending struct {
	counsel.Model
	student *student.Fallback
}

// Answer implements counsel.Model.
func (a attending) Answer(ctx context.Context, q counsel.Question) (string, harness.Usage, error) {
	if err := a.student.Down(); err != nil {
		return "", harness.Usage{}, err
	}
	return a.Model.Answer(ctx, q)
}
