// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/rules/compile"
	"github.com/carguardd/carguardd/rules/compile/compiletest"
)

const (
	newSentence = "Ask before the reading lights go on."
	splitNew    = `{"demands": [{"sentence": 1, "type": "confirmation", "says": "ask before reading lights", "tools": ["set_reading_light"]}]}`
	ruleNew     = `{"rule": {"on": [{"call": "set_reading_light", "when": [{"arg": "on", "is": true}]}], "ask": {"naming": "all"}}}`
)

// authored is a car whose policy has one sentence that no rule carries out.
func authored(t *testing.T) (*config.Config, func() *loadedCar) {
	t.Helper()
	dir := t.TempDir()
	copyBundle(t, filepath.Join(dir, "bundle"))
	addLine(t, filepath.Join(dir, "bundle", "policy.md"), newSentence)
	c, err := config.Parse(filepath.Join(dir, "car.yaml"), []byte(carConfig+"student: {ollama: {model: m}}\ncompile: true\n"))
	if err != nil {
		t.Fatal(err)
	}
	return c, func() *loadedCar {
		l, err := loadCar(c)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
}

func addLine(t *testing.T, file, text string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, append(data, "\n"+text+"\n"...), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// What was compiled stays in force when the policy changes, a model that fails
// changes nothing, and the same policy is compiled once.
func TestRuleAuthor(t *testing.T) {
	c, load := authored(t)
	a := newRuleAuthor(c, zerolog.Nop())
	const id = "c-ask-before-the-reading"
	policy := filepath.Join(filepath.Dir(c.File()), "bundle", "policy.md")
	down := errors.New("nobody there")
	for _, step := range []struct {
		name    string
		add     string
		answers []string
		fails   bool
		asked   int
		known   int // compiled rules before
		then    int // and after
	}{
		{"the model is down", "", nil, true, 1, 0, 0},
		{"compiled", "", []string{splitNew, ruleNew}, false, 2, 0, 1},
		{"the same again", "", nil, false, 0, 1, 1},
		{"another policy, the model is down", "Whistle on Sundays.", nil, true, 1, 1, 1},
		{"another policy", "", []string{`{"demands": [{"sentence": 1, "type": "confirmation", "says": "ask", "tools": ["set_reading_light"]},
			{"sentence": 2, "type": "none", "says": "whistle", "why": "no tool whistles"}]}`, ruleNew}, false, 2, 1, 1},
	} {
		if step.add != "" {
			addLine(t, policy, step.add)
		}
		l := load()
		s := compiletest.New(step.answers...)
		s.Fails = down
		a.model = func(*config.Config) (compile.Model, error) { return s, nil }
		known := a.known(c, l)
		if got := len(known.Rules) - len(l.rules.Rules); got != step.known {
			t.Errorf("%s: %d compiled rules before, want %d", step.name, got, step.known)
		}
		if _, err := a.write(t.Context(), c, l); errors.Is(err, down) != step.fails {
			t.Errorf("%s: %v", step.name, err)
		}
		if len(s.Forms) != step.asked {
			t.Errorf("%s: asked %d times, want %d", step.name, len(s.Forms), step.asked)
		}
		known = a.known(c, l)
		if got := len(known.Rules) - len(l.rules.Rules); got != step.then {
			t.Errorf("%s: %d compiled rules after, want %d", step.name, got, step.then)
		}
		if r := known.Rule(id); step.then > 0 && (r == nil || !r.Compiled) {
			t.Errorf("%s: the rule is %v", step.name, r)
		}
	}
	if newRuleAuthor(config.Default(), zerolog.Nop()).known(c, load()) == nil {
		t.Error("no author, no rules")
	}
}

// compilingServer is a model that writes the new rule when it is asked for
// one and the gate is open, and otherwise says hello.
func compilingServer(t *testing.T, forms *atomic.Int32, gate <-chan struct{}) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		content := `{"calls": [], "say": "Hello."}`
		for name, answer := range map[string]string{compile.SplitForm: splitNew, compile.RuleForm: ruleNew} {
			if strings.Contains(string(body), name) {
				<-gate
				forms.Add(1)
				content = fmt.Sprintf(`{"calls": [{"tool": %q, "args": %s}], "say": ""}`, name, answer)
			}
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"id": "1", "object": "chat.completion", "model": "m", "choices": []any{
			map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": content}}}})
	}))
	t.Cleanup(s.Close)
	return s
}

