// SPDX-License-Identifier: Apache-2.0

package prompt

import (
	"strings"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// Message is one message as chat protocols know it. A tool message answers
// the call CallID of the assistant message before it.
type Message struct {
	Role   harness.Role
	Text   string
	Calls  []vehicle.Call // of an assistant message; Args is an object in each
	CallID string         // of a tool message
	Tool   string         // of a tool message

	turn bool // what the user said: a turn begins here
}

// maxResult bounds, in bytes, what of one result a model gets to read.
const maxResult = 16 << 10

// Messages returns the prompt as messages for a server that gets the tools
// beside them.
func Messages(p *harness.Prompt) []Message {
	l := list{{Role: harness.System, Text: system(p)}}
	return l.conversation(p)
}

type list []Message

func (l list) conversation(p *harness.Prompt) []Message {
	for i := range p.Messages {
		m := &p.Messages[i]
		switch {
		case m.Result != nil:
			l = l.result(m.Result)
		case m.Role == harness.Assistant:
			l = append(l.settle(), Message{Role: m.Role, Text: m.Text, Calls: arguments(m.Calls)})
		default:
			l = append(l.settle(), Message{Role: m.Role, Text: m.Text, turn: m.Role == harness.User})
		}
	}
	l = l.settle()
	for i := range p.Rejected {
		d := &p.Rejected[i]
		l = append(l, Message{Role: harness.Assistant, Text: d.Text, Calls: arguments(d.Calls)}).settle()
	}
	if p.Findings != "" {
		l = append(l, Message{Role: harness.User, Text: findings(p)})
	}
	return l
}

// result appends a result behind its call, which is in the last assistant
// message or else put there.
func (l list) result(r *vehicle.Result) list {
	if !l.open(r.CallID) {
		l = append(l.settle(), Message{Role: harness.Assistant,
			Calls: []vehicle.Call{{ID: r.CallID, Tool: r.Tool, Args: vehicle.ObjectOf()}}})
	}
	return append(l, Message{Role: harness.ToolRole, Text: resultText(r), CallID: r.CallID, Tool: r.Tool})
}

// open reports whether the call is in the last assistant message and has no
// result yet.
func (l list) open(id string) bool {
	for _, c := range l.pending() {
		if c.ID == id {
			return true
		}
	}
	return false
}

// pending returns the calls of the last assistant message that have no
// result yet.
func (l list) pending() []vehicle.Call {
	answered := map[string]bool{}
	for i := len(l) - 1; i >= 0; i-- {
		switch l[i].Role {
		case harness.ToolRole:
			answered[l[i].CallID] = true
		case harness.Assistant:
			var open []vehicle.Call
			for _, c := range l[i].Calls {
				if !answered[c.ID] {
					open = append(open, c)
				}
			}
			return open
		default:
			return nil
		}
	}
	return nil
}

// settle gives the calls that have no result one that says so.
func (l list) settle() list {
	for _, c := range l.pending() {
		l = append(l, Message{Role: harness.ToolRole, CallID: c.ID, Tool: c.Tool, Text: `{"status": "not carried out"}`})
	}
	return l
}

// arguments returns the calls with arguments that every server can encode:
// what did not parse is quoted in an object.
func arguments(calls []vehicle.Call) []vehicle.Call {
	var l []vehicle.Call
	for _, c := range calls {
		switch {
		case c.Raw != "":
			c.Args = vehicle.ObjectOf(vehicle.Field{Name: "unreadable", Value: vehicle.TextOf(c.Raw)})
		case c.Args.Kind() != vehicle.Object:
			c.Args = vehicle.ObjectOf()
		}
		l = append(l, c)
	}
	return l
}

// resultText is a result as a model reads it.
func resultText(r *vehicle.Result) string {
	v := vehicle.ObjectOf(vehicle.Field{Name: "status", Value: vehicle.TextOf(string(r.Status))})
	if r.Value.Kind() != vehicle.Unknown {
		v = v.With("result", r.Value)
	}
	if r.Reason != "" {
		v = v.With("reason", vehicle.TextOf(r.Reason))
	}
	b := v.AppendJSON(nil)
	if len(b) <= maxResult {
		return string(b)
	}
	cut := vehicle.TextOf(strings.ToValidUTF8(string(b[:maxResult]), ""))
	return string(vehicle.ObjectOf(vehicle.Field{Name: "too_long_beginning", Value: cut}).AppendJSON(nil))
}
