// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"time"

	"github.com/carguardd/carguardd/vehicle"
)

// Draft is what a student proposes: text, calls, or both. It is a proposal;
// nothing in it has happened.
type Draft struct {
	Text  string         `json:"text,omitempty"`
	Calls []vehicle.Call `json:"calls,omitempty"`
	// Report asks the harness to tell the driver what was done and what was
	// not, in place of a text. The offline student speaks this way.
	Report bool `json:"report,omitempty"`
	// NotUnderstood quotes the parts of the utterance that the student could
	// make nothing of.
	NotUnderstood []string `json:"not_understood,omitempty"`

	Student string `json:"student"` // which student made it
	Usage   Usage  `json:"usage"`
}

// Usage is what a draft cost.
type Usage struct {
	ModelCalls   int           `json:"model_calls"`
	InputTokens  int           `json:"input_tokens,omitempty"`
	OutputTokens int           `json:"output_tokens,omitempty"`
	Duration     time.Duration `json:"duration_ns"` // of the model calls
}

// Add adds o to u.
func (u *Usage) Add(o Usage) {
	u.ModelCalls += o.ModelCalls
	u.InputTokens += o.InputTokens
	u.OutputTokens += o.OutputTokens
	u.Duration += o.Duration
}

// Role is who speaks a message.
type Role string

// The roles of a message.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool"
)

// Message is one entry of the conversation as a student sees it.
type Message struct {
	Role   Role            `json:"role"`
	Text   string          `json:"text,omitempty"`
	Calls  []vehicle.Call  `json:"calls,omitempty"`  // of an assistant message
	Result *vehicle.Result `json:"result,omitempty"` // of a tool message
}

// Prompt is everything a student may look at for one draft.
type Prompt struct {
	Policy   string // policy text with its context values filled in
	Language string // of the driver, as in BCP 47: en, de
	Messages []Message
	Tools    *vehicle.Catalog
	// Findings tells what was wrong with the student's last draft, which is the
	// last assistant message of Rejected. Both are empty on a first draft.
	Findings string
	Rejected []Draft
	// Decided is set when the driver's newest words only answered a question of
	// the harness, and what they decided has been carried out: they ask for
	// nothing else.
	Decided bool
	// SpeakOnly asks for text without calls.
	SpeakOnly bool
}

// Student proposes drafts. Implementations are models, grammars or
// recordings; none of them is trusted.
type Student interface {
	// Name identifies the student in traces: "ollama llama3.2", "offline".
	Name() string
	// Draft proposes the next step. It returns before ctx's deadline, with an
	// error that says what failed: a draft without text and calls is an error
	// too, unless Report is set. It may be called by one turn at a time.
	Draft(ctx context.Context, p *Prompt) (Draft, error)
}
