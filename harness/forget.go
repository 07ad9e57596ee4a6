// SPDX-License-Identifier: Apache-2.0

package harness

// How much of a conversation is kept. A daemon runs for months, and what was
// said an hour ago helps nobody; what is known of the car stays.
const (
	keepTurns   = 40   // turns of messages and calls
	keepResults = 8    // results of one tool
	keepObjects = 2000 // observed objects with an identifier
	keepIdents  = 20000
)

// forget drops what is older than the kept turns, once per turn.
func (s *Session) forget() {
	oldest := s.history.turn - keepTurns
	s.history.forget(oldest)
	s.facts.forget(oldest)
	kept := s.asks[:0]
	for _, a := range s.asks {
		if a.Turn > oldest || a.State == AskOpen {
			kept = append(kept, a)
		}
	}
	s.asks = kept
}

// forget drops the messages of turns up to oldest.
func (h *history) forget(oldest int) {
	for len(h.begins) > 0 && h.begins[0].turn <= oldest {
		h.begins = h.begins[1:]
	}
	if len(h.begins) == 0 || h.begins[0].message == 0 {
		return
	}
	cut := h.begins[0].message
	h.messages = append([]Message(nil), h.messages[cut:]...)
	for i := range h.begins {
		h.begins[i].message -= cut
	}
}

// forget drops calls of turns up to oldest, and the oldest of what there is
// too much of.
func (f *facts) forget(oldest int) {
	cut := 0
	for cut < len(f.done) && f.done[cut].turn <= oldest {
		cut++
	}
	if cut > 0 {
		f.done = append([]executed(nil), f.done[cut:]...)
	}
	for tool, l := range f.results {
		if len(l) > 2*keepResults {
			f.results[tool] = append([]observation(nil), l[len(l)-keepResults:]...)
		}
	}
	if len(f.order) > 2*keepObjects {
		for _, id := range f.order[:len(f.order)-keepObjects] {
			delete(f.objects, id)
		}
		f.order = append([]string(nil), f.order[len(f.order)-keepObjects:]...)
	}
	if len(f.idents) > keepIdents {
		// Identifiers have no order. Those of kept objects are observed again from
		// them; the rest must be looked up once more.
		f.idents = identSet{}
		for id := range f.objects {
			f.idents[id] = struct{}{}
		}
	}
}
