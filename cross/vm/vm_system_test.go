// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package vm

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/carguardd/carguardd/cross/peerstest"
)

// fetched makes sure of what the guests are made of, once.
var fetched = sync.OnceValue(func() error {
	out, err := exec.Command(filepath.Join(here(), "fetch.sh")).CombinedOutput()
	if err != nil {
		return fmt.Errorf("fetch.sh: %w\n%s", err, out)
	}
	return nil
})

// top is the folder of the module.
func top() string { return filepath.Join(here(), "..", "..") }

// compile builds for a guest: a program, or with tags the tests of a package.
// What was built is kept, so that it is linked again only when it has changed.
func compile(t *testing.T, a Arch, to string, args ...string) string {
	t.Helper()
	root, err := folder(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, "built", fmt.Sprintf("%x", sha256.Sum256([]byte(top())))[:12], a.Debian, to)
	cmd := exec.Command("go", append([]string{args[0], "-o", file, "-trimpath", "-ldflags=-s -w"}, args[1:]...)...)
	cmd.Dir = top()
	cmd.Env = append(append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux"), a.Go...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return file
}

// guestTime bounds a guest's whole life.
const guestTime = 8 * time.Minute

// boot starts a guest with the program, the car and the tests.
func boot(t *testing.T, a Arch, files map[string]string, job, disk string) *Guest {
	t.Helper()
	return bootTree(t, a, "tools", files, job, disk)
}

// bootTree is boot with another tree of packages than the tools.
func bootTree(t *testing.T, a Arch, tree string, files map[string]string, job, disk string) *Guest {
	t.Helper()
	if err := fetched(); err != nil {
		t.Fatal(err)
	}
	base, err := Base(t.Context(), a, tree)
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithTimeout(t.Context(), guestTime)
	t.Cleanup(end)
	g, err := Boot(ctx, a, Image{Base: base, Files: files, Job: job}, t.TempDir(), disk)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Kill)
	return g
}

// count is a line of the table at the end, as a test in a guest prints it.
var count = regexp.MustCompile(`count \| .*`)

// ends reads a guest's console to its end and fails the test when anything in it
// failed or was skipped. Each is called with every line.
func ends(t *testing.T, g *Guest, each ...func(line string)) {
	t.Helper()
	var log []string
	passed := 0
	for line := range g.Lines {
		log = append(log, line)
		for _, f := range each {
			f(line)
		}
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "--- PASS"):
			passed++
		case strings.HasPrefix(trimmed, "--- SKIP"):
			t.Errorf("in the guest: %s", trimmed)
		case count.MatchString(line):
			t.Log(count.FindString(line))
		}
	}
	code, err := g.Exit()
	if code != 0 || err != nil || passed == 0 {
		t.Errorf("exit %d, %v, %d tests passed", code, err, passed)
	}
	if t.Failed() {
		t.Log(strings.Join(log, "\n"))
		return
	}
	t.Logf("%d tests passed in the guest", passed)
}

// parts are the files that a guest needs for the tests of package guest.
func parts(t *testing.T, a Arch) map[string]string {
	t.Helper()
	dbcs := filepath.Join(top(), "testdata", "profiles", "demo-ev")
	return map[string]string{
		"bin/carguardd":        compile(t, a, "carguardd", "build", "./cmd/carguardd"),
		"bin/car":              compile(t, a, "car", "build", "./cross/vm/car"),
		"test/guest.test":      compile(t, a, "guest.test", "test", "-c", "-tags=vmtest", "./cross/vm/guest"),
		"test/canbus.test":     compile(t, a, "canbus.test", "test", "-c", "-tags=vmtest", "./canbus"),
		"test/store.test":      compile(t, a, "store.test", "test", "-c", "./harness/store"),
		"dbc/body.dbc":         filepath.Join(dbcs, "body.dbc"),
		"dbc/powertrain.dbc":   filepath.Join(dbcs, "powertrain.dbc"),
		"test/canbus/testdata": filepath.Join(top(), "canbus", "testdata"),
	}
}

// only is the environment variable that names the one test of package guest that
// shall run, while it is being written.
const only = "VM_RUN"

// suite is what runs in each guest: the transports on real interfaces, the
// daemon between the simulated car and can-utils, and the store.
const suite = `export CI=true
rc=0
mkdir -p /test/canbus && cd /test/canbus
ip link add vcan0 type vcan && ip link set vcan0 up
/test/canbus.test -test.v -test.run 'Vcan|SocketCAN' -test.skip WithoutKernel || rc=1
ip link del vcan0
cd /test
/test/guest.test -test.v -test.skip 'Power|Systemd' -test.run "$VM_RUN" || rc=1
# What make test does on every machine need not be done on an emulated one of its kind.
[ "$(uname -m)" = x86_64 ] && skip=many_records || skip='^$'
/test/store.test -test.v -test.short -test.run '^TestOpen$' -test.skip "/$skip" || rc=1
exit $rc
`

// Everything that needs a kernel with CAN, on the processors of head units.
func TestSystemVM(t *testing.T) {
	t.Parallel()
	for _, a := range []Arch{AMD64, ARM64, ARMHF} {
		t.Run(a.Debian, func(t *testing.T) {
			t.Parallel()
			ends(t, boot(t, a, parts(t, a), "export "+only+"='"+os.Getenv(only)+"'\n"+suite, ""))
			peerstest.Count(t, peerstest.Load, "guests with a CAN of the kernel, "+a.Debian, 1)
		})
	}
}
