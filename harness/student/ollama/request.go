// SPDX-License-Identifier: Apache-2.0

package ollama

import (
	"encoding/json"
	"sync"

	"github.com/ollama/ollama/api"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student/prompt"
	"github.com/carguardd/carguardd/harness/student/schema"
	"github.com/carguardd/carguardd/vehicle"
)

// request makes the request for a prompt, without its messages, and the
// messages.
func (s *Student) request(p *harness.Prompt) (*api.ChatRequest, []prompt.Message) {
	req := s.basis()
	offered := p.Tools
	if p.SpeakOnly {
		offered = nil
	}
	if s.o.Constrained {
		req.Format = json.RawMessage(schema.Draft(offered).AppendJSON(nil))
		return req, prompt.Constrained(p)
	}
	req.Tools = s.tools.get(offered)
	return req, prompt.Messages(p)
}

// basis is a request as the options want it.
func (s *Student) basis() *api.ChatRequest {
	no, yes := false, true
	req := &api.ChatRequest{
		Model: s.o.Model, Stream: &yes, Truncate: &no, Shift: &no,
		KeepAlive: &api.Duration{Duration: s.o.KeepAlive},
		Options:   map[string]any{"num_ctx": s.o.NumCtx, "num_predict": s.o.NumPredict},
	}
	if s.o.Temperature != nil {
		req.Options["temperature"] = *s.o.Temperature
	}
	if s.o.Seed != nil {
		req.Options["seed"] = *s.o.Seed
	}
	if s.o.Think != nil {
		req.Think = &api.ThinkValue{Value: *s.o.Think}
	}
	return req
}

// messages turns messages into those of the protocol.
func messages(l []prompt.Message) []api.Message {
	out := make([]api.Message, len(l))
	for i, m := range l {
		out[i] = api.Message{Role: string(m.Role), Content: m.Text, ToolName: m.Tool, ToolCallID: m.CallID}
		for n, c := range m.Calls {
			f := api.ToolCallFunction{Index: n, Name: c.Tool, Arguments: api.NewToolCallFunctionArguments()}
			for j := range c.Args.Len() {
				f.Arguments.Set(c.Args.NameAt(j), c.Args.At(j).Any())
			}
			out[i].ToolCalls = append(out[i].ToolCalls, api.ToolCall{ID: c.ID, Function: f})
		}
	}
	return out
}

// toolCache keeps the declarations of the catalog that was asked for last.
type toolCache struct {
	mu    sync.Mutex
	of    *vehicle.Catalog
	tools api.Tools
}

func (c *toolCache) get(cat *vehicle.Catalog) api.Tools {
	if cat == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of != cat {
		c.of, c.tools = cat, declare(cat)
	}
	return c.tools
}

// declare turns tools into those of the protocol. Its types know no bounds
// of numbers and the like; descriptions say them.
func declare(cat *vehicle.Catalog) api.Tools {
	var l api.Tools
	for _, t := range cat.Tools {
		f := api.ToolFunction{Name: t.Name, Description: t.Description}
		if err := json.Unmarshal(schema.Declare(t).AppendJSON(nil), &f.Parameters); err != nil || f.Parameters.Properties == nil {
			f.Parameters = api.ToolFunctionParameters{Type: "object", Properties: api.NewToolPropertiesMap()}
		}
		l = append(l, api.Tool{Type: "function", Function: f})
	}
	return l
}
