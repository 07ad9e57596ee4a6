// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package systemd_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// worst is the exposure that a service may have, of 10.
const worst = 1.5

// services are the units with what may be put beside them. The drop-in
// notify-reload is for systemd 253 and later only, see newReload.
var services = []struct {
	name, unit string
	dropIns    []string
	worst      float64
}{
	{"the daemon", "carguardd.service", nil, worst},
	{"with audio", "carguardd.service", []string{"audio"}, worst},
	{"with a remote model", "carguardd.service", []string{"remote-llm"}, worst},
	{"with credentials", "carguardd.service", []string{"credentials"}, worst},
	{"with a serial adapter", "carguardd.service", []string{"slcan"}, worst},
	{"with everything", "carguardd.service", []string{"audio", "remote-llm", "credentials", "slcan"}, worst},
	{"failsafe", "carguardd-failsafe.service", nil, 1},
}

// newReload is the systemd that knows the type notify-reload.
const newReload = 253

func analyze(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("systemd-analyze", args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "SYSTEMD_COLORS=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("systemd-analyze %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// tree copies the units into a folder where every program that they name
// exists, and returns the path of one.
func tree(t *testing.T, unit string, dropIns []string) string {
	t.Helper()
	dir := t.TempDir()
	files, err := filepath.Glob("units/carguardd*.[s]*")
	if err != nil || len(files) < 4 {
		t.Fatalf("%v %v", files, err)
	}
	program := filepath.Join(dir, "carguardd")
	if err := os.WriteFile(program, []byte("#!/bin/true\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	put := func(from, to string) {
		t.Helper()
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(data), "=/usr/bin/carguardd ", "="+program+" ")
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range files {
		put(f, filepath.Join(dir, filepath.Base(f)))
	}
	for _, d := range dropIns {
		put("units/drop-ins/"+d+".conf", filepath.Join(dir, unit+".d", d+".conf"))
	}
	return filepath.Join(dir, unit)
}

// Every line of every unit is understood, and each sandbox is as tight as the
// documentation says.
func TestSystemUnits(t *testing.T) {
	overall := regexp.MustCompile(`Overall exposure level for \S+: ([0-9.]+)`)
	for _, tc := range services {
		unit := tree(t, tc.unit, tc.dropIns)
		// An unknown key is only a warning: any output is a failure.
		if out := analyze(t, "verify", "--man=no", unit); out != "" {
			t.Errorf("%s: verify says:\n%s", tc.name, out)
		}
		// Drop-ins are not read from beside a unit here: they go to its end, where
		// the last assignment counts.
		flat := flatten(t, tc.unit, tc.dropIns)
		out := analyze(t, "security", "--offline=true", "--no-pager", flat)
		m := overall.FindStringSubmatch(out)
		if m == nil {
			t.Errorf("%s: no score in:\n%s", tc.name, out)
			continue
		}
		if score, err := strconv.ParseFloat(m[1], 64); err != nil || score > tc.worst {
			t.Errorf("%s: exposure %s, want at most %g\n%s", tc.name, m[1], tc.worst, out)
		}
		t.Logf("%s: exposure %s", tc.name, m[1])
	}
	for _, unit := range []string{"carguardd.socket", "carguardd-tcp.socket"} {
		if out := analyze(t, "verify", "--man=no", tree(t, unit, nil)); out != "" {
			t.Errorf("%s: verify says:\n%s", unit, out)
		}
	}
}

func flatten(t *testing.T, unit string, dropIns []string) string {
	t.Helper()
	data, err := os.ReadFile("units/" + unit)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dropIns {
		more, err := os.ReadFile("units/drop-ins/" + d + ".conf")
		if err != nil {
			t.Fatal(err)
		}
		data = append(append(data, '\n'), more...)
	}
	file := filepath.Join(t.TempDir(), unit)
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// The drop-in that this systemd may be too old for does to an old one what its
// comment says, and nothing to a new one.
func TestSystemUnitsNotifyReload(t *testing.T) {
	var version int
	if _, err := fmt.Sscanf(analyze(t, "--version"), "systemd %d", &version); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("systemd-analyze", "verify", "--man=no", tree(t, "carguardd.service", []string{"notify-reload"}))
	out, err := cmd.CombinedOutput()
	said := string(out)
	if version >= newReload && (err != nil || said != "") {
		t.Errorf("systemd %d: %v\n%s", version, err, said)
	}
	if version < newReload && !strings.Contains(said, "notify-reload") {
		t.Errorf("systemd %d takes the drop-in, and its comment says that it does not:\n%s", version, said)
	}
}

// The catalog, the users and the folders are what their tools take.
func TestSystemUnitsCatalogUsersFolders(t *testing.T) {
	root := t.TempDir()
	for from, to := range map[string]string{"carguardd.catalog": "usr/lib/systemd/catalog/carguardd.catalog",
		"sysusers.conf": "usr/lib/sysusers.d/carguardd.conf", "tmpfiles.conf": "usr/lib/tmpfiles.d/carguardd.conf"} {
		data, err := os.ReadFile("units/" + from)
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range []string{filepath.Dir(to), "var/lib/systemd/catalog", "etc"} {
			if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(root, to), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"journalctl", "--update-catalog"}, {"systemd-sysusers"}, {"systemd-tmpfiles", "--create"}} {
		out, err := exec.Command(args[0], append(args[1:], "--root="+root)...).CombinedOutput()
		if err != nil || strings.Contains(string(out), "ailed") {
			t.Errorf("%s: %v\n%s", args[0], err, out)
		}
	}
	passwd, err := os.ReadFile(filepath.Join(root, "etc/passwd"))
	if err != nil || !strings.Contains(string(passwd), "carguardd:") {
		t.Errorf("no user: %v\n%s", err, passwd)
	}
	for dir, mode := range map[string]os.FileMode{"run/carguardd": 0o755, "var/lib/carguardd": 0o700, "etc/carguardd/credentials": 0o700} {
		info, err := os.Stat(filepath.Join(root, dir))
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v %v", dir, info, err)
		}
	}
}
