// SPDX-License-Identifier: Apache-2.0

package harnesstest

import (
	"context"
	"errors"
	"sync"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// Student drafts what it was told to, in order, and after that leaves every
// report to the harness. It notes every prompt.
type Student struct {
	mu      sync.Mutex
	drafts  []harness.Draft
	prompts []harness.Prompt
}

// ErrSilent is what a draft marked with [Silent] returns.
var ErrSilent = errors.New("the student said nothing")

// Silent is a draft that fails.
func Silent() harness.Draft { return harness.Draft{Student: "silent"} }

// Say is a draft of text.
func Say(text string) harness.Draft { return harness.Draft{Text: text} }

// Calls is a draft of calls, each a tool followed by its arguments as JSON.
func Calls(toolsAndArgs ...string) harness.Draft {
	var d harness.Draft
	for i := 0; i < len(toolsAndArgs); i += 2 {
		d.Calls = append(d.Calls, vehicle.Call{Tool: toolsAndArgs[i], Args: vehicle.MustJSON(toolsAndArgs[i+1])})
	}
	return d
}

// NewStudent returns a student with its drafts.
func NewStudent(drafts ...harness.Draft) *Student { return &Student{drafts: drafts} }

// Then adds drafts.
func (s *Student) Then(drafts ...harness.Draft) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drafts = append(s.drafts, drafts...)
}

// Prompts returns every prompt it got.
func (s *Student) Prompts() []harness.Prompt {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]harness.Prompt(nil), s.prompts...)
}

// Name implements harness.Student.
func (s *Student) Name() string { return "scripted" }

// Draft implements harness.Student.
func (s *Student) Draft(_ context.Context, p *harness.Prompt) (harness.Draft, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prompts = append(s.prompts, *p)
	d := harness.Draft{Report: true}
	if len(s.drafts) > 0 {
		d, s.drafts = s.drafts[0], s.drafts[1:]
	}
	d.Usage.ModelCalls = 1
	if d.Student == "silent" {
		return d, ErrSilent
	}
	return d, nil
}
