// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"slices"
	"time"

	"github.com/carguardd/carguardd/rules/bundle/trust"
)

// Stage is how far a bundle has come.
type Stage string

// The stages, in their order.
const (
	Checked    Stage = "checked"
	Downloaded Stage = "downloaded"
	Verified   Stage = "verified"
	Tested     Stage = "tested"
	Staged     Stage = "staged"
	Active     Stage = "active" // on probation
	Good       Stage = "good"
	Rejected   Stage = "rejected"
	RolledBack Stage = "rolled back"
)

// Installed names a bundle.
type Installed struct {
	Name     string    `json:"name"`
	Revision int       `json:"revision"`
	Version  string    `json:"version,omitempty"`
	SHA256   string    `json:"sha256"`
	Since    time.Time `json:"since"`            // when it became active
	Good     bool      `json:"good,omitempty"`   // it has passed its probation
	Proven   string    `json:"proven,omitempty"` // daemon and floor that it was proven with
}

// Candidate is a bundle on its way.
type Candidate struct {
	Installed
	Stage Stage  `json:"stage"`
	From  string `json:"from"` // source
	By    string `json:"by"`   // who asked: poll, cli, api, …
	Tests int    `json:"tests,omitempty"`
	Floor int    `json:"floor,omitempty"`
}

// Probation is what the active bundle has shown so far.
type Probation struct {
	Boots int           `json:"boots"` // starts that did not last, one after the other
	Turns int           `json:"turns"`
	Bad   int           `json:"bad"` // turns in which rules or gates failed
	Time  time.Duration `json:"time_ns"`
}

// Refused is a bundle that is not tried again by itself while nothing else
// has changed.
type Refused struct {
	SHA256 string `json:"sha256"`
	Why    string `json:"why"`
	Here   string `json:"here"` // what of this unit it was judged with
}

// state is everything that is kept of bundles beside the archives, the
// memory of trust and the history. It is one document, replaced as a whole.
type state struct {
	Active    *Installed `json:"active,omitempty"`   // nil: the factory's
	Previous  *Installed `json:"previous,omitempty"` // nil: the factory's
	Candidate *Candidate `json:"candidate,omitempty"`
	Probation *Probation `json:"probation,omitempty"` // of Active; nil: it is good
	Pin       int        `json:"pin,omitempty"`       // highest revision that may be installed; 0: any
	Highest   int        `json:"highest,omitempty"`   // revision that was ever active
	Lost      string     `json:"lost,omitempty"`      // SHA-256 of the bundle of that revision, when the disk lost it
	Refused   []Refused  `json:"refused,omitempty"`   // the newest last

	LastRequest    time.Time `json:"last_request,omitzero"`
	LastDownload   time.Time `json:"last_download,omitzero"`
	LastActivation time.Time `json:"last_activation,omitzero"`
	Code           string    `json:"code,omitempty"`    // of the last request that failed
	Message        string    `json:"message,omitempty"` // likewise

	Seq int `json:"seq"` // of the newest record of the history
}

// clone is a copy that can be changed.
func (s state) clone() state {
	copyOf := func(i *Installed) *Installed {
		if i == nil {
			return nil
		}
		c := *i
		return &c
	}
	s.Active, s.Previous = copyOf(s.Active), copyOf(s.Previous)
	if s.Candidate != nil {
		c := *s.Candidate
		s.Candidate = &c
	}
	if s.Probation != nil {
		p := *s.Probation
		s.Probation = &p
	}
	s.Refused = slices.Clone(s.Refused)
	return s
}

// refuse remembers a bundle that is not to be tried again by itself.
func (s *state) refuse(sha256, why, here string) {
	s.Refused = slices.DeleteFunc(s.Refused, func(r Refused) bool { return r.SHA256 == sha256 })
	s.Refused = append(s.Refused, Refused{sha256, why, here})
	if n := len(s.Refused); n > keptRefusals {
		s.Refused = s.Refused[n-keptRefusals:]
	}
}

const keptRefusals = 20

// Record is one transition, as the history keeps it.
type Record struct {
	Seq      int                   `json:"seq"`
	Time     time.Time             `json:"time"`
	From     Stage                 `json:"from,omitempty"`
	To       string                `json:"to"` // a stage, or pinned, unpinned, interrupted
	Name     string                `json:"name,omitempty"`
	Revision int                   `json:"revision,omitempty"`
	SHA256   string                `json:"sha256,omitempty"`
	Source   string                `json:"source,omitempty"`
	By       string                `json:"by,omitempty"`
	Code     string                `json:"code,omitempty"` // of a rejection
	Reason   string                `json:"reason,omitempty"`
	Tests    int                   `json:"tests,omitempty"`
	Floor    int                   `json:"floor,omitempty"`
	Roles    map[string]trust.Role `json:"roles,omitempty"` // of the repository, as it was verified
}
