// SPDX-License-Identifier: Apache-2.0

package system

import (
	"errors"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/rules"
)

// Settings are the parts that can be changed while the system runs. All but
// Harness and Second must be given.
type Settings struct {
	Rules    *rules.Set
	Student  harness.Student
	Language harness.Language
	Harness  harness.Config
	Second   Second
}

// Change puts other settings in force, all at once. A turn that runs ends
// under those it began with. Each conversation is begun anew with its next
// turn: a question that waits for an answer lapses, because it was asked under
// other rules; what was asked for and not done yet is kept where there is a
// journal.
func (s *System) Change(to Settings) error {
	if to.Rules == nil || to.Student == nil || to.Language == nil {
		return errors.New("change settings: rules, student and language are needed")
	}
	s.settings.Store(&to)
	return nil
}

// Settings are those in force for turns that begin now.
func (s *System) Settings() Settings { return *s.settings.Load() }
