// SPDX-License-Identifier: Apache-2.0

package ollama

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"

	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/web"
)

// Model is a model that a server has.
type Model struct {
	Name   string
	Loaded bool
	Tools  bool // it can call tools
	Thinks bool // it writes its reasoning first
}

// maxLooked bounds how many models are asked about.
const maxLooked = 32

// FindTimeout is how long [Find] takes at most when the context allows more.
const FindTimeout = 700 * time.Millisecond

// Find looks whether a server answers at the options' URL and returns a model
// of it that can call tools: one that is loaded, else the one changed last. It
// fails with kind Unreachable when nobody is there, and with ModelMissing
// when no model fits. The options' model is not looked at.
func Find(ctx context.Context, o Options) (Model, error) {
	o.Model = "any"
	s, err := New(o)
	if err != nil {
		return Model{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, FindTimeout)
	defer cancel()
	models, err := s.models(ctx)
	if err != nil {
		return Model{}, student.Named("ollama", err)
	}
	for _, m := range models {
		if m.Tools {
			return m, nil
		}
	}
	return Model{}, student.Named("ollama", student.Errorf(student.ModelMissing, nil,
		fmt.Sprintf("none of its %d models can call tools; get one, as with `ollama pull llama3.2`", len(models))))
}

// Auto returns a student for the model that [Find] finds. A model that thinks
// is told not to, unless the options say otherwise: a driver waits.
func Auto(ctx context.Context, o Options) (*Student, error) {
	m, err := Find(ctx, o)
	if err != nil {
		return nil, err
	}
	o.Model = m.Name
	if m.Thinks && o.Think == nil {
		o.Think = new(bool)
	}
	return New(o)
}

// models lists the server's models, those that are loaded first.
func (s *Student) models(ctx context.Context) ([]Model, error) {
	list, err := s.api.List(ctx)
	if err != nil {
		return nil, s.apiError(err)
	}
	var loaded []string
	if ps, err := s.api.ListRunning(ctx); err == nil { // an older server has no such list
		for _, m := range ps.Models {
			loaded = append(loaded, m.Name)
		}
	}
	names := list.Models[:min(len(list.Models), maxLooked)]
	slices.SortStableFunc(names, func(a, b api.ListModelResponse) int {
		if x, y := slices.Contains(loaded, a.Name), slices.Contains(loaded, b.Name); x != y {
			if x {
				return -1
			}
			return 1
		}
		return b.ModifiedAt.Compare(a.ModifiedAt)
	})
	var out []Model
	for _, n := range names {
		m, err := s.look(ctx, n.Name)
		if err != nil {
			return nil, err
		}
		m.Loaded = slices.Contains(loaded, n.Name)
		if out = append(out, m); m.Tools {
			break // the rest would not be chosen
		}
	}
	return out, nil
}

// look asks what a model can do.
func (s *Student) look(ctx context.Context, name string) (Model, error) {
	show, err := s.api.Show(ctx, &api.ShowRequest{Model: name})
	if err != nil {
		return Model{}, s.apiError(err)
	}
	return Model{Name: name,
		Tools:  slices.Contains(show.Capabilities, model.CapabilityTools),
		Thinks: slices.Contains(show.Capabilities, model.CapabilityThinking)}, nil
}

// Health reports whether the server answers and has the student's model, and
// that the model can call tools if it is to be offered any.
func (s *Student) Health(ctx context.Context) error {
	m, err := s.look(ctx, s.o.Model)
	if err == nil && !m.Tools && !s.o.Constrained {
		err = student.Errorf(student.Refused, nil, "the model cannot call tools; choose another, or constrained answers")
	}
	return student.Named(s.Name(), err)
}

// apiError names what failed in a call through the api package.
func (s *Student) apiError(err error) error {
	var status api.StatusError
	var auth api.AuthorizationError
	switch {
	case errors.As(err, &status):
		return s.failure(status.StatusCode, status.ErrorMessage)
	case errors.As(err, &auth):
		return web.StatusError(auth.StatusCode, auth.Status)
	}
	var sending *url.Error
	if errors.As(err, &sending) {
		return web.SendError(err)
	}
	return web.ReadError(err)
}
