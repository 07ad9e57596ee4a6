// SPDX-License-Identifier: Apache-2.0

package studenttest

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/vehicle"
)

func post(t *testing.T, url string) (int, string, error) {
	t.Helper()
	resp, err := http.Post(url, "application/json", strings.NewReader(`{"hello":1}`))
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(b), err
}

// One reply is told in the protocol of whoever asks.
func TestProtocols(t *testing.T) {
	s := NewServer(Reply{Text: "hé", Calls: []vehicle.Call{{ID: "a", Tool: "t", Raw: `{"x":1}`}}})
	defer s.Close()
	_, ollama, err := post(t, s.URL+"/api/chat")
	if err != nil || strings.Count(ollama, "\n") != 4 || !strings.Contains(ollama, `"arguments":{"x":1}`) || !strings.Contains(ollama, `"done":true`) {
		t.Errorf("%v: %s", err, ollama)
	}
	_, openai, err := post(t, s.URL+"/v1/chat/completions")
	if err != nil || !strings.Contains(openai, `"arguments":"{\"x\":1}"`) || !strings.Contains(openai, `"finish_reason":"tool_calls"`) {
		t.Errorf("%v: %s", err, openai)
	}
	if r := s.Requests(); len(r) != 2 || r[1].Path != "/v1/chat/completions" || string(r[0].Body) != `{"hello":1}` {
		t.Errorf("requests %+v", r)
	}
}

func TestScriptOrder(t *testing.T) {
	s := NewServer(Say("one"), Fail(500, "two"))
	defer s.Close()
	for i, want := range []string{"one", "two", "two"} {
		if _, body, _ := post(t, s.URL+"/v1/chat/completions"); !strings.Contains(body, want) {
			t.Errorf("reply %d: %s", i, body)
		}
	}
	s.Add(Say("three"))
	if status, body, _ := post(t, s.URL+"/v1/chat/completions"); status != 200 || !strings.Contains(body, "three") {
		t.Errorf("added: %s", body)
	}
}

func TestFaults(t *testing.T) {
	s := NewServer(Reply{Text: "long enough to be cut", Cut: true}, Reply{Drop: true}, Reply{Text: "x", NoEnd: true})
	defer s.Close()
	if _, body, err := post(t, s.URL+"/api/chat"); err == nil || body == "" {
		t.Errorf("cut: %q, %v", body, err)
	}
	if _, _, err := post(t, s.URL+"/api/chat"); err == nil {
		t.Error("dropped: no error")
	}
	if _, body, err := post(t, s.URL+"/api/chat"); err != nil || strings.Contains(body, `"done":true`) {
		t.Errorf("no end: %q, %v", body, err)
	}
	if status, _, _ := post(t, NewServer().URL+"/api/chat"); status != 503 {
		t.Errorf("no script: %d", status)
	}
}
