// SPDX-License-Identifier: Apache-2.0

package harness

import "fmt"

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
	Turn  int      `json:"turn"`
	Text  string   `json:"text"`
	State AskState `json:"state"`
	Calls []string `json:"calls,omitempty"`
}

// note adds an ask for every command of an utterance.
func (s *Session) noteAsks(sp Speech) []*Ask {
	var added []*Ask
	for _, text := range sp.Commands {
		a := &Ask{ID: fmt.Sprintf("a%d", len(s.asks)+1), Turn: s.history.turn, Text: text, State: AskOpen}
		s.asks = append(s.asks, a)
		added = append(added, a)
	}
	return added
}

// settle ties a call to the open asks that name what it is about.
func (s *Session) settleAsks(tool, callID string, to AskState) {
	for _, a := range s.asks {
		if a.State != AskOpen && !(a.State == to && a.Turn == s.history.turn) {
			continue
		}
		if s.lang.MentionsTool(a.Text, tool) {
			a.State = to
			a.Calls = append(a.Calls, callID)
		}
	}
}

// withdrawAsks closes what is still open because the driver said no or
// stopped it.
func (s *Session) withdrawAsks() {
	for _, a := range s.asks {
		if a.State == AskOpen {
			a.State = AskWithdrawn
		}
	}
}
