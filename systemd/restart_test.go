// SPDX-License-Identifier: Apache-2.0

package systemd_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A program that panics, and one that the watchdog takes down, ends with 2 in
// Go: the unit must not take that for a reason to stay down.
func TestUnitRestartsAfterAPanic(t *testing.T) {
	unit, err := os.ReadFile("units/carguardd.service")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^RestartPreventExitStatus=(.*)$`).FindSubmatch(unit)
	if m == nil || !regexp.MustCompile(`(?m)^Restart=on-failure$`).Match(unit) {
		t.Fatal("the unit says nothing of restarts")
	}
	codes := strings.Fields(string(m[1]))
	if slices.Contains(codes, "2") || !slices.Contains(codes, "78") {
		t.Errorf("it stays down after %v; want 78 among them and not 2", codes)
	}
}
