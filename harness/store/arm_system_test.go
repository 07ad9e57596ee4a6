// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package store_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/cross/peerstest"
)

// armRecords is where Badger loses what it is given on a 32-bit machine.
const armRecords = 200_000

// TestSystemARM builds this package's tests for 32-bit ARM and runs the
// conformance tests there, and a store of many records, under qemu.
func TestSystemARM(t *testing.T) {
	qemu := ""
	for _, name := range []string{"qemu-arm", "qemu-arm-static"} {
		if found, err := exec.LookPath(name); err == nil {
			qemu = found
		}
	}
	if qemu == "" {
		t.Skip("there is no qemu-arm: apt-get install qemu-user-static")
	}
	bin := filepath.Join(t.TempDir(), "store.test")
	build := exec.Command("go", "test", "-tags", "systemtest", "-c", "-o", bin, ".")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm", "GOARM=7", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, qemu, bin, "-test.run", "^(TestOpen|TestManyRecords|TestKeyMustFit|TestChain|TestCompact)$", "-test.v")
	run.Env = append(os.Environ(), fmt.Sprint(recordsEnv, "=", armRecords))
	began := time.Now()
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, tail(string(out), 4000))
	}
	for _, want := range []string{"--- PASS: TestOpen", "--- PASS: TestManyRecords", "--- PASS: TestKeyMustFit", "--- PASS: TestChain", fmt.Sprintf("%d records with bbolt", armRecords)} {
		if !strings.Contains(string(out), want) {
			t.Errorf("it did not say %q:\n%s", want, tail(string(out), 4000))
		}
	}
	t.Logf("under %s: %v", filepath.Base(qemu), time.Since(began).Round(time.Second))
	peerstest.Count(t, peerstest.Load, "records written and read back on 32-bit ARM (qemu)", armRecords)
	peerstest.Count(t, peerstest.Losses, "records lost on 32-bit ARM", 0) // TestManyRecords fails on one
}

func tail(s string, n int) string { return s[max(0, len(s)-n):] }
