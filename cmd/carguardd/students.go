// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
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
	if c.Student.Kind == config.Offline {
		return offline, nil
	}
	primary, err := configuredModel(c, &c.Student)
	if err != nil {
		return nil, err
	}
	return student.NewFallback(primary, offline, clock, student.FallbackOptions{}), nil
}

// configuredModel makes the model of a student of a configuration.
func configuredModel(c *config.Config, s *config.Student) (harness.Student, error) {
	if s.Kind == config.OpenAI {
		o := s.OpenAI
		return keyed(c, o.KeyCredential, openai.Options{URL: o.BaseURL, Model: o.Model, Timeout: o.Timeout, Constrained: o.Constrained})
	}
	o := s.Ollama
	return namedOrLate(ollama.Options{URL: o.URL, Model: o.Model, Timeout: o.Timeout, Constrained: o.Constrained})
}

// compilingStudent is the model of a configuration as it writes rules: its
// answers bound to forms, the same each time, longer than a draft, and with
// nobody behind it.
func compilingStudent(c *config.Config) (harness.Student, error) {
	seed, cold := authorSeed, 0.0
	switch c.Student.Kind {
	case config.Ollama:
		s := c.Student.Ollama
		return namedOrLate(ollama.Options{URL: s.URL, Model: s.Model, Timeout: authorTimeout, NumCtx: authorContext, NumPredict: authorAnswer,
			Temperature: &cold, Seed: &seed, Constrained: true})
	case config.OpenAI:
		s := c.Student.OpenAI
		return keyed(c, s.KeyCredential, openai.Options{URL: s.BaseURL, Model: s.Model, Timeout: authorTimeout, MaxTokens: authorAnswer, Temperature: &cold, Seed: &seed, Constrained: true})
	}
	return nil, errors.New("the offline student writes no rules")
}

// namedOrLate is an Ollama student, its model looked for when nobody named it.
func namedOrLate(o ollama.Options) (harness.Student, error) {
	if o.Model == "" {
		return &lateOllama{o: o}, nil
	}
	return ollama.New(o)
}

// keyed is an OpenAI student with the key of a credential, if one is named.
func keyed(c *config.Config, name string, o openai.Options) (harness.Student, error) {
	if name != "" {
		file, err := c.Credential(name, os.Getenv)
		if err != nil {
			return nil, err
		}
		if o.Key, err = openai.ReadKey(file); err != nil {
			return nil, err
		}
	}
	return openai.New(o)
}
