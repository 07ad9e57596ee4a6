// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package vm

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/carguardd/carguardd/cross/peerstest"
)

// cuts is how often the power goes away in each guest.
const cuts = 2

// onDisk runs one of the tests of the power in a guest with the disk.
// The kernel takes a moment to find it.
const onDisk = "mkdir -p /disk; until [ -b /dev/vda ] || [ $((n=n+1)) -gt 30 ]; do sleep 1; done; mount -t ext4 /dev/vda /disk && cd /test && VM_DISK=1 /test/guest.test -test.v -test.run "

// The power goes away while turns run. When it is back nothing is done twice,
// and what was answered is in the journal.
func TestSystemVMPowerCut(t *testing.T) {
	for _, a := range []Arch{ARM64, ARMHF} {
		t.Run(a.Debian, func(t *testing.T) {
			files := parts(t, a)
			disk := filepath.Join(t.TempDir(), "disk")
			if out, err := exec.Command("mke2fs", "-q", "-F", "-t", "ext4", disk, "64M").CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			r := rand.New(rand.NewPCG(7, uint64(len(a.Debian))))
			answered := 0
			for cut := range cuts {
				g := boot(t, a, files, onDisk+"PowerTurns", disk)
				answered += killed(t, g, 3+r.IntN(5), time.Duration(r.IntN(300))*time.Millisecond)
				turns := back(t, boot(t, a, files, onDisk+"PowerBack", disk))
				t.Logf("cut %d: %d turns answered, %d in the journal", cut+1, answered, turns)
				// The last one may have been interrupted after its record was made.
				if turns < answered {
					t.Errorf("cut %d: %d turns were answered, %d are in the journal", cut+1, answered, turns)
				}
				answered = turns + 1 // with the one that PowerBack asks
			}
			peerstest.Count(t, peerstest.Fault, "power cuts while turns run, "+a.Debian, cuts)
		})
	}
}

// killed takes the power away some time after a number of answers, and returns
// how many there were.
func killed(t *testing.T, g *Guest, after int, more time.Duration) int {
	t.Helper()
	answered := 0
	var log []string
	for line := range g.Lines {
		log = append(log, line)
		if _, err := fmt.Sscanf(line, "POWER answered %d", &answered); err == nil && answered == after {
			time.AfterFunc(more, g.Kill)
		}
	}
	if answered < after {
		t.Fatalf("%d turns were answered before the guest ended\n%q", answered, log)
	}
	return answered
}

// back reads what a guest finds after the power came back.
func back(t *testing.T, g *Guest) int {
	t.Helper()
	turns, open := -1, 0
	ends(t, g, func(line string) {
		_, _ = fmt.Sscanf(line, "POWER turns %d open %d", &turns, &open) // most lines are others
	})
	if turns < 0 || open > 0 {
		t.Errorf("%d turns in the journal, %d of them open", turns, open)
	}
	return turns
}
