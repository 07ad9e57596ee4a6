// SPDX-License-Identifier: Apache-2.0

package openai

import (
	"net/url"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student/prompt"
	"github.com/carguardd/carguardd/harness/student/schema"
	"github.com/carguardd/carguardd/vehicle"
)

// request makes the request for a prompt, without its messages, and the
// messages.
func (s *Student) request(p *harness.Prompt) (*chat, []prompt.Message) {
	req := s.basis()
	offered := p.Tools
	if p.SpeakOnly {
		offered = nil
	}
	if s.o.Constrained {
		req.ResponseFormat = bound("draft", schema.Draft(offered))
		return req, prompt.Constrained(p)
	}
	if offered != nil {
		for _, t := range offered.Tools {
			req.Tools = append(req.Tools, tool{Type: "function",
				Function: declaration{Name: t.Name, Description: t.Description, Parameters: schema.Declare(t).AppendJSON(nil)}})
		}
	}
	return req, prompt.Messages(p)
}

// basis is a request as the options want it.
func (s *Student) basis() *chat {
	req := &chat{Model: s.o.Model, Temperature: s.o.Temperature, Seed: s.o.Seed}
	if u, err := url.Parse(s.o.URL); err == nil && u.Hostname() == "api.openai.com" {
		req.MaxCompletionTokens = s.o.MaxTokens
	} else {
		req.MaxTokens = s.o.MaxTokens // the name that all others know
	}
	return req
}

// bound binds an answer to a schema.
func bound(name string, form vehicle.Value) *format {
	return &format{Type: "json_schema", Schema: jsonSchema{Name: name, Schema: form.AppendJSON(nil)}}
}
