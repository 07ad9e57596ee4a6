// SPDX-License-Identifier: Apache-2.0

package counsel

import (
	"strings"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student/prompt"
)

// Bounds of what a model gets to read, in bytes but for entries.
const (
	maxPolicy     = 12 << 10
	maxSignatures = 12 << 10
	maxEntry      = 1 << 10 // one message, one call
	maxRemark     = 600
	maxEntries    = 40 // messages, the newest
)

// clip cuts a text that is too long.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + " …"
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// conversation is the end of a conversation, one entry a line.
func conversation(ms []harness.Message) string {
	var l []string
	for i := range ms {
		m := &ms[i]
		switch {
		case m.Result != nil:
			text := string(m.Result.Status)
			if m.Result.Value.Known() {
				text += " " + m.Result.Value.String()
			}
			l = append(l, "result of "+m.Result.Tool+": "+clip(oneLine(text+" "+m.Result.Reason), maxEntry))
		case m.Role == harness.User:
			l = append(l, "driver: "+clip(oneLine(m.Text), maxEntry))
		case m.Role == harness.Assistant:
			for j := range m.Calls {
				l = append(l, "assistant calls "+clip(m.Calls[j].Canonical(), maxEntry))
			}
			if m.Text != "" {
				l = append(l, "assistant: "+clip(oneLine(m.Text), maxEntry))
			}
		}
	}
	if len(l) > maxEntries {
		l = l[len(l)-maxEntries:]
	}
	return strings.Join(l, "\n")
}

// signatures are the tools with their arguments: those that the draft calls
// first, then the others as long as there is room, and the names of the rest.
func signatures(p *harness.Prompt, d *harness.Draft) string {
	if p.Tools == nil {
		return ""
	}
	called := map[string]bool{}
	for i := range d.Calls {
		called[d.Calls[i].Tool] = true
	}
	var l, rest []string
	room := maxSignatures
	for _, first := range []bool{true, false} {
		for _, t := range p.Tools.Tools {
			if called[t.Name] != first {
				continue
			}
			s := clip(prompt.Signature(t), 2*maxEntry)
			if room -= len(s); room < 0 && !first {
				rest = append(rest, t.Name)
				continue
			}
			l = append(l, s)
		}
	}
	if len(rest) > 0 {
		l = append(l, "Also offered: "+strings.Join(rest, ", "))
	}
	return strings.Join(l, "\n")
}
