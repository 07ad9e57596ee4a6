// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"hash/fnv"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/eval"
	"github.com/carguardd/carguardd/harness/student/counsel"
	"github.com/carguardd/carguardd/harness/student/faulty"
	"github.com/carguardd/carguardd/harness/student/grammar"
	"github.com/carguardd/carguardd/harness/student/ollama"
	"github.com/carguardd/carguardd/harness/student/openai"
	"github.com/carguardd/carguardd/harness/student/recorded"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// evalStudentForms are the students that can be measured.
const evalStudentForms = "ollama, ollama:MODEL, openai:MODEL, offline, recorded (the benchmark's own runs), recorded:FILE, random:SEED"

// modelFlags say where the models of an evaluation answer. Nobody stands
// behind them: what is measured is the model alone.
type modelFlags struct {
	student, url, keyFile string
	timeout               time.Duration
	temperature           float64
	context               int
	constrained           bool

	kit *eval.Kit
}

func (f *modelFlags) flags(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.url, "url", "", "of the models' server (default the usual port of Ollama; needed for openai)")
	fl.StringVar(&f.keyFile, "key-file", "", "file with the key for openai")
	fl.DurationVar(&f.timeout, "timeout", time.Minute, "for one answer of a model")
	fl.Float64Var(&f.temperature, "temperature", -1, "of the models (default their own)")
	fl.IntVar(&f.context, "num-ctx", 32768, "tokens of prompt and answer together, for ollama: the policy and tools of a benchmark are long")
	fl.BoolVar(&f.constrained, "constrained", false, "bind drafts to a schema instead of offering tools")
}

// named makes one student that serves every conversation.
func (f *modelFlags) named(ctx context.Context, flag, spec string) (harness.Student, error) {
	kind, arg, _ := strings.Cut(spec, ":")
	var heat *float64
	if f.temperature >= 0 {
		heat = &f.temperature
	}
	switch kind {
	case "ollama":
		o := ollama.Options{URL: f.url, Model: arg, Timeout: f.timeout, Temperature: heat, NumCtx: f.context, Constrained: f.constrained}
		if arg == "" {
			m, err := ollama.Find(ctx, o)
			if err != nil {
				return nil, withHint(err, flag+" names a model: ollama:MODEL, openai:MODEL")
			}
			o.Model = m.Name
		}
		return asStudent(ollama.New(o))
	case "openai":
		o := openai.Options{URL: f.url, Model: arg, Timeout: f.timeout, Temperature: heat, Constrained: f.constrained}
		if arg == "" || f.url == "" {
			return nil, usageError("%s %s: openai:MODEL, with --url", flag, spec)
		}
		if f.keyFile != "" {
			var err error
			if o.Key, err = openai.ReadKey(f.keyFile); err != nil {
				return nil, err
			}
		}
		return asStudent(openai.New(o))
	case "offline":
		return asStudent(grammar.New(grammar.Options{Languages: f.kit.Languages, Lexicons: f.kit.Lexicons}))
	}
	return nil, usageError("%s %q: one of ollama, ollama:MODEL, openai:MODEL, offline", flag, spec)
}

// asStudent keeps a nil of a student's type from being a student.
func asStudent[S harness.Student](s S, err error) (harness.Student, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

// model makes a model that answers questions.
func (f *modelFlags) model(ctx context.Context, flag, spec string) (counsel.Model, error) {
	s, err := f.named(ctx, flag, spec)
	if err != nil {
		return nil, err
	}
	m, ok := s.(counsel.Model)
	if !ok {
		return nil, usageError("%s %q: one of ollama, ollama:MODEL, openai:MODEL", flag, spec)
	}
	return m, nil
}

// students makes a student for each conversation, and says who it is.
func (f *modelFlags) students(ctx context.Context) (func(*sim.Task, int) (harness.Student, error), string, error) {
	kind, arg, more := strings.Cut(f.student, ":")
	switch {
	case kind == "recorded" && !more:
		return func(t *sim.Task, trial int) (harness.Student, error) {
			return eval.NewRecordedStudent(f.kit.Corpus.RunsOf(t.ID)[trial], t), nil
		}, "recorded", nil
	case kind == "recorded":
		if _, err := recorded.Open(arg); err != nil {
			return nil, "", err
		}
		return func(*sim.Task, int) (harness.Student, error) { return asStudent(recorded.Open(arg)) }, "recorded " + arg, nil
	case kind == "random":
		seed, err := strconv.ParseUint(arg, 10, 64)
		if err != nil {
			return nil, "", usageError("--student %s: the seed must be a number", f.student)
		}
		return func(t *sim.Task, trial int) (harness.Student, error) {
			h := fnv.New64a()
			_, _ = h.Write([]byte(t.ID)) // a hash takes everything
			return faulty.NewRandom(faulty.Options{Seed: seed + uint64(trial) + h.Sum64()}), nil
		}, f.student, nil
	}
	s, err := f.named(ctx, "--student", f.student)
	if err != nil {
		return nil, "", err
	}
	return func(*sim.Task, int) (harness.Student, error) { return s, nil }, s.Name(), nil
}
