// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"sync"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student/counsel"
	"github.com/carguardd/carguardd/harness/student/ollama"
)

// lateOllama is the model of an Ollama server whose model nobody named: it is
// looked for when it is needed, so that a server that starts after the daemon
// is taken up.
type lateOllama struct {
	o ollama.Options

	mu    sync.Mutex // guards found
	found *ollama.Student
}

func (l *lateOllama) student(ctx context.Context) (*ollama.Student, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.found != nil {
		return l.found, nil
	}
	m, err := ollama.Find(ctx, l.o)
	if err != nil {
		return nil, err
	}
	o := l.o
	o.Model = m.Name
	l.found, err = ollama.New(o)
	return l.found, err
}

// Name implements harness.Student.
func (l *lateOllama) Name() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.found == nil {
		return "ollama"
	}
	return l.found.Name()
}

// Health says whether a model answers.
func (l *lateOllama) Health(ctx context.Context) error {
	s, err := l.student(ctx)
	if err != nil {
		return err
	}
	return s.Health(ctx)
}

// Draft implements harness.Student.
func (l *lateOllama) Draft(ctx context.Context, p *harness.Prompt) (harness.Draft, error) {
	s, err := l.student(ctx)
	if err != nil {
		return harness.Draft{}, err
	}
	return s.Draft(ctx, p)
}

// Answer implements counsel.Model.
func (l *lateOllama) Answer(ctx context.Context, q counsel.Question) (string, harness.Usage, error) {
	s, err := l.student(ctx)
	if err != nil {
		return "", harness.Usage{}, err
	}
	return s.Answer(ctx, q)
}
