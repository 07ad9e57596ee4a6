// SPDX-License-Identifier: Apache-2.0

package openai

import (
	"encoding/json"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student/prompt"
)

// chat is a request for a completion, as far as it is used here.
type chat struct {
	Model               string    `json:"model"`
	Messages            []message `json:"messages"`
	Tools               []tool    `json:"tools,omitempty"`
	ResponseFormat      *format   `json:"response_format,omitempty"`
	MaxTokens           int       `json:"max_tokens,omitempty"`
	MaxCompletionTokens int       `json:"max_completion_tokens,omitempty"`
	Temperature         *float64  `json:"temperature,omitempty"`
	Seed                *int      `json:"seed,omitempty"`
}

type message struct {
	Role       string  `json:"role"`
	Content    *string `json:"content,omitempty"`
	ToolCalls  []call  `json:"tool_calls,omitempty"`
	ToolCallID string  `json:"tool_call_id,omitempty"`
}

type call struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type tool struct {
	Type     string      `json:"type"`
	Function declaration `json:"function"`
}

type declaration struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
}

type format struct {
	Type   string     `json:"type"`
	Schema jsonSchema `json:"json_schema"`
}

type jsonSchema struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
}

// completion is the answer, as far as it is looked at. What is not as the protocol
// has it in one place spoils no other.
type completion struct {
	Choices []struct {
		FinishReason lenient[string] `json:"finish_reason"`
		Message      struct {
			Content   lenient[string] `json:"content"`
			Refusal   lenient[string] `json:"refusal"`
			ToolCalls []struct {
				ID       lenient[string] `json:"id"`
				Function struct {
					Name      lenient[string] `json:"name"`
					Arguments json.RawMessage `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"message"`
	} `json:"choices"`
	Usage struct {
		PromptTokens     lenient[int] `json:"prompt_tokens"`
		CompletionTokens lenient[int] `json:"completion_tokens"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"`

	raw []byte // all of it
}

// lenient is a value that is zero where the document has one of another kind.
type lenient[T any] struct{ is T }

func (l *lenient[T]) UnmarshalJSON(data []byte) error {
	var v T
	if json.Unmarshal(data, &v) == nil {
		l.is = v
	}
	return nil
}

// modelList is what an endpoint offers.
type modelList struct {
	Data []struct {
		ID string `json:"id"`
	} `json:"data"`
}

// messages turns messages into those of the protocol.
func messages(l []prompt.Message) []message {
	out := make([]message, len(l))
	for i, m := range l {
		text := m.Text
		out[i] = message{Role: "user", Content: &text}
		switch m.Role {
		case harness.System:
			out[i].Role = "system"
		case harness.ToolRole:
			out[i].Role, out[i].ToolCallID = "tool", m.CallID
		case harness.Assistant:
			out[i].Role = "assistant"
			if text == "" && len(m.Calls) > 0 {
				out[i].Content = nil
			}
			for _, c := range m.Calls {
				out[i].ToolCalls = append(out[i].ToolCalls, call{ID: c.ID, Type: "function",
					Function: function{Name: c.Tool, Arguments: string(c.Args.AppendJSON(nil))}})
			}
		}
	}
	return out
}
