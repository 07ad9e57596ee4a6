// SPDX-License-Identifier: Apache-2.0

package vehicle

import "time"

// Call is one use of a tool.
type Call struct {
	ID     string `json:"id"`
	Tool   string `json:"tool"`
	Args   Value  `json:"args"`
	Origin Origin `json:"origin,omitempty"`
	// Raw is the argument text as the student wrote it, kept when it did not
	// parse to an object; Args is unknown then.
	Raw string `json:"raw,omitempty"`
}

// Origin says who put a call into a draft.
type Origin string

// The origins of a call. The zero value is the student.
const (
	ByStudent  Origin = ""
	ByPrefetch Origin = "prefetch" // a read made before the first draft
	ByRule     Origin = "rule"     // owed by a rule, added by repair
	ByRead     Origin = "read"     // a demanded read, added by repair
	ByConsent  Origin = "consent"  // a package the driver said yes to
)

// Canonical identifies what the call does: equal calls have equal texts, in
// whatever order and spelling their arguments were written.
func (c *Call) Canonical() string {
	if c.Raw != "" {
		return c.Tool + " " + c.Raw
	}
	return c.Tool + c.Args.Canonical()
}

// Status is how a call ended.
type Status string

// The statuses of a result.
const (
	Done        Status = "done"        // a read gave a value; a write's effect was observed
	Failed      Status = "failed"      // it did not happen, Reason says why
	Unconfirmed Status = "unconfirmed" // sent, but its effect was not observed in time
	Refused     Status = "refused"     // the boundary did not let it out
	Stopped     Status = "stopped"     // ended by a stop while under way
)

// Cause says in one word why a call failed, where the car told.
type Cause string

// The causes.
const (
	CauseBlocked  Cause = "blocked"  // something keeps it from moving
	CauseReversed Cause = "reversed" // it ran back by itself, as when something was pinched
)

// Result is what came of a call.
type Result struct {
	CallID string    `json:"call_id"`
	Tool   string    `json:"tool"`
	Status Status    `json:"status"`
	Value  Value     `json:"value"`            // the result's data, its envelope taken off
	Reason string    `json:"reason,omitempty"` // why it is not done, for people
	Cause  Cause     `json:"cause,omitempty"`  // of a failure, when the car told
	At     time.Time `json:"at"`
	Trace  []Trace   `json:"trace,omitempty"`
	// Refusal is the boundary's own account when it did not let a command out.
	Refusal *Refusal `json:"refusal,omitempty"`
}

// OK reports whether the call did what it should.
func (r *Result) OK() bool { return r.Status == Done }

// Trace is one thing seen on a bus on behalf of a call.
type Trace struct {
	At     time.Time `json:"at"`
	Dir    string    `json:"dir"`    // tx: sent by us, rx: a status that was awaited
	Bus    string    `json:"bus"`    // CAN bus name, or mqtt
	Text   string    `json:"text"`   // candump form, or topic and payload
	Signal string    `json:"signal"` // signal name
	Value  Value     `json:"value"`
}
