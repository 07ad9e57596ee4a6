// SPDX-License-Identifier: Apache-2.0

package peerstest

import (
	"os"
	"os/exec"
	"testing"
)

// Python returns the interpreter that sees Debian's packages, or the one that
// CARGUARD_PYTHON names. The modules must be there.
func Python(t testing.TB, modules ...string) string {
	t.Helper()
	p := os.Getenv("CARGUARD_PYTHON")
	if p == "" {
		p = "/usr/bin/python3"
	}
	for _, m := range modules {
		if out, err := exec.Command(p, "-c", "import "+m).CombinedOutput(); err != nil {
			t.Fatalf("python3-%s is missing (apt-get install python3-%s): %v\n%s", m, m, err, out)
		}
	}
	return p
}
