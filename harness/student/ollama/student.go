// SPDX-License-Identifier: Apache-2.0

package ollama

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/ollama/ollama/api"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/prompt"
	"github.com/carguardd/carguardd/harness/student/reply"
	"github.com/carguardd/carguardd/harness/student/web"
)

// Student asks a model on an Ollama server. It may be used concurrently.
type Student struct {
	o    Options
	base *url.URL
	http *http.Client
	api  *api.Client
	// the tools' declarations, which are the same for many drafts
	tools toolCache
}

var (
	_ harness.Student = (*Student)(nil)
	_ student.Checker = (*Student)(nil)
)

// New returns a student for the model that the options name. It does not
// contact the server.
func New(o Options) (*Student, error) {
	o = o.withDefaults()
	if o.Model == "" {
		return nil, errors.New("ollama: no model is named")
	}
	base, err := address(o.URL)
	if err != nil {
		return nil, err
	}
	c := web.NewClient(o.Transport, o.Limits)
	return &Student{o: o, base: base, http: c, api: api.NewClient(base, c)}, nil
}

// Name is "ollama" and the model.
func (s *Student) Name() string { return "ollama " + s.o.Model }

// Draft asks the model for one draft. Every error is a [student.Error]; the
// draft that comes with one has its usage only.
func (s *Student) Draft(ctx context.Context, p *harness.Prompt) (harness.Draft, error) {
	req, msgs := s.request(p)
	ask := prompt.Asker{Name: s.Name(), Timeout: s.o.Timeout}
	return ask.Ask(ctx, msgs, func(ctx context.Context, msgs []prompt.Message) (harness.Draft, error) {
		return s.attempt(ctx, p, req, msgs)
	})
}

func (s *Student) attempt(ctx context.Context, p *harness.Prompt, req *api.ChatRequest, msgs []prompt.Message) (harness.Draft, error) {
	req.Messages = messages(msgs)
	a, err := s.chat(ctx, req)
	if err != nil {
		return harness.Draft{}, err
	}
	var d harness.Draft
	if req.Format != nil {
		d, err = reply.Constrained(p, a.text.String())
	} else {
		d, err = reply.Draft(p, a.text.String(), a.calls)
	}
	d.Usage = harness.Usage{InputTokens: a.input, OutputTokens: a.output}
	return d, err
}
