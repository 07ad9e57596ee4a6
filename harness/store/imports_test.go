// SPDX-License-Identifier: Apache-2.0

package store_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// On 32-bit machines Badger must not be linked, whatever somebody does to the
// build tags.
func TestBadgerIsNotLinkedOn32Bit(t *testing.T) {
	for arch, linked := range map[string]bool{"arm": false, "386": false, "arm64": true, "amd64": true} {
		list := exec.Command("go", "list", "-deps", ".")
		list.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0", "GOARCH="+arch)
		out, err := list.Output()
		if err != nil {
			t.Fatalf("go list for %s: %v", arch, err)
		}
		if got := strings.Contains(string(out), "dgraph-io/"); got != linked {
			t.Errorf("%s: badger linked is %v, want %v", arch, got, linked)
		}
		if !strings.Contains(string(out), "go.etcd.io/bbolt\n") {
			t.Errorf("%s: bbolt is not linked", arch)
		}
	}
}
