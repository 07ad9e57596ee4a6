// SPDX-License-Identifier: Apache-2.0

//go:build amd64

package openai

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/openai/openai-go/v3"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student/prompt"
	"github.com/carguardd/carguardd/harness/student/studenttest"
	"github.com/carguardd/carguardd/vehicle"
)

// What is sent is what the official client's own types say the same way, with
// nothing that they do not know.
func TestRequestIsOfTheProtocol(t *testing.T) {
	warm, seed := 0.25, 7
	p := studenttest.Prompt("heat the top")
	said := []prompt.Message{
		{Role: harness.System, Text: "be brief"}, {Role: harness.User, Text: "heat the top"},
		{Role: harness.Assistant, Calls: []vehicle.Call{{ID: "a", Tool: "set_heat", Args: vehicle.MustJSON(`{"level":2}`)}}},
		{Role: harness.ToolRole, Text: "done", CallID: "a"}, {Role: harness.Assistant, Text: "It is warm."},
	}
	for name, o := range map[string]Options{
		"plain":       {URL: "http://127.0.0.1/v1", Model: "m"},
		"constrained": {URL: "http://127.0.0.1/v1", Model: "m", Constrained: true},
		"the service": {URL: "https://api.openai.com/v1", Model: "m", Temperature: &warm, Seed: &seed},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := New(o)
			if err != nil {
				t.Fatal(err)
			}
			req, _ := s.request(p)
			req.Messages = messages(said)
			ours, err := json.Marshal(req)
			if err != nil {
				t.Fatal(err)
			}
			var theirs openai.ChatCompletionNewParams
			if err := json.Unmarshal(ours, &theirs); err != nil {
				t.Fatal(err)
			}
			again, err := json.Marshal(theirs)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(decoded(t, ours), decoded(t, again)); diff != "" {
				t.Errorf("ours and theirs:\n%s", diff)
			}
			if len(theirs.Messages) != len(said) || theirs.Messages[3].OfTool == nil || theirs.Messages[2].OfAssistant == nil {
				t.Errorf("their messages: %+v", theirs.Messages)
			}
		})
	}
}

func decoded(t *testing.T, text []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}
