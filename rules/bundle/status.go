// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"time"

	"github.com/carguardd/carguardd/rules/bundle/trust"
)

// Status is what there is to know about a unit's bundles.
type Status struct {
	Name            string     `json:"name"`
	ActiveRevision  int        `json:"active_revision"`
	Version         string     `json:"version,omitempty"`
	Stage           string     `json:"stage"` // factory, active (on probation) or good
	SHA256          string     `json:"sha256,omitempty"`
	FactoryRevision int        `json:"factory_revision"`
	Previous        *Installed `json:"previous,omitempty"`
	Candidate       *Candidate `json:"candidate,omitempty"`
	Probation       *Probation `json:"probation,omitempty"`
	Pinned          int        `json:"pinned,omitempty"`
	Highest         int        `json:"highest_revision,omitempty"`
	Refused         []Refused  `json:"refused,omitempty"`

	Source string `json:"source,omitempty"` // the configured one
	// Highest versions of the repository that were ever verified.
	Repository               trust.Highest `json:"repository"`
	LastRequest              time.Time     `json:"last_request,omitzero"`
	LastSuccessfulDownload   time.Time     `json:"last_successful_download,omitzero"`
	LastSuccessfulActivation time.Time     `json:"last_successful_activation,omitzero"`
	Code                     string        `json:"code,omitempty"`    // of the last request, when it failed
	Message                  string        `json:"message,omitempty"` // likewise
}

// Status says which bundle is in force, and what is under way.
func (m *Manager) Status() Status {
	st := m.current()
	factory := m.theCar().Factory.Manifest
	s := Status{Name: factory.Name, ActiveRevision: factory.Revision, Version: factory.Version, Stage: "factory", FactoryRevision: factory.Revision,
		Previous: st.Previous, Candidate: st.Candidate, Probation: st.Probation, Pinned: st.Pin, Highest: st.Highest, Refused: st.Refused,
		Source: m.o.From, LastRequest: st.LastRequest, LastSuccessfulDownload: st.LastDownload, LastSuccessfulActivation: st.LastActivation,
		Code: st.Code, Message: st.Message}
	if m.outdated(st.Active) {
		s.Probation = nil // it could not be kept that the factory's came before it
	} else if a := st.Active; a != nil {
		s.Name, s.ActiveRevision, s.Version, s.SHA256, s.Stage = a.Name, a.Revision, a.Version, a.SHA256, string(Good)
		if st.Probation != nil {
			s.Stage = string(Active)
		}
	}
	if t, err := m.readTrust(); err == nil {
		s.Repository = t.Highest
	}
	return s
}
