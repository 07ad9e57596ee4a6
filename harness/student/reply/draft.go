// SPDX-License-Identifier: Apache-2.0

package reply

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/vehicle"
)

// MaxCalls is how many calls an answer may have. More are no proposal.
const MaxCalls = 128

// MaxText is how long the text of an answer may be, in bytes. Nobody listens
// to more.
const MaxText = 16 << 10

// Draft makes the draft of an answer: its text and the calls that came beside
// it. Calls in the text come after those. It fails with kind Empty, TooLarge
// or Protocol.
func Draft(p *harness.Prompt, answer string, calls []vehicle.Call) (harness.Draft, error) {
	parts := Split(answer, func(name string) bool { return p.Tools != nil && p.Tools.Tool(name) != nil })
	calls = append(slices.Clip(calls), parts.Calls...)
	switch {
	case len(calls) > MaxCalls:
		return harness.Draft{}, student.Errorf(student.TooLarge, nil, fmt.Sprintf("an answer of %d calls, at most %d make sense", len(calls), MaxCalls))
	case len(parts.Say) > MaxText:
		return harness.Draft{}, student.Errorf(student.TooLarge, nil, fmt.Sprintf("an answer of %d bytes of text, at most %d make sense", len(parts.Say), MaxText))
	case parts.Say != "" || len(calls) > 0:
	case len(parts.Data) > 0:
		return harness.Draft{}, student.Errorf(student.Protocol, nil, "the answer is neither text nor a call: ", excerpt(parts.Data[0]))
	default:
		return harness.Draft{}, student.Errorf(student.Empty, nil, "an answer without text and calls")
	}
	Identify(p, calls)
	return harness.Draft{Text: parts.Say, Calls: calls}, nil
}

// Constrained makes the draft of an answer of the form that schema.Draft
// demands: {"calls": [{"tool": …, "args": …}], "say": …}.
func Constrained(p *harness.Prompt, answer string) (harness.Draft, error) {
	var form struct {
		Calls []struct {
			Tool string          `json:"tool"`
			Args json.RawMessage `json:"args"`
		} `json:"calls"`
		Say string `json:"say"`
	}
	if strings.TrimSpace(answer) == "" {
		return harness.Draft{}, student.Errorf(student.Empty, nil, "an answer without text and calls")
	}
	if err := json.Unmarshal([]byte(answer), &form); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) && syntax.Offset >= int64(len(answer)) {
			// A server's "stop" does not mean that the JSON is complete.
			return harness.Draft{}, student.Errorf(student.Incomplete, nil, "the JSON ends early: ", excerpt(answer))
		}
		return harness.Draft{}, student.Errorf(student.Protocol, err, "the answer has not the form that was asked for")
	}
	var calls []vehicle.Call
	for _, c := range form.Calls {
		calls = append(calls, New("", c.Tool, c.Args))
	}
	return Draft(p, form.Say, calls)
}

func excerpt(s string) string {
	if len(s) > 80 {
		s = strings.ToValidUTF8(s[:80], "") + "…"
	}
	return strconv.Quote(s)
}

// Identify gives every call an identifier that is its own. What the model
// wrote is kept when it is short, printable and not used before.
func Identify(p *harness.Prompt, calls []vehicle.Call) {
	used := map[string]bool{}
	note := func(calls []vehicle.Call) {
		for i := range calls {
			used[calls[i].ID] = true
		}
	}
	for i := range p.Messages {
		note(p.Messages[i].Calls)
		if r := p.Messages[i].Result; r != nil {
			used[r.CallID] = true
		}
	}
	for i := range p.Rejected {
		note(p.Rejected[i].Calls)
	}
	n := len(used)
	for i := range calls {
		id := calls[i].ID
		for !proper(id) || used[id] {
			n++
			id = "call_" + strconv.Itoa(n)
		}
		used[id] = true
		calls[i].ID = id
	}
}

func proper(id string) bool {
	if id == "" || len(id) > 64 {
		return false
	}
	for _, c := range []byte(id) {
		if c <= ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
