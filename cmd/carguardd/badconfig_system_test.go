// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/carguardd/carguardd/cross/peerstest"
	"github.com/carguardd/carguardd/testdata"
)

// located is how every error of a file begins.
var located = regexp.MustCompile(`(?m)^carguardd: \S+:\d+:\d+: \S`)

// What somebody wrote wrongly starts nothing: exit 78, file:line:col, no
// socket, no state.
func TestSystemRunBadConfig(t *testing.T) {
	bin := binary(t)
	const good = "vehicle: {id: car-1, profile: car/profile.yaml}\nrules: rules\n" +
		"buses: {body: \"socketcand://127.0.0.1:1/body\", powertrain: \"socketcand://127.0.0.1:1/powertrain\"}\n" +
		"mqtt: {url: \"tcp://127.0.0.1:1\"}\nstore: {dir: state}\napi: {socket: control.sock}\n"
	tests := []struct{ name, file, old, new string }{
		{"unknown key", "carguardd.yaml", "store:", "stor:"},
		{"a tab", "carguardd.yaml", "store: {", "\tstore: {"},
		{"key twice", "carguardd.yaml", "store: {dir: state}", "store: {dir: state, dir: other}"},
		{"unknown transport", "carguardd.yaml", "socketcand://127.0.0.1:1/body", "socketcna:can0"},
		{"no bus", "carguardd.yaml", "body: \"socketcand://127.0.0.1:1/body\", ", ""},
		{"a bus too many", "carguardd.yaml", "{body:", "{chassis: \"mem:x\", body:"},
		{"broker url", "carguardd.yaml", "tcp://", "mqtt+tcp://"},
		{"no profile", "carguardd.yaml", "car/profile.yaml", "car/none.yaml"},
		{"number out of range", "carguardd.yaml", "store:", "harness: {rounds: 1000}\nstore:"},
		{"profile: unknown key", "car/profile.yaml", "    settle: 8s\n", "    setle: 8s\n"},
		{"profile: no such signal of the dbc", "car/profile.yaml", "signal: WindowDriverPosition}", "signal: WindowDriverPosture}"},
		{"profile: range against the dbc", "car/profile.yaml", "    range: [0, 100]\n", "    range: [0, 1000]\n"},
		{"dbc: a message cut off", "car/body.dbc", "BO_ 800 WindowStatus: 8 BCM", "BO_ 800 WindowStatus"},
		{"rules: unknown type", "rules/rules/windows.yaml", "type: ", "type: un"},
		{"rules: no such field", "rules/rules/climate.yaml", "field: ", "field: no_"},
		{"no rules", "carguardd.yaml", "rules: rules", "rules: rulez"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			copyFolder(t, "profiles/demo-ev", filepath.Join(dir, "car"))
			copyFolder(t, "bundles/in-car", filepath.Join(dir, "rules"))
			if err := os.WriteFile(filepath.Join(dir, "carguardd.yaml"), []byte(good), 0o600); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(bin, "run", "--check", "--config", filepath.Join(dir, "carguardd.yaml")).CombinedOutput(); err != nil {
				t.Fatalf("before anything is wrong: %v\n%s", err, out)
			}
			spoil(t, filepath.Join(dir, tc.file), tc.old, tc.new)
			cmd := exec.Command(bin, "run", "--config", filepath.Join(dir, "carguardd.yaml"))
			out, _ := cmd.CombinedOutput() // the exit code says it
			if cmd.ProcessState.ExitCode() != exitConfig || !located.Match(out) {
				t.Errorf("exit %d, want %d with file:line:col:\n%s", cmd.ProcessState.ExitCode(), exitConfig, out)
			}
			for _, f := range []string{"state", "control.sock"} {
				if _, err := os.Stat(filepath.Join(dir, f)); err == nil {
					t.Errorf("%s was made although nothing can start", f)
				}
			}
		})
	}
	peerstest.Count(t, peerstest.Bad, "configurations, profiles, DBC and rule files", len(tests))
}

// spoil replaces the first old in a file.
func spoil(t *testing.T, file, old, with string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := regexp.MustCompile(regexp.QuoteMeta(old)).FindIndex(data)
	if at == nil {
		t.Fatalf("%s has no %q", file, old)
	}
	data = append(append(append([]byte(nil), data[:at[0]]...), with...), data[at[1]:]...)
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func copyFolder(t *testing.T, from, to string) {
	t.Helper()
	sub, err := fs.Sub(testdata.FS, from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(to, sub); err != nil {
		t.Fatal(err)
	}
}