// The first turn under a policy that is new lets the model write its rules in
// the background; they come into force without anybody's doing, and are there
// at once after a restart.
func TestCompilesAtFirstTurn(t *testing.T) {
	s := supervise(t)
	var forms atomic.Int32
	gate := make(chan struct{})
	close(gate)
	server := compilingServer(t, &forms, gate)
	addLine(t, filepath.Join(s.dir, "bundle", "policy.md"), newSentence)
	s.write("car.yaml", carConfig+fmt.Sprintf("student: {openai: {base_url: %q, model: m, constrained: true}}\ncompile: true\n", server.URL+"/v1"))
	s.start()
	s.until("READY=1")
	if forms.Load() != 0 {
		t.Error("compiled before anybody spoke")
	}
	if _, err := api.NewClient(s.socket).Turn(t.Context(), "default", "hello"); err != nil {
		t.Fatal(err)
	}
	s.awaitLog(`"message":"policy compiled"`, 1)
	s.awaitLog(`"message":"rules in force"`, 2)
	if n := forms.Load(); n != 2 {
		t.Errorf("the model filled in %d forms", n)
	}
	s.end()
	if err := s.stopped(); err != nil {
		t.Fatal(err)
	}
	counts := inForce(s.log.String())
	if len(counts) != 2 || counts[1] != counts[0]+1 {
		t.Fatalf("rules in force: %v", counts)
	}

	s.ended = make(chan error, 1)
	s.start()
	s.until("READY=1")
	if counts := inForce(s.log.String()); len(counts) != 3 || counts[2] != counts[1] {
		t.Errorf("after the restart: %v", counts)
	}
	if n := forms.Load(); n != 2 {
		t.Errorf("compiled again: %d forms", n)
	}
}

// inForce are the numbers of rules that came into force, as the log has them.
func inForce(log string) []int {
	var out []int
	for line := range strings.Lines(log) {
		var l struct {
			Message string
			Rules   int
		}
		if json.Unmarshal([]byte(line), &l) == nil && l.Message == "rules in force" {
			out = append(out, l.Rules)
		}
	}
	return out
}

// awaitLog waits until the log has the text n times. Meanwhile it reads what the
// daemon tells its service manager, which would wait for a reader otherwise.
func (s *supervised) awaitLog(text string, n int) {
	s.t.Helper()
	buf := make([]byte, 4096)
	for end := time.Now().Add(patience); strings.Count(s.log.String(), text) < n; {
		s.conn.SetReadDeadline(time.Now().Add(5 * time.Millisecond))
		_, _ = s.conn.Read(buf) // or nothing came
		if time.Now().After(end) {
			s.t.Fatalf("%d times %s is not in the log:\n%s", n, text, s.log)
		}
	}
}

// A reload while the model writes leaves what it wrote for the next turn: it is
// not written again, and comes into force then.
func TestCompiledDuringReload(t *testing.T) {
	s := supervise(t)
	var forms atomic.Int32
	gate := make(chan struct{}) // the model waits for it
	server := compilingServer(t, &forms, gate)
	addLine(t, filepath.Join(s.dir, "bundle", "policy.md"), newSentence)
	s.write("car.yaml", carConfig+fmt.Sprintf("student: {openai: {base_url: %q, model: m, constrained: true}}\ncompile: true\n", server.URL+"/v1"))
	s.start()
	s.until("READY=1")
	say := func() {
		t.Helper()
		if _, err := api.NewClient(s.socket).Turn(t.Context(), "default", "hello"); err != nil {
			t.Fatal(err)
		}
	}
	say()
	s.awaitLog("compiling sentences", 1)
	addLine(t, filepath.Join(s.dir, "bundle", "lexicon", "en.yaml"), "# the same, seen as another")
	s.hangup()
	s.awaitLog(`"message":"reloaded"`, 1)
	close(gate)
	s.awaitLog(`"message":"policy compiled"`, 1)
	say()
	s.awaitLog(`"message":"rules in force"`, 3)
	counts := inForce(s.log.String())
	if counts[1] != counts[0] || counts[2] != counts[1]+1 || forms.Load() != 2 {
		t.Errorf("rules in force %v, %d forms", counts, forms.Load())
	}
}
