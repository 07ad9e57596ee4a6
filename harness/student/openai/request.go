// SPDX-License-Identifier: Apache-2.0

package openai

import (
	"encoding/json"
	"net/url"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student/prompt"
	"github.com/carguardd/carguardd/harness/student/schema"
	"github.com/carguardd/carguardd/vehicle"
)

// request makes the request for a prompt, without its messages, and the
// messages.
func (s *Student) request(p *harness.Prompt) (openai.ChatCompletionNewParams, []prompt.Message) {
	req := s.basis()
	offered := p.Tools
	if p.SpeakOnly {
		offered = nil
	}
	if s.o.Constrained {
		req.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: "draft", Schema: plain(schema.Draft(offered))}}
		return req, prompt.Constrained(p)
	}
	if offered != nil {
		for _, t := range offered.Tools {
			req.Tools = append(req.Tools, declare(t))
		}
	}
	return req, prompt.Messages(p)
}

// basis is a request as the options want it.
func (s *Student) basis() openai.ChatCompletionNewParams {
	req := openai.ChatCompletionNewParams{Model: s.o.Model}
	if u, err := url.Parse(s.o.URL); err == nil && u.Hostname() == "api.openai.com" {
		req.MaxCompletionTokens = openai.Int(int64(s.o.MaxTokens))
	} else {
		req.MaxTokens = openai.Int(int64(s.o.MaxTokens)) // the name that all others know
	}
	if s.o.Temperature != nil {
		req.Temperature = openai.Float(*s.o.Temperature)
	}
	if s.o.Seed != nil {
		req.Seed = openai.Int(int64(*s.o.Seed))
	}
	return req
}

func declare(t *vehicle.Tool) openai.ChatCompletionToolUnionParam {
	f := shared.FunctionDefinitionParam{Name: t.Name, Parameters: plain(schema.Declare(t))}
	if t.Description != "" {
		f.Description = openai.String(t.Description)
	}
	return openai.ChatCompletionFunctionTool(f)
}

// plain turns a schema into what the client's encoder knows.
func plain(v vehicle.Value) map[string]any {
	var m map[string]any
	if err := json.Unmarshal(v.AppendJSON(nil), &m); err != nil {
		return map[string]any{"type": "object"} // not reached: schemas are objects
	}
	return m
}

// messages turns messages into those of the protocol.
func messages(l []prompt.Message) []openai.ChatCompletionMessageParamUnion {
	out := make([]openai.ChatCompletionMessageParamUnion, len(l))
	for i, m := range l {
		switch m.Role {
		case harness.System:
			out[i] = openai.SystemMessage(m.Text)
		case harness.ToolRole:
			out[i] = openai.ToolMessage(m.Text, m.CallID)
		case harness.Assistant:
			out[i] = assistant(&m)
		default:
			out[i] = openai.UserMessage(m.Text)
		}
	}
	return out
}

func assistant(m *prompt.Message) openai.ChatCompletionMessageParamUnion {
	a := openai.ChatCompletionAssistantMessageParam{}
	if m.Text != "" || len(m.Calls) == 0 {
		a.Content.OfString = openai.String(m.Text)
	}
	for _, c := range m.Calls {
		a.ToolCalls = append(a.ToolCalls, openai.ChatCompletionMessageToolCallUnionParam{
			OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{ID: c.ID,
				Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{Name: c.Tool, Arguments: string(c.Args.AppendJSON(nil))}}})
	}
	return openai.ChatCompletionMessageParamUnion{OfAssistant: &a}
}
