// SPDX-License-Identifier: Apache-2.0

package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/prompt"
	"github.com/carguardd/carguardd/harness/student/reply"
	"github.com/carguardd/carguardd/harness/student/web"
	"github.com/carguardd/carguardd/vehicle"
)

// Student asks a model at an endpoint. It may be used concurrently.
type Student struct {
	o    Options
	ends endpoint
}

var (
	_ harness.Student = (*Student)(nil)
	_ student.Checker = (*Student)(nil)
)

// New returns a student for the model and endpoint of the options. It does
// not contact the endpoint.
func New(o Options) (*Student, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	return &Student{o: o, ends: newEndpoint(o)}, nil
}

// Name is "openai" and the model.
func (s *Student) Name() string { return "openai " + s.o.Model }

// Draft asks the model for one draft. Every error is a [student.Error]; the
// draft that comes with one has its usage only.
func (s *Student) Draft(ctx context.Context, p *harness.Prompt) (harness.Draft, error) {
	req, msgs := s.request(p)
	ask := prompt.Asker{Name: s.Name(), Timeout: s.o.Timeout}
	return ask.Ask(ctx, msgs, func(ctx context.Context, msgs []prompt.Message) (harness.Draft, error) {
		req.Messages = messages(msgs)
		return s.attempt(ctx, p, req)
	})
}

func (s *Student) attempt(ctx context.Context, p *harness.Prompt, req *chat) (harness.Draft, error) {
	res, err := s.complete(ctx, req)
	if err != nil {
		return harness.Draft{}, s.failure(ctx, err)
	}
	text, calls, err := read(res)
	if err != nil {
		return harness.Draft{}, err
	}
	var d harness.Draft
	if req.ResponseFormat != nil {
		d, err = reply.Constrained(p, text)
	} else {
		d, err = reply.Draft(p, text, calls)
	}
	d.Usage = res.usage()
	return d, err
}

// complete asks for a completion.
func (s *Student) complete(ctx context.Context, req *chat) (*completion, error) {
	data, err := s.ends.call(ctx, chatPath, req)
	if err != nil {
		return nil, err
	}
	return parse(data)
}

// parse reads a body. One that has no choice is taken whole, for the message.
func parse(data []byte) (*completion, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, io.EOF
	}
	res := &completion{raw: data}
	return res, json.Unmarshal(data, res)
}

// usage is what the answer says that it cost.
func (c *completion) usage() harness.Usage {
	return harness.Usage{InputTokens: max(c.Usage.PromptTokens.is, 0), OutputTokens: max(c.Usage.CompletionTokens.is, 0)}
}

// read takes text and calls out of a completion that says it is complete.
func read(res *completion) (string, []vehicle.Call, error) {
	if len(res.Choices) == 0 {
		if len(res.Error) > 0 {
			return "", nil, student.Errorf(student.Server, nil, "the server reports ", web.Excerpt(res.Error))
		}
		return "", nil, student.Errorf(student.Protocol, nil, "the answer has no choice: ", web.Excerpt(res.raw))
	}
	switch res.Choices[0].FinishReason.is {
	case "length":
		return "", nil, student.Errorf(student.Incomplete, nil, "the answer reached the most tokens allowed")
	case "content_filter":
		return "", nil, student.Errorf(student.Incomplete, nil, "the server's filter cut the answer")
	case "":
		return "", nil, student.Errorf(student.Incomplete, nil, "the answer does not say why it ended")
	}
	m := res.Choices[0].Message
	text := m.Content.is
	if text == "" {
		text = m.Refusal.is
	}
	if len(m.ToolCalls) > reply.MaxCalls {
		return "", nil, student.Errorf(student.TooLarge, nil, "an answer of too many calls")
	}
	var calls []vehicle.Call
	for _, c := range m.ToolCalls {
		calls = append(calls, reply.New(c.ID.is, c.Function.Name.is, c.Function.Arguments))
	}
	return text, calls, nil
}

// failure names why a request gave no completion.
func (s *Student) failure(ctx context.Context, err error) error {
	var e *refusedError
	var sending *url.Error
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &e):
		return s.refusal(e)
	case ctx.Err() != nil:
		return web.ReadError(ctx.Err())
	case errors.As(err, &sending):
		return web.SendError(err)
	case errors.Is(err, io.EOF):
		return student.Errorf(student.Empty, nil, "the server answers with nothing")
	case errors.As(err, &syntax) && strings.Contains(syntax.Error(), "unexpected end"), errors.Is(err, io.ErrUnexpectedEOF):
		return web.ReadError(io.ErrUnexpectedEOF)
	}
	return web.ReadError(err)
}

// refusal names an error status.
func (s *Student) refusal(e *refusedError) error {
	text := e.text
	lower := strings.ToLower(e.code + " " + text)
	switch {
	case strings.Contains(lower, "context_length_exceeded"),
		strings.Contains(lower, "context") && (strings.Contains(lower, "exceed") || strings.Contains(lower, "too long") || strings.Contains(lower, "maximum")):
		return student.Errorf(student.TooLarge, prompt.ErrTooLong)
	case e.status == http.StatusNotFound && strings.Contains(lower, "model"):
		return student.Errorf(student.ModelMissing, nil, web.Excerpt([]byte(text)))
	case e.status == http.StatusNotFound:
		return student.Errorf(student.Protocol, nil, "no chat endpoint here; is the address right, /v1 included?")
	}
	return web.StatusError(e.status, text)
}

// Health reports whether the endpoint answers and lists the model. An endpoint
// that lists no models at all is taken at its word that it is there.
func (s *Student) Health(ctx context.Context) error {
	var list modelList
	data, err := s.ends.call(ctx, modelsPath, nil)
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil {
		return student.Named(s.Name(), s.failure(ctx, err))
	}
	for _, m := range list.Data {
		if m.ID == s.o.Model {
			return nil
		}
	}
	if len(list.Data) == 0 {
		return nil
	}
	return student.Named(s.Name(), student.Errorf(student.ModelMissing, nil, "the endpoint does not list the model"))
}
