// SPDX-License-Identifier: Apache-2.0

package oracle_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/cmd/carguardd/rig/oracle"
	"github.com/carguardd/carguardd/harness"
)

// failure is a turn that went wrong.
type failure struct {
	conversation
	turn       int
	said       string
	violations []oracle.Violation
	waited     *oracle.Question // what the driver answered …
	heard      string           // … and what was said before it
	doc        *harness.Turn
}

// shrink looks for a shorter conversation that goes wrong the same way: one
// that begins later.
func (f *failure) shrink(t testing.TB) *failure {
	best := f
	for lo, hi := f.from, f.turn; lo < hi; {
		mid := (lo + hi + 1) / 2
		c := f.conversation
		c.from, c.to = mid, f.turn+1
		if g := c.run(t, newTally()); g != nil {
			best, lo = g, mid
		} else {
			hi = mid - 1
		}
	}
	return best
}

func (f *failure) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d, turns %d to %d, without %q: %q\n", f.seed, f.from, f.turn, f.without, f.said)
	for _, v := range f.violations {
		fmt.Fprintf(&b, "  %s\n", v)
	}
	fmt.Fprintf(&b, "  after: %s\n", f.heard)
	if f.waited != nil {
		fmt.Fprintf(&b, "  waiting: %s %v on %v\n", f.waited.Text, f.waited.Packages, f.waited.Facts)
	}
	doc, _ := json.MarshalIndent(f.doc, "", "  ")
	b.Write(doc)
	return b.String()
}
