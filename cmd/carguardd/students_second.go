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

// configuredSecond makes what a configuration wants besides the student, which
// it gives: a model that stands in front of the offline student is asked as
// long as it is there.
func configuredSecond(c *config.Config, st harness.Student) (s system.Second, err error) {
	if f, ok := st.(*student.Fallback); ok {
		if m, ok := f.Primary().(counsel.Model); ok {
			m = attending{m, f}
			if c.Critic {
				s.Critic = counsel.NewCritic(m)
			}
			if c.Asks == config.AsksByModel {
				s.Extractor = counsel.NewExtractor(m)
			}
		}
	}
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
