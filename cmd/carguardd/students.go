// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/faulty"
	"github.com/carguardd/carguardd/harness/student/grammar"
	"github.com/carguardd/carguardd/harness/student/ollama"
	"github.com/carguardd/carguardd/harness/student/recorded"
	"github.com/carguardd/carguardd/vehicle"
)

// studentForms is the help of --student.
const studentForms = "auto (an Ollama on its usual port, else offline), offline, ollama, ollama:MODEL, recorded:FILE, random:SEED"

// probeTime is how long an Ollama may take to say that it is there.
const probeTime = 400 * time.Millisecond

// newStudent makes the student that a command line names.
func newStudent(ctx context.Context, spec string, w rig.Words, clock vehicle.Clock) (harness.Student, error) {
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
