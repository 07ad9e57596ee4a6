// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/carguardd/carguardd/vehicle"

// gap is a part of a result that told nothing: null, "unknown", or missing.
// A later good read of the same closes it; a write of our own does not, since
// nobody saw what was there.
type gap struct {
	tool   string
	path   string
	signal vehicle.SignalID // or NoSignal, for what a service tells
	turn   int
}

// noteGaps remembers what a good read left open and forgets what it told.
func (f *facts) noteGaps(t *vehicle.Tool, r vehicle.Result, turn int) {
	for _, ret := range t.Returns {
		v, _ := r.Value.Get(ret.Path)
		f.closeGap(func(g *gap) bool { return g.signal == ret.Signal })
		if !v.Known() {
			f.gaps = append(f.gaps, gap{t.Name, ret.Path.String(), ret.Signal, turn})
		}
	}
	f.closeGap(func(g *gap) bool { return g.signal == vehicle.NoSignal && g.tool == t.Name })
	r.Value.Walk(func(p vehicle.Path, leaf vehicle.Value) {
		// An object that is null may be meant so; the word is not.
		if leaf.Kind() != vehicle.String || leaf.Known() || carries(t, p) {
			return
		}
		f.gaps = append(f.gaps, gap{t.Name, p.String(), vehicle.NoSignal, turn})
	})
}

func (f *facts) closeGap(is func(*gap) bool) {
	kept := f.gaps[:0]
	for i := range f.gaps {
		if !is(&f.gaps[i]) {
			kept = append(kept, f.gaps[i])
		}
	}
	f.gaps = kept
}

// carries reports whether the path of a result is that of a signal.
func carries(t *vehicle.Tool, p vehicle.Path) bool {
	path := p.String()
	for _, ret := range t.Returns {
		if ret.Path.String() == path {
			return true
		}
	}
	return false
}
