// SPDX-License-Identifier: Apache-2.0

package compiletest

import (
	"context"
	"errors"

	"github.com/carguardd/carguardd/rules/compile"
	"github.com/carguardd/carguardd/vehicle"
)

// Script is a model that gives its answers in their order, and remembers the
// forms that it was asked to fill in.
type Script struct {
	Answers []vehicle.Value
	Fails   error // returned when the answers have run out
	Forms   []*compile.Form
}

// New returns a script of answers in JSON. An answer that is no JSON panics:
// it stands in the test.
func New(answers ...string) *Script {
	s := &Script{}
	for _, a := range answers {
		s.Answers = append(s.Answers, vehicle.MustJSON(a))
	}
	return s
}

// Fill implements compile.Model.
func (s *Script) Fill(ctx context.Context, f *compile.Form) (vehicle.Value, error) {
	if err := ctx.Err(); err != nil {
		return vehicle.Value{}, err
	}
	s.Forms = append(s.Forms, f)
	if len(s.Answers) == 0 {
		if s.Fails == nil {
			return vehicle.Value{}, errors.New("the script has no answer left")
		}
		return vehicle.Value{}, s.Fails
	}
	a := s.Answers[0]
	s.Answers = s.Answers[1:]
	return a, nil
}
