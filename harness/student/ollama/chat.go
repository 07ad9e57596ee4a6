// SPDX-License-Identifier: Apache-2.0

package ollama

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/ollama/ollama/api"

	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/prompt"
	"github.com/carguardd/carguardd/harness/student/web"
)

// chat sends one request and reads its answer to the end.
func (s *Student) chat(ctx context.Context, req *api.ChatRequest) (*answer, error) {
	body, err := json.Marshal(req)
	if err != nil {
		return nil, student.Errorf(student.Protocol, err, "encode the request")
	}
	hr, err := http.NewRequestWithContext(ctx, http.MethodPost, s.base.JoinPath("api/chat").String(), bytes.NewReader(body))
	if err != nil {
		return nil, student.Errorf(student.Protocol, err, "make the request")
	}
	hr.Header.Set("Content-Type", "application/json")
	hr.Header.Set("Accept", "application/x-ndjson")
	resp, err := s.http.Do(hr)
	if err != nil {
		return nil, web.SendError(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			return nil, web.ReadError(err)
		}
		return nil, s.failure(resp.StatusCode, errorText(text))
	}
	a, err := readStream(resp.Body)
	if err != nil && ctx.Err() != nil {
		return nil, web.ReadError(ctx.Err())
	}
	return a, err
}

// errorText takes the message out of an error body.
func errorText(body []byte) string {
	var e struct {
		Error string `json:"error"`
	}
	if json.Unmarshal(body, &e) == nil && e.Error != "" {
		return e.Error
	}
	return string(body)
}

// failure names what the server turned down and why.
func (s *Student) failure(status int, text string) error {
	lower := strings.ToLower(text)
	switch {
	case status == http.StatusNotFound && strings.Contains(lower, "model"):
		return student.Errorf(student.ModelMissing, nil, web.Excerpt([]byte(text)), "; get it with `ollama pull ", s.o.Model, "`")
	case status == http.StatusNotFound:
		return student.Errorf(student.Protocol, nil, "no chat endpoint here; is an Ollama server at this address?")
	case strings.Contains(lower, "exceeds") && strings.Contains(lower, "context"),
		strings.Contains(lower, "context") && strings.Contains(lower, "too long"):
		return student.Errorf(student.TooLarge, prompt.ErrTooLong, "shorten the policy or raise num_ctx")
	case strings.Contains(lower, "does not support tools"):
		return student.Errorf(student.Refused, nil, web.Excerpt([]byte(text)), "; choose a model with tools, or constrained answers")
	}
	return web.StatusError(status, text)
}
