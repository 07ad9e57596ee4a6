// SPDX-License-Identifier: Apache-2.0

package mqtt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits of what is taken from outside, in bytes.
const (
	MaxPayload   = 256 << 10 // of any message; longer ones are dropped
	MaxUtterance = 4 << 10
	maxSet       = 4 << 10
)

// ErrPayload says that a message cannot be understood.
var ErrPayload = errors.New("invalid message")

// Quality says how far a value can be trusted.
type Quality string

// The qualities of a value.
const (
	OK      Quality = "ok"
	Stale   Quality = "stale"   // the bus has been silent for too long
	Invalid Quality = "invalid" // the bus itself says so
)

// State is a signal's value on a state topic.
type State struct {
	V  json.RawMessage `json:"v"`  // null if there is none
	TS time.Time       `json:"ts"` // when it was observed
	Q  Quality         `json:"q"`
}

// ParseState reads a state.
func ParseState(payload []byte) (State, error) {
	var s State
	if err := parseObject(payload, &s); err != nil {
		return State{}, err
	}
	if s.Q != OK && s.Q != Stale && s.Q != Invalid {
		return State{}, fmt.Errorf("%w: q is %q: use ok, stale or invalid", ErrPayload, s.Q)
	}
	if len(s.V) == 0 {
		return State{}, fmt.Errorf("%w: v is missing", ErrPayload)
	}
	return s, nil
}

// Set is a command to a signal.
type Set struct {
	V  json.RawMessage `json:"v"`
	ID string          `json:"id,omitempty"` // of the ack; empty asks for none
}

// ParseSet reads a command: an object with v, any other JSON value, or a bare
// word, which is taken for a string.
func ParseSet(payload []byte) (Set, error) {
	if len(payload) > maxSet {
		return Set{}, fmt.Errorf("%w: %d bytes, at most %d are allowed", ErrPayload, len(payload), maxSet)
	}
	text := bytes.TrimSpace(payload)
	switch {
	case len(text) == 0:
		return Set{}, fmt.Errorf("%w: it is empty", ErrPayload)
	case text[0] == '{':
		var s Set
		if err := parseObject(text, &s); err != nil {
			return Set{}, err
		}
		if len(s.V) == 0 || string(s.V) == "null" {
			return Set{}, fmt.Errorf("%w: v is missing", ErrPayload)
		}
		return s, checkOptionalID(s.ID)
	case json.Valid(text):
		if string(text) == "null" {
			return Set{}, fmt.Errorf("%w: null is no value", ErrPayload)
		}
		return Set{V: bytes.Clone(text)}, nil
	case checkWord("value", string(text)) == nil:
		return Set{V: json.RawMessage(`"` + string(text) + `"`)}, nil
	}
	return Set{}, fmt.Errorf("%w: %.40q is neither JSON nor a word", ErrPayload, text)
}

// Ack is what came of a command.
type Ack struct {
	OK     bool   `json:"ok"`
	Reason string `json:"reason,omitempty"` // why not
}

// Utterance is what the driver said.
type Utterance struct {
	ID   string `json:"id,omitempty"` // comes back in the reply
	Text string `json:"text"`
	Lang string `json:"lang,omitempty"` // "de"; empty: the configured one
}

// ParseUtterance reads an utterance: an object with text, or the bare text.
func ParseUtterance(payload []byte) (Utterance, error) {
	if len(payload) > MaxUtterance {
		return Utterance{}, fmt.Errorf("%w: %d bytes, at most %d are allowed", ErrPayload, len(payload), MaxUtterance)
	}
	if !utf8.Valid(payload) {
		return Utterance{}, fmt.Errorf("%w: it is not UTF-8", ErrPayload)
	}
	u := Utterance{Text: string(payload)}
	if text := bytes.TrimSpace(payload); len(text) > 0 && text[0] == '{' {
		u = Utterance{}
		if err := parseObject(text, &u); err != nil {
			return Utterance{}, err
		}
	}
	if u.Text = strings.TrimSpace(u.Text); u.Text == "" {
		return Utterance{}, fmt.Errorf("%w: there is no text", ErrPayload)
	}
	return u, errors.Join(checkOptionalID(u.ID), checkOptionalID(u.Lang))
}

// Reply is what is said to the driver.
type Reply struct {
	ID   string `json:"id,omitempty"` // of the utterance
	Turn string `json:"turn"`
	Text string `json:"text"`
}

func checkOptionalID(id string) error {
	if id == "" {
		return nil
	}
	if err := checkWord("id", id); err != nil {
		return fmt.Errorf("%w: %w", ErrPayload, err)
	}
	return nil
}

// parseObject reads one JSON object into doc. Unknown keys are passed over: a
// newer sender may have more to say.
func parseObject(payload []byte, doc any) error {
	if text := bytes.TrimSpace(payload); len(text) == 0 || text[0] != '{' {
		return fmt.Errorf("%w: %.40q is no JSON object", ErrPayload, payload)
	}
	if err := json.Unmarshal(payload, doc); err != nil {
		return fmt.Errorf("%w: %w", ErrPayload, err)
	}
	return nil
}
