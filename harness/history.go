// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"time"

	"github.com/carguardd/carguardd/vehicle"
)

// history is the conversation as the student sees it. Rejected drafts are
// not part of it: what did not happen is not remembered as if it had.
type history struct {
	messages []Message
	turn     int // number of the current turn, from 1
	begins   []turnStart
	own      string // of what was said last: the student's own words
	spoke    time.Time
	now      func() time.Time
}

// turnStart says at which message a turn began.
type turnStart struct{ turn, message int }

func (h *history) user(text string) {
	h.begins = append(h.begins, turnStart{h.turn, len(h.messages)})
	h.messages = append(h.messages, Message{Role: User, Text: text})
}

func (h *history) assistant(text string, calls []vehicle.Call) {
	h.messages = append(h.messages, Message{Role: Assistant, Text: text, Calls: calls})
	if text != "" && len(calls) == 0 {
		h.own, h.spoke = text, h.now()
	}
}

func (h *history) result(r vehicle.Result) {
	r.Trace = nil // frames are the harness's business
	h.messages = append(h.messages, Message{Role: ToolRole, Result: &r})
}

// lastSpoken returns what the assistant said last before the driver's newest
// words, or nothing when the driver has said something else since: what comes
// then answers nothing.
func (h *history) lastSpoken() string {
	users := 0
	for i := len(h.messages) - 1; i >= 0; i-- {
		m := &h.messages[i]
		switch {
		case m.Role == User:
			if users++; users > 1 {
				return ""
			}
		case m.Role == Assistant && m.Text != "" && len(m.Calls) == 0 && users > 0:
			return m.Text
		}
	}
	return ""
}
