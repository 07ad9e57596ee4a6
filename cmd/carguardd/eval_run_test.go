// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/cross/sharedtest"
	"github.com/carguardd/carguardd/harness/eval"
	"github.com/carguardd/carguardd/harness/student/studenttest"
)

func TestEvalRunUsage(t *testing.T) {
	dir := t.TempDir()
	for _, tc := range []struct{ name, args, says string }{
		{"no student", dir, "--student is needed"},
		{"a mode that is none", dir + " --student offline --mode half", `--mode "half"`},
		{"compared with itself", dir + " --student offline --against full", "that is the mode that is measured"},
		{"no trials", dir + " --student offline --trials 0", "at least 1"},
		{"a critic without the harness", dir + " --student offline --mode none --critic ollama:m", "need mode full"},
		{"an expression that is none", dir + " --student offline --tasks (", "--tasks"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := evaluate(t, append([]string{"run"}, strings.Fields(tc.args)...)...)
			if err == nil || code(err) != exitUsage || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("error %v with code %d, want %q", err, code(err), tc.says)
			}
		})
	}
}

// A run with the recorded students of the benchmark: the report in every form,
// and compared with an earlier one.
func TestEvalRunRecorded(t *testing.T) {
	dir, tmp := sharedtest.Path(t, "carbench"), t.TempDir()
	junit, old := filepath.Join(tmp, "junit.xml"), filepath.Join(tmp, "old.json")
	out, err := evaluate(t, "run", dir, "--student", "recorded", "--mode", "none", "--category", "base", "--limit", "5", "--trials", "2", "--json", "--junit", junit)
	if err != nil {
		t.Fatal(err)
	}
	var rep eval.LiveReport
	if err := json.Unmarshal([]byte(out), &rep); err != nil {
		t.Fatal(err)
	}
	if len(rep.Setups) != 1 || rep.Setups[0].All.Trials != 10 || rep.Setups[0].All.Passed == 0 || len(rep.Setups[0].All.PassAll) != 2 || rep.Setups[0].Name != "none, recorded" {
		t.Errorf("report %+v", rep)
	}
	if raw, err := os.ReadFile(junit); err != nil || !strings.Contains(string(raw), `<testsuite name="eval run"`) || !strings.Contains(string(raw), "pass^2") {
		t.Errorf("junit: %v in %s", err, raw)
	}
	if err := os.WriteFile(old, []byte(out), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err = evaluate(t, "run", dir, "--student", "recorded", "--category", "base", "--limit", "5", "--trials", "2", "--against", "gates", "--against-report", old, "--long")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"full, recorded", "gates, recorded", "pass^2", "pass@2", "none, recorded (earlier)", "difference"} {
		if !strings.Contains(out, part) {
			t.Errorf("the table lacks %q:\n%s", part, out)
		}
	}
	if _, err = evaluate(t, "run", dir, "--student", "recorded", "--limit", "1", "--against-report", junit); code(err) != exitConfig {
		t.Errorf("a report that is none: %v with code %d", err, code(err))
	}
	if _, err = evaluate(t, "run", dir, "--student", "recorded", "--category", "easy"); code(err) != exitUsage || !strings.Contains(err.Error(), "base") {
		t.Errorf("a category that is none: %v", err)
	}
}

// Models as student, driver and critic, over both protocols; and a server that
// is down ends the run, with what was finished before.
func TestEvalRunModels(t *testing.T) {
	dir := sharedtest.Path(t, "carbench")
	driver := studenttest.Reply{Text: `{"say":"Please turn on the air conditioning.","end":false}`, Tokens: [2]int{10, 5}}
	end := studenttest.Say(`{"say":"","end":true}`)
	down := ""
	for kind, path := range map[string]string{"ollama": "", "openai": "/v1"} {
		s := studenttest.NewServer(driver, studenttest.Reply{Text: "I will see to it.", Tokens: [2]int{100, 20}}, studenttest.Say(`{"verdicts":[{"number":1,"confirm":false}]}`), end)
		defer s.Close()
		url := s.URL + path
		m := kind + ":fake:latest"
		out, err := evaluate(t, "run", dir, "--student", m, "--user", m, "--critic", m, "--url", url, "--limit", "1", "--json", "--talk")
		if err != nil {
			t.Fatal(err)
		}
		var rep eval.LiveReport
		if err := json.Unmarshal([]byte(out), &rep); err != nil {
			t.Fatal(err)
		}
		r := rep.Setups[0].Results[0]
		if r.Turns != 1 || r.Usage.ModelCalls != 2 || r.Usage.InputTokens != 100 || r.User.ModelCalls != 2 || r.Passed || r.Talk[0].Text != "Please turn on the air conditioning." {
			t.Errorf("%s: trial %+v", kind, r)
		}
		s.Close()
		down = s.URL
	}
	if _, err := evaluate(t, "run", dir, "--student", "ollama:fake:latest", "--url", down, "--limit", "2"); code(err) != exitFailed || !strings.Contains(err.Error(), "unreachable") {
		t.Errorf("a server that is down: %v with code %d", err, code(err))
	}
}
