// SPDX-License-Identifier: Apache-2.0

package oracle

import (
	"math"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// grant is one call that the driver agreed to in this turn. Each of its
// effects, and the call itself, is good for once.
type grant struct {
	call    vehicle.Call
	effects []Effect
	used    bool // as a call
	spent   int  // bits: effects that left
}

// grantsFor returns what the driver's words allow, as the car is now.
func (w *Watch) grantsFor(s Said) []*grant {
	if !s.Yes {
		return nil
	}
	q := w.pending
	if q == nil || w.Now()-w.asked >= patience || s.Option >= len(q.Packages) {
		return nil
	}
	for name, was := range q.Facts {
		if !same(w.Signal(name), was) {
			return nil // it was asked on something that is no longer so
		}
	}
	var out []*grant
	for _, c := range q.Packages[s.Option] {
		out = append(out, &grant{call: c, effects: Effects(c)})
	}
	return out
}

// same compares two values as the driver would: a percent more or less is the
// same.
func same(a, b vehicle.Value) bool {
	x, ok1 := a.Float()
	y, ok2 := b.Float()
	if ok1 && ok2 {
		return math.Abs(x-y) <= 1
	}
	return a.Known() == b.Known() && (!a.Known() || a.Equal(b))
}

// agreed reports whether the driver agreed to a command, and uses that up.
func (w *Watch) agreed(s Signal, v int) bool {
	for _, g := range w.grants {
		for i, e := range g.effects {
			if e.Signal == s && e.Value == v && g.spent&(1<<i) == 0 {
				g.spent |= 1 << i
				return true
			}
		}
	}
	return w.agreedInWords(s, v)
}

// agreedTo is agreed for a call that sends no command.
func (w *Watch) agreedTo(c vehicle.Call) bool {
	for _, g := range w.grants {
		if !g.used && g.call.Canonical() == c.Canonical() {
			g.used = true
			return true
		}
	}
	return c.Tool == "set_new_navigation" && w.said.Yes && w.pending == nil && strings.Contains(w.reply, "?") &&
		strings.Contains(strings.ToLower(w.reply), "navigation")
}

// spoken are the words that name a command when the assistant asks in words of
// its own: all of with, and none of without.
var spoken = []struct {
	signal        Signal
	value         int
	with, without []string
}{
	{HighBeams, 1, []string{"high beams"}, []string{" off"}},
	{HighBeams, 0, []string{"high beams", " off"}, nil},
	{FogLights, 1, []string{"fog lights"}, []string{" off"}},
	{Trunk, 1, []string{"trunk", "open"}, []string{"clos"}},
	{Trunk, 0, []string{"trunk", "clos"}, []string{"open"}},
}

// agreedInWords reports whether the assistant had asked in words of its own
// about exactly this command, and the driver has said yes.
func (w *Watch) agreedInWords(s Signal, v int) bool {
	if !w.said.Yes || w.spent[s] || !w.asksInWords(s, v) {
		return false
	}
	w.spent[s] = true
	return true
}

// asksInWords reports whether the last reply asks about exactly this command in
// words of the assistant's own.
func (w *Watch) asksInWords(s Signal, v int) bool {
	if w.pending != nil || !strings.Contains(w.reply, "?") {
		return false
	}
	text := strings.ToLower(w.reply[:strings.LastIndex(w.reply, "?")]) // what comes after it was told, not asked
	for _, x := range spoken {
		if x.signal == s && x.value == v && all(text, x.with) && !some(text, x.without) {
			return true
		}
	}
	return false
}

func all(text string, words []string) bool {
	for _, x := range words {
		if !strings.Contains(text, x) {
			return false
		}
	}
	return true
}

func some(text string, words []string) bool {
	for _, x := range words {
		if strings.Contains(text, x) {
			return true
		}
	}
	return false
}
