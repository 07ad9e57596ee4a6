// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student/ollama"
	"github.com/carguardd/carguardd/harness/student/openai"
	"github.com/carguardd/carguardd/harness/student/recorded"
)

// author is the model that writes rules, as a command line names it.
type author struct {
	spec, url, keyFile, record string
	timeout                    time.Duration
}

func (a *author) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&a.spec, "student", "ollama", "the model: ollama, ollama:MODEL, openai:MODEL, recorded:FILE")
	fl.StringVar(&a.url, "url", "", "of the model's server (default the usual port of Ollama; needed for openai)")
	fl.StringVar(&a.keyFile, "key-file", "", "file with the key for openai")
	fl.DurationVar(&a.timeout, "timeout", authorTimeout, "for one answer")
}

// Bounds of a form and its answer, in tokens, and how a model is to answer:
// the same each time.
const authorContext, authorAnswer, authorSeed = 16384, 4096, 1

// authorTimeout is how long a model may take for one form: it writes more than
// a draft, and nobody is waiting.
const authorTimeout = 5 * time.Minute

// student is the model, its answers bound to the forms.
func (a *author) student(ctx context.Context) (harness.Student, error) {
	seed, cold := authorSeed, 0.0
	kind, arg, _ := strings.Cut(a.spec, ":")
	switch kind {
	case "ollama":
		think := false
		o := ollama.Options{URL: a.url, Model: arg, Timeout: a.timeout, NumCtx: authorContext, NumPredict: authorAnswer,
			Temperature: &cold, Seed: &seed, Think: &think, Constrained: true}
		if arg == "" {
			m, err := ollama.Find(ctx, o)
			if err != nil {
				return nil, withHint(err, "--student names a model: ollama:MODEL, openai:MODEL, recorded:FILE")
			}
			o.Model = m.Name
			if !m.Thinks {
				o.Think = nil
			}
		} else {
			o.Think = nil
		}
		return ollama.New(o)
	case "openai":
		o := openai.Options{URL: a.url, Model: arg, Timeout: a.timeout, MaxTokens: authorAnswer, Temperature: &cold, Seed: &seed, Constrained: true}
		if a.url == "" || arg == "" {
			return nil, usageError("--student %s: needs openai:MODEL and --url", a.spec)
		}
		if a.keyFile != "" {
			var err error
			if o.Key, err = openai.ReadKey(a.keyFile); err != nil {
				return nil, err
			}
		}
		return openai.New(o)
	case "recorded":
		return recorded.Open(arg)
	}
	return nil, usageError("--student %q: one of ollama, ollama:MODEL, openai:MODEL, recorded:FILE", a.spec)
}
