// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package vm

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/cross/peerstest"
)

// onDisk runs one of the tests of the power in a guest with the disk.
// The kernel takes a moment to find it.
const onDisk = "mkdir -p /disk; until [ -b /dev/vda ] || [ $((n=n+1)) -gt 30 ]; do sleep 1; done; mount -t ext4 /dev/vda /disk && cd /test && VM_DISK=1 /test/guest.test -test.v -test.run Power"

// The power goes away while turns run, twice. When it is back nothing is done
// again, and the journal, the ledger and the newer rules are there.
func TestSystemVMPowerCut(t *testing.T) {
	t.Parallel()
	for _, a := range []Arch{ARM64, ARMHF} {
		t.Run(a.Debian, func(t *testing.T) {
			t.Parallel()
			files := parts(t, a)
			files["vendor"] = vendor(t)
			disk := filepath.Join(t.TempDir(), "disk")
			if out, err := exec.Command("mke2fs", "-q", "-F", "-t", "ext4", disk, "64M").CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			r := rand.New(rand.NewPCG(7, uint64(len(a.Debian))))
			cut := func() (int, time.Duration) { return 3 + r.IntN(5), time.Duration(r.IntN(300)) * time.Millisecond }

			p := power{answered: 1} // the question of the first life
			p.cut(t, boot(t, a, files, onDisk+"First", disk), cut)
			p.cut(t, boot(t, a, files, onDisk+"Again", disk), cut)
			ends(t, boot(t, a, files, onDisk+"Last", disk), func(line string) { p.back(t, line) })
			peerstest.Count(t, peerstest.Fault, "power cuts while turns run, "+a.Debian, p.cuts)
		})
	}
}

// power is what the host knows of a guest whose power goes away.
type power struct {
	answered int // turns so far
	cuts     int
}

// cut takes the power away, some time after a number of answers.
func (p *power) cut(t *testing.T, g *Guest, when func() (int, time.Duration)) {
	t.Helper()
	after, more := when()
	n, before := 0, p.answered
	var log []string
	for line := range g.Lines {
		log = append(log, line)
		if p.back(t, line) {
			before = p.answered
		}
		if _, err := fmt.Sscanf(line, "POWER answered %d", &n); err == nil && n == after {
			time.AfterFunc(more, g.Kill)
		}
	}
	if n < after || t.Failed() {
		t.Fatalf("%d turns were answered before the guest ended\n%s", n, strings.Join(log, "\n"))
	}
	p.answered = before + n
	p.cuts++
}

// back takes in what a guest finds when the power is there again.
func (p *power) back(t *testing.T, line string) bool {
	t.Helper()
	turns, open := 0, 0
	if _, err := fmt.Sscanf(line, "POWER turns %d open %d", &turns, &open); err != nil {
		return false // most lines are others
	}
	t.Logf("after %d cuts: %d turns answered, %d in the journal", p.cuts, p.answered, turns)
	// The last one may have been interrupted after its record was made.
	if turns < p.answered || open > 0 {
		t.Errorf("%d turns were answered, %d are in the journal, %d of them open", p.answered, turns, open)
	}
	p.answered = turns
	return true
}

// vendor is the folder in which a vendor publishes revision 2 of the embedded
// rules.
func vendor(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	bin := compile(t, Arch{}, "carguardd", "build", "./cmd/carguardd")
	rules := filepath.Join(dir, "rules")
	if err := os.CopyFS(rules, os.DirFS(filepath.Join(top(), "testdata", "bundles", "in-car"))); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"sed -i s/^revision:.*/revision:\\ 2/ rules/manifest.yaml",
		bin + " bundle repo init vendor",
		bin + " rules build rules",
		bin + " bundle repo add vendor in-car-2.cgb",
		bin + " bundle repo publish vendor",
	} {
		cmd := exec.Command("sh", "-ec", args)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", args, err, out)
		}
	}
	return filepath.Join(dir, "vendor", "public")
}
