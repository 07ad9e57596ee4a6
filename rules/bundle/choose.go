// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/carguardd/carguardd/rules/bundle/trust"
)

// activeRevision is the bundle in force, and its revision.
func (m *Manager) activeRevision(st *state) (string, int) {
	if st.Active != nil && !m.outdated(st.Active) {
		return st.Active.Name, st.Active.Revision
	}
	f := m.theCar().Factory.Manifest
	return f.Name, f.Revision
}

// newer reports whether a bundle is above all that was ever active here. The one
// that was the highest is, too, when the disk has lost it: the same bytes are no
// way back.
func (m *Manager) newer(st *state, name string, revision int, sha256 string) bool {
	factory := m.theCar().Factory.Manifest
	_, active := m.activeRevision(st)
	return name == factory.Name && revision > max(active, factory.Revision) &&
		(revision > st.Highest || revision == st.Highest && sha256 == st.Lost)
}

// choose picks the newest bundle that may be installed; nil when there is
// nothing to do. A newer one that must not be is an error.
func (m *Manager) choose(view *trust.View, r Request) (*trust.Target, error) {
	st := m.current()
	var newer []trust.Target
	for _, t := range view.Targets {
		if m.newer(&st, t.Custom.Name, t.Custom.Revision, t.SHA256) {
			newer = append(newer, t)
		}
	}
	slices.SortFunc(newer, func(a, b trust.Target) int { return cmp.Compare(b.Custom.Revision, a.Custom.Revision) })
	var why error
	for _, t := range newer {
		err := m.mayTry(t, &st, r)
		if err == nil {
			return &t, nil
		}
		if why == nil {
			why = err
		}
	}
	if rej := (*RejectedError)(nil); errors.Is(why, errKnown) || errors.As(why, &rej) && rej.Code == WhyHardware {
		return nil, nil // nothing for this unit, as far as it is known
	}
	return nil, why
}

// errKnown says that a bundle was rejected before and nothing has changed.
var errKnown = errors.New("it was rejected before")

func (m *Manager) mayTry(t trust.Target, st *state, r Request) error {
	if st.Pin > 0 && t.Custom.Revision > st.Pin {
		if !r.Again {
			return errKnown
		}
		return reject(WhyPinned, t.Custom.Revision, "the unit is pinned to revision %d", st.Pin)
	}
	if err := m.o.Unit.offered(t.Custom); err != nil {
		return err
	}
	for _, x := range st.Refused {
		if x.SHA256 == t.SHA256 && x.Here == m.o.Unit.here() && !r.Again {
			return errKnown
		}
	}
	return nil
}

// quietly says why a newer bundle is nothing to do, when there is one.
func (m *Manager) quietly(view *trust.View, st *state) string {
	name, active := m.activeRevision(st)
	for _, t := range view.Targets {
		if t.Custom.Name != name || t.Custom.Revision <= active {
			continue
		}
		if err := m.o.Unit.offered(t.Custom); err != nil {
			return err.Error()
		}
		for _, x := range st.Refused {
			if t.SHA256 == x.SHA256 {
				return fmt.Sprintf("revision %d was rejected before: %s", t.Custom.Revision, x.Why)
			}
		}
		return fmt.Sprintf("revision %d is not above the highest that was ever active, %d: publish a higher one", t.Custom.Revision, st.Highest)
	}
	return ""
}
