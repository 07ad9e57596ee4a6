// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/faulty"
	"github.com/carguardd/carguardd/harness/student/grammar"
	"github.com/carguardd/carguardd/harness/student/ollama"
	"github.com/carguardd/carguardd/harness/student/openai"
	"github.com/carguardd/carguardd/harness/student/recorded"
	"github.com/carguardd/carguardd/vehicle"
)

// studentForms is the help of --student.
const studentForms = "auto (an Ollama on its usual port, else offline), offline, ollama, ollama:MODEL, recorded:FILE, random:SEED"

// probeTime is how long an Ollama may take to say that it is there.
const probeTime = 400 * time.Millisecond

// newStudent makes the student that a command line names.
func newStudent(ctx context.Context, spec string, w system.Words, clock vehicle.Clock) (harness.Student, error) {
	offline, err := grammar.New(grammar.Options{Languages: w.Languages, Lexicons: w.Files, Context: w.Context})
	if err != nil {
		return nil, err
	}
	kind, arg, _ := strings.Cut(spec, ":")
	switch kind {
	case "", "auto":
		probe, end := context.WithTimeout(ctx, probeTime)
		defer end()
		m, err := ollama.Find(probe, ollama.Options{})
		if err != nil || !m.Tools {
			return offline, nil
		}
		return ollamaStudent(m.Name, offline, clock)
	case "offline":
		return offline, nil
	case "ollama":
		if arg == "" {
			m, err := ollama.Find(ctx, ollama.Options{})
			if err != nil {
				return nil, err
			}
			arg = m.Name
		}
		return ollamaStudent(arg, offline, clock)
	case "recorded":
		return recorded.Open(arg)
	case "random":
		seed, err := strconv.ParseUint(arg, 10, 64)
		if err != nil {
			return nil, usageError("--student %s: the seed must be a number", spec)
		}
		return faulty.NewRandom(faulty.Options{Seed: seed}), nil
	}
	return nil, usageError("--student %q: one of %s", spec, studentForms)
}

// ollamaStudent is a model with the offline student behind it.
func ollamaStudent(model string, offline harness.Student, clock vehicle.Clock) (harness.Student, error) {
	m, err := ollama.New(ollama.Options{Model: model})
	if err != nil {
		return nil, fmt.Errorf("student: %w", err)
	}
	return student.NewFallback(m, offline, clock, student.FallbackOptions{}), nil
}

// configuredStudent makes the student of a configuration, the offline one
// behind it.
func configuredStudent(c *config.Config, w system.Words, clock vehicle.Clock) (harness.Student, error) {
	offline, err := grammar.New(grammar.Options{Languages: w.Languages, Lexicons: w.Files, Context: w.Context})
	if err != nil {
		return nil, err
	}
	var primary harness.Student
	switch c.Student.Kind {
	case config.Ollama:
		s := c.Student.Ollama
		o := ollama.Options{URL: s.URL, Model: s.Model, Timeout: s.Timeout, Constrained: s.Constrained}
		if s.Model == "" {
			primary = &lateOllama{o: o}
		} else {
			primary, err = ollama.New(o)
		}
	case config.OpenAI:
		s := c.Student.OpenAI
		o := openai.Options{URL: s.BaseURL, Model: s.Model, Timeout: s.Timeout, Constrained: s.Constrained}
		if s.KeyCredential != "" {
			file, err := c.Credential(s.KeyCredential, os.Getenv)
			if err != nil {
				return nil, err
			}
			if o.Key, err = openai.ReadKey(file); err != nil {
				return nil, err
			}
		}
		primary, err = openai.New(o)
	default:
		return offline, nil
	}
	if err != nil {
		return nil, err
	}
	return student.NewFallback(primary, offline, clock, student.FallbackOptions{}), nil
}
