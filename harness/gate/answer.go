// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// Answer is what is said to one event. Exactly one of OK, Verdicts and Error
// is there.
type Answer struct {
	Line     int          `json:"line,omitempty"` // of the event, from 1
	OK       bool         `json:"ok,omitempty"`   // the event was taken in
	Verdicts []Verdict    `json:"verdicts,omitempty"`
	Owed     []Owed       `json:"owed,omitempty"`         // what earlier calls make necessary still
	Failed   []FailedGate `json:"failed_gates,omitempty"` // gates that broke off and were open
	Notes    []string     `json:"notes,omitempty"`        // what else is to be known
	Error    string       `json:"error,omitempty"`        // the event was not taken in
}

// Decision is what becomes of a proposal.
type Decision string

// The decisions. Whatever is not Allow is not allowed.
const (
	Allow  Decision = "allow"
	Reject Decision = "reject"
)

// Verdict is what is said to one proposed call, or to a proposed text. A
// rejection is to take the place of the call's result.
type Verdict struct {
	ID       string           `json:"id,omitempty"` // of the call
	Tool     string           `json:"tool,omitempty"`
	Decision Decision         `json:"verdict"`
	Gate     string           `json:"gate,omitempty"`
	Rule     string           `json:"rule,omitempty"`
	Action   harness.Action   `json:"action,omitempty"` // block, ask, say, repair or read
	Reason   string           `json:"reason,omitempty"` // for the model: what is wrong, what to do
	Say      string           `json:"say,omitempty"`    // for the driver, in the driver's language
	Remedy   *Remedy          `json:"remedy,omitempty"`
	Evidence []rules.Evidence `json:"evidence,omitempty"`
	Times    int              `json:"times,omitempty"` // how often this very call was rejected in this turn, from 2
}

// Remedy is what would be right instead.
type Remedy struct {
	First   []Call   `json:"first,omitempty"`   // calls to make before, in order
	With    []Call   `json:"with,omitempty"`    // calls to propose together with it
	Instead *Call    `json:"instead,omitempty"` // the call in place of this one
	Drop    bool     `json:"drop,omitempty"`    // leave the call out
	Wait    bool     `json:"wait,omitempty"`    // propose it again when the calls before it have results
	Ask     string   `json:"ask,omitempty"`     // the question to the driver, word for word
	Options []Option `json:"options,omitempty"` // what the driver chooses among; one: yes or no
	Text    string   `json:"text,omitempty"`    // what to say in place of the text
}

// Call is a call of a remedy.
type Call struct {
	Tool string        `json:"tool"`
	Args vehicle.Value `json:"arguments"`
}

// Option is one choice of a question with the calls that it stands for.
type Option struct {
	Label string `json:"label"`
	Calls []Call `json:"calls"`
}

// Owed is what a rule demands on account of an earlier call: the calls to make,
// or the reads that tell. A text is rejected until it was done.
type Owed struct {
	Rule   string `json:"rule,omitempty"`
	Reason string `json:"reason"`
	Calls  []Call `json:"calls,omitempty"`
}

// FailedGate is a gate that broke off: it held nothing against the proposal.
type FailedGate struct {
	Gate  string `json:"gate"`
	Error string `json:"error"`
}

// refuse puts a refusal into the verdict.
func (v *Verdict) refuse(r *harness.Refusal) {
	v.Decision, v.Gate, v.Rule, v.Action = Reject, r.Gate, r.Rule, r.Action
	v.Reason, v.Say, v.Evidence = r.Note, r.Driver, r.Evidence
	m := &Remedy{Text: r.Remedy.Text}
	for _, p := range r.Remedy.Add {
		c := Call{p.Call.Tool, p.Call.Args}
		if p.After != "" {
			m.With = append(m.With, c)
		} else {
			m.First = append(m.First, c)
		}
	}
	if c, ok := r.Remedy.Replace[r.Call]; ok {
		m.Instead = &Call{c.Tool, c.Args}
	}
	m.Drop, m.Wait = has(r.Remedy.Remove, r.Call), has(r.Remedy.Defer, r.Call)
	if q := r.Question; q != nil {
		m.Ask = q.Text
		for _, o := range q.Options {
			m.Options = append(m.Options, Option{o.Label, plainCalls(o.Calls)})
		}
	}
	if m.Ask == "" && r.Action == harness.AskFirst {
		m.Ask = r.Driver
	}
	if len(m.First) > 0 || len(m.With) > 0 || m.Instead != nil || m.Drop || m.Wait || m.Ask != "" || m.Text != "" {
		v.Remedy = m
	}
}

func has(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func plainCalls(calls []vehicle.Call) []Call {
	out := make([]Call, len(calls))
	for i := range calls {
		out[i] = Call{calls[i].Tool, calls[i].Args}
	}
	return out
}
