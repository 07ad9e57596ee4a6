// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/e2e"
)

func algorithm(t testing.TB, name string) e2e.Algorithm {
	t.Helper()
	c := e2e.Config{Length: 8, DataIDs: []uint16{0x123}}
	if name == "e2e-2" {
		c.DataIDs = upTo(1, 16)
	}
	a, err := e2e.Standard().New(name, c)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// A word is one frame: its counter, x for a wrong checksum, or - for silence.
func TestReceiver(t *testing.T) {
	for _, c := range []struct {
		name, algorithm string
		limits          e2e.Limits
		frames          string
		want            string // by frame: its state, with a ! if it is believed
	}{
		{"in sequence", "e2e-1", e2e.Limits{}, "0 1 2", "initial, ok!, ok!"},
		{"round the end of profile 1", "e2e-1", e2e.Limits{}, "13 14 0 1", "initial, ok!, ok!, ok!"},
		{"15 is invalid in profile 1", "e2e-1", e2e.Limits{}, "13 14 15", "initial, ok!, error"},
		{"round the end of profile 2", "e2e-2", e2e.Limits{}, "14 15 0", "initial, ok!, ok!"},
		{"round the end of profile 5", "e2e-5", e2e.Limits{}, "254 255 0", "initial, ok!, ok!"},
		{"one lost", "e2e-1", e2e.Limits{}, "0 1 3 4", "initial, ok!, some!, ok!"},
		{"two lost", "e2e-1", e2e.Limits{}, "0 1 4 5 6", "initial, ok!, wrong, ok, ok!"},
		{"two lost are allowed", "e2e-1", e2e.Limits{MaxDelta: 3}, "0 1 4", "initial, ok!, some!"},
		{"back", "e2e-1", e2e.Limits{}, "4 5 3 4 5", "initial, ok!, wrong, ok, ok!"},
		{"repeated", "e2e-1", e2e.Limits{}, "4 5 5 5 6", "initial, ok!, repeated, repeated, ok!"},
		{"a recording played again", "e2e-1", e2e.Limits{}, "4 5 6 4 4 4", "initial, ok!, ok!, wrong, repeated, repeated"},
		{"one wrong", "e2e-1", e2e.Limits{}, "0 1 x 3", "initial, ok!, error, some!"},
		{"four wrong", "e2e-5", e2e.Limits{MaxDelta: 9}, "0 1 x x x x 6", "initial, ok!, error, error, error, error, some!"},
		{"five wrong", "e2e-5", e2e.Limits{MaxDelta: 9}, "0 1 x x x x x 7 8", "initial, ok!, error, error, error, error, error, some, ok!"},
		{"all wrong", "e2e-5", e2e.Limits{}, "x x x", "error, error, error"},
		{"silence", "e2e-1", e2e.Limits{}, "0 1 - 9 10", "initial, ok!, no, initial, ok!"},
		{"believed at once", "e2e-1", e2e.Limits{Recover: 1}, "7 8 1 2", "initial!, ok!, wrong, ok!"},
		{"believed late", "e2e-1", e2e.Limits{Recover: 4}, "7 8 9 10", "initial, ok, ok, ok!"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := algorithm(t, c.algorithm)
			r := e2e.NewReceiver(a, c.limits)
			var got []string
			for _, w := range strings.Fields(c.frames) {
				got = append(got, receive(r, a, w))
			}
			if s := strings.Join(got, ", "); s != c.want {
				t.Errorf("got  %s\nwant %s", s, c.want)
			}
		})
	}
}

func receive(r *e2e.Receiver, a e2e.Algorithm, word string) string {
	data := make([]byte, 8)
	switch word {
	case "-":
		r.Silence()
	case "x":
		r.Check(append(data[:7], 0xAA))
	default:
		n := 0
		for _, d := range word {
			n = 10*n + int(d-'0')
		}
		a.Protect(data, uint8(n))
		r.Check(data)
	}
	state, _, _ := strings.Cut(strings.TrimPrefix(r.State().String(), "ok, "), " ")
	if r.Trusted() {
		state += "!"
	}
	return state
}

