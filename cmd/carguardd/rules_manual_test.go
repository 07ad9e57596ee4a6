// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func rulesManual(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

var manualFence = regexp.MustCompile("(?ms)^```(\\w+)(?: (\\S+))?\n(.*?)^```$")

// TestRulesManualCommands runs every command line of docs/rules.md on the
// bundle that its blocks make up, each as it is written.
func TestRulesManualCommands(t *testing.T) {
	files, script := map[string]string{}, "env TZ=UTC\ndaemon\nexec carguardd say --socket $SOCK how fast are we going\nundaemon\n"
	lines := 0
	for _, m := range manualFence.FindAllStringSubmatch(rulesManual(t), -1) {
		switch kind, name, body := m[1], m[2], m[3]; {
		case kind == "sh":
			for line := range strings.Lines(body) {
				command, _, _ := strings.Cut(line, "#")
				if command = strings.TrimSpace(command); command == "" {
					continue
				}
				lines++
				how := "exec "
				if strings.Contains(command, "rules lint") { // the examples are short: it warns about what they leave out
					how = "exits 3 "
				}
				command = strings.Replace(command, "rules bench", "rules bench --count 1", 1) // it need not be exact
				script += how + strings.ReplaceAll(command, `"`, "'") + "\n"
			}
		case name != "" && path.Ext(name) != "" && kind != "sh":
			files[name] = body
		}
	}
	if lines < 13 || len(files) < 15 {
		t.Fatalf("%d command lines, %d files", lines, len(files))
	}
	dir := t.TempDir()
	for name, body := range files {
		script += fmt.Sprintf("-- my-bundle/%s --\n%s-- old-bundle/%s --\n%s", name, body, name, body)
	}
	if err := os.WriteFile(filepath.Join(dir, "manual.txtar"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	p := scriptParams(t)
	p.Dir, p.UpdateScripts = dir, false
	testscript.Run(t, p)
}

// TestRulesManualNames: the page names every verb of rules and every exit code
// that they have.
func TestRulesManualNames(t *testing.T) {
	doc := rulesManual(t)
	for _, cmd := range newRules().Commands() {
		if !strings.Contains(doc, "carguardd rules "+cmd.Name()+" ") {
			t.Errorf("docs/rules.md does not show rules %s", cmd.Name())
		}
		if _, err := os.Stat(filepath.Join("testdata", "script", "rules_"+cmd.Name()+".txtar")); err != nil && cmd.Name() != "inspect" {
			t.Errorf("no script plays rules %s: %v", cmd.Name(), err)
		}
	}
	if script, err := os.ReadFile(filepath.Join("testdata", "script", "rules_build.txtar")); err != nil || !strings.Contains(string(script), "rules inspect ") {
		t.Errorf("no script plays rules inspect: %v", err)
	}
	cli, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range []int{exitOK, exitFailed, exitUsage, exitFindings, exitRefused, exitConfig} {
		if !strings.Contains(string(cli), fmt.Sprintf("| %d | ", code)) {
			t.Errorf("docs/cli.md does not explain exit code %d", code)
		}
		if code != exitConfig && !regexp.MustCompile(fmt.Sprintf(`\b%d (when|for|if)\b`, code)).MatchString(doc) {
			t.Errorf("docs/rules.md does not explain exit code %d", code)
		}
	}
}
