// SPDX-License-Identifier: Apache-2.0

package counsel

import (
	"context"
	"strings"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/prompt"
)

// Driver is a model that plays a driver, for evaluations.
type Driver struct{ model Model }

// NewDriver returns a driver that m plays.
func NewDriver(m Model) *Driver { return &Driver{m} }

// Name identifies the driver in reports.
func (d *Driver) Name() string { return d.model.Name() }

// Part is what a driver plays.
type Part struct {
	Persona     string
	Instruction string // what the driver wants, and how they answer what they are asked
}

const driverTask = "You play the driver of a vehicle who talks to its voice assistant. " +
	"Say what this person says next, in one or two spoken sentences, and nothing that the instruction does not support: " +
	"do not help the assistant, do not invent wishes, do not give everything away at once. " +
	"When all that the person wants has been done, has been refused for good, or cannot be had, end the conversation. " +
	`Answer with JSON: {"say": "what the driver says", "end": false}; with "end": true nothing is said any more.`

// line is what a driver says next.
type line struct {
	Say string `json:"say"`
	End bool   `json:"end"`
}

// Say returns what the driver says after the conversation so far, and whether
// they end it instead.
func (d *Driver) Say(ctx context.Context, p Part, so []harness.Message) (text string, end bool, used harness.Usage, err error) {
	talk := "(it has not begun)"
	if t := conversation(spokenOnly(so)); t != "" {
		talk = t
	}
	q := prompt.Question{Name: "driver", System: driverTask,
		Text: "# Person\n" + clip(p.Persona, maxEntry) + "\n\n# Instruction\n" + clip(p.Instruction, 4*maxEntry) + "\n\n# Conversation\n" + talk,
		Form: object("say", `{"type":"string","maxLength":600}`, "end", `{"type":"boolean"}`)}
	form, used, err := ask[line](ctx, d.model, q)
	text = strings.TrimSpace(form.Say)
	if err == nil && text == "" && !form.End {
		err = student.Named(d.Name(), student.Errorf(student.Empty, nil, "the driver neither says anything nor ends the conversation"))
	}
	return text, form.End, used, err
}

// spokenOnly leaves out what a driver does not hear.
func spokenOnly(ms []harness.Message) []harness.Message {
	var out []harness.Message
	for _, m := range ms {
		if m.Result == nil && len(m.Calls) == 0 && m.Text != "" {
			out = append(out, m)
		}
	}
	return out
}
