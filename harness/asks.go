// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// AskState says what became of something the driver asked for.
type AskState string

// The states of an ask.
const (
	AskOpen      AskState = "open"
	AskDone      AskState = "done"
	AskRefused   AskState = "refused"
	AskWithdrawn AskState = "withdrawn"
)

// Ask is one explicit request of the driver, tied to the calls that served
// it.
type Ask struct {
	ID    string   `json:"id"`
	Turn  int      `json:"turn"` // in which it was asked
	Text  string   `json:"text"`
	State AskState `json:"state"`
	Ended int      `json:"ended,omitempty"` // turn in which it stopped being open
	Calls []string `json:"calls,omitempty"`
}

// end closes the ask in a turn.
func (a *Ask) end(to AskState, turn int) { a.State, a.Ended = to, turn }

// noteAsks takes what an utterance says about the ledger: an ask for every
// command, unless the same is open already, and what it takes back.
func (s *Session) noteAsks(sp Speech) {
	for _, text := range sp.Withdrawn {
		s.withdraw(text)
	}
	for _, text := range sp.Commands {
		if !s.isOpen(text) {
			s.asked++
			s.asks = append(s.asks, &Ask{ID: "a" + strconv.Itoa(s.asked), Turn: s.history.turn, Text: text, State: AskOpen})
		}
	}
}

// openAsks are the asks that are open, oldest first.
func (s *Session) openAsks() []*Ask {
	var out []*Ask
	for _, a := range s.asks {
		if a.State == AskOpen {
			out = append(out, a)
		}
	}
	return out
}

func (s *Session) isOpen(text string) bool {
	for _, a := range s.asks {
		if a.State == AskOpen && strings.EqualFold(a.Text, text) {
			return true
		}
	}
	return false
}

// withdraw closes the open asks that name what a text takes back; one that
// names nothing takes back the newest.
func (s *Session) withdraw(text string) {
	named := false
	for _, t := range s.Catalog.Tools {
		if !s.lang.MentionsTool(text, t.Name) {
			continue
		}
		named = true
		for _, a := range s.asks {
			if a.State == AskOpen && s.lang.MentionsTool(a.Text, t.Name) {
				a.end(AskWithdrawn, s.history.turn)
			}
		}
	}
	for i := len(s.asks) - 1; i >= 0 && !named; i-- {
		if a := s.asks[i]; a.State == AskOpen {
			a.end(AskWithdrawn, s.history.turn)
			return
		}
	}
}

// settleAsks ties a call to the open asks that name what it is about. One that
// names nothing ("do it all the way") is about the matter at hand: whatever is
// done in the turn in which it was said serves it.
func (s *Session) settleAsks(tool, callID string, to AskState) {
	for _, a := range s.asks {
		if a.State != AskOpen && !(a.State == to && a.Ended == s.history.turn) {
			continue
		}
		if s.lang.MentionsTool(a.Text, tool) || to == AskDone && a.Turn == s.history.turn && s.namesNothing(a.Text) {
			a.end(to, s.history.turn)
			a.Calls = append(a.Calls, callID)
		}
	}
}

// namesNothing reports whether a text names nothing that a tool is about.
func (s *Session) namesNothing(text string) bool {
	return !slices.ContainsFunc(s.Catalog.Profile.Tools, func(t *vehicle.Tool) bool { return s.lang.MentionsTool(text, t.Name) })
}

// settleByRead closes the open asks that want to know something and nothing
// changed: they name what the read is about, and no write.
func (s *Session) settleByRead(v *View, tool, callID string) {
	for _, a := range s.asks {
		if a.State == AskOpen && s.lang.MentionsTool(a.Text, tool) && !v.namesWrite(a.Text) {
			a.end(AskDone, s.history.turn)
			a.Calls = append(a.Calls, callID)
		}
	}
}

// refuseAsks closes the asks of this turn that a reply refuses: it says that
// something is not done, asks nothing, and names what they are about.
func (s *Session) refuseAsks(reply string) {
	if !s.lang.ReplyIs(reply, rules.ReplyRefusal) || s.lang.ReplyIs(reply, rules.ReplyQuestion) {
		return
	}
	for _, a := range s.asks {
		if a.State != AskOpen || a.Turn != s.history.turn {
			continue
		}
		for _, t := range s.Catalog.Profile.Tools {
			if s.lang.MentionsTool(a.Text, t.Name) && s.lang.MentionsTool(reply, t.Name) {
				a.end(AskRefused, s.history.turn)
				break
			}
		}
	}
}

// withdrawAsks closes what is still open because the driver said no or
// stopped it.
func (s *Session) withdrawAsks() {
	for _, a := range s.asks {
		if a.State == AskOpen {
			a.end(AskWithdrawn, s.history.turn)
		}
	}
}

// countAsks goes on numbering where the asks of an earlier run ended.
func (s *Session) countAsks() {
	for _, a := range s.asks {
		var n int
		if _, err := fmt.Sscanf(a.ID, "a%d", &n); err == nil {
			s.asked = max(s.asked, n)
		}
	}
}