func TestCounts(t *testing.T) {
	a := algorithm(t, "e2e-1")
	r := e2e.NewReceiver(a, e2e.Limits{})
	for _, w := range strings.Fields("0 1 2 2 x 4 9 10 11") {
		receive(r, a, w)
	}
	want := e2e.Counts{Good: 4, Withheld: 2, Lost: 1, Repeated: 1, Sequence: 1, Errors: 1}
	if got := r.Counts(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// What one sender sends, a receiver believes from the second frame on, whatever
// is lost one at a time; and nothing that was not sent by it is believed.
func TestOnlyNewFramesOfTheSenderAreBelieved(t *testing.T) {
	for _, name := range []string{"e2e-1", "e2e-2", "e2e-5"} {
		a := algorithm(t, name)
		rapid.Check(t, func(t *rapid.T) {
			s, r := e2e.NewSender(a), e2e.NewReceiver(a, e2e.Limits{})
			var sent []canbus.Frame
			believed := map[int]bool{}
			for range rapid.IntRange(1, 60).Draw(t, "frames") {
				switch rapid.SampledFrom([]string{"send", "send", "send", "lose", "replay", "garble"}).Draw(t, "what") {
				case "lose":
					f, _ := s.Protect(canbus.Frame{Length: 8})
					sent = append(sent, f)
				case "send":
					f, _ := s.Protect(canbus.Frame{Length: 8})
					sent = append(sent, f)
					r.Check(f.Data[:])
					if r.Trusted() {
						believed[len(sent)-1] = true
					}
				case "replay": // of the last one: that is never believed
					if len(sent) > 0 && believed[len(sent)-1] {
						if r.Check(sent[len(sent)-1].Data[:]); r.Trusted() {
							t.Fatal("a frame was believed twice")
						}
					}
				case "garble":
					f := canbus.Frame{Length: 8}
					if len(sent) > 0 {
						f = sent[len(sent)-1]
					}
					f.Data[rapid.IntRange(0, 7).Draw(t, "byte")] ^= byte(rapid.IntRange(1, 255).Draw(t, "bits"))
					if _, valid := a.Verify(f.Data[:]); valid {
						continue
					}
					if r.Check(f.Data[:]); r.Trusted() {
						t.Fatal("a garbled frame was believed")
					}
				}
			}
		})
	}
}

func TestSenderCounts(t *testing.T) {
	a := algorithm(t, "e2e-1")
	s := e2e.NewSender(a)
	counter := func(f canbus.Frame) uint8 { c, _ := a.Verify(f.Data[:]); return c }
	f0, _ := s.Protect(canbus.Frame{Length: 8})
	f1, back := s.Protect(canbus.Frame{Length: 8})
	back() // it did not leave
	again, back := s.Protect(canbus.Frame{Length: 8})
	f2, _ := s.Protect(canbus.Frame{Length: 8})
	back() // too late: 2 has left
	f3, _ := s.Protect(canbus.Frame{Length: 8})
	got := []uint8{counter(f0), counter(f1), counter(again), counter(f2), counter(f3)}
	if !slices.Equal(got, []uint8{0, 1, 1, 2, 3}) {
		t.Errorf("counted %v", got)
	}
}

func TestSenderGivesEachCounterOnce(t *testing.T) {
	a := algorithm(t, "e2e-5")
	s := e2e.NewSender(a)
	var mu sync.Mutex
	seen := map[uint8]int{}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 64 {
				f, _ := s.Protect(canbus.Frame{Length: 8})
				c, _ := a.Verify(f.Data[:])
				mu.Lock()
				seen[c]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(seen) != 256 {
		t.Errorf("%d counters of 256 frames", len(seen))
	}
}
