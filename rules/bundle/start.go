// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"errors"
	"fmt"
	"time"

	"github.com/carguardd/carguardd/rules"
)

// How a bundle on probation is judged by starts: one that does not last counts,
// and the third in a row is the last. A run has lasted when it was ended in
// an orderly way, or after a while.
const (
	lastBoot = 3
	lasting  = time.Minute
)

// Start decides which bundle is in force from now on, for a daemon that starts.
// There always is one. The error says what of the store could not be read or
// written; the set is good all the same.
func (m *Manager) Start() (*rules.Set, error) {
	m.work.Lock()
	defer m.work.Unlock()
	m.ran = 0
	err := errors.Join(m.settleCandidate(), m.settleFactory())
	cerr := m.countBoot()
	set, lerr := m.load(cerr != nil)
	err = errors.Join(err, cerr)
	m.mu.Lock()
	m.set = set
	m.mu.Unlock()
	m.sweep()
	return set, errors.Join(err, lerr)
}

// settleCandidate takes up what was staged, and ends what was under way when
// the daemon ended: it begins anew with the next request.
func (m *Manager) settleCandidate() error {
	st := m.current()
	c := st.Candidate
	switch {
	case c == nil:
		return nil
	case c.Stage == Staged:
		err := m.promote(nil)
		if rej := (*RejectedError)(nil); errors.As(err, &rej) {
			return nil // the history says so, and the one before goes on
		}
		return err
	}
	st.Candidate = nil
	return m.commit(st, Record{From: c.Stage, To: "interrupted", Name: c.Name, Revision: c.Revision, SHA256: c.SHA256, Source: c.From, By: c.By})
}

// settleFactory lets a newer factory bundle, or one of another name, win over
// what was installed: it came with a newer daemon, and is the floor below
// which nothing goes, pinned or not.
func (m *Manager) settleFactory() error {
	st := m.current()
	factory := m.theCar().Factory.Manifest
	var records []Record
	if a := st.Active; m.outdated(a) {
		records = append(records, Record{From: Good, To: "superseded", Name: a.Name, Revision: a.Revision, SHA256: a.SHA256, By: "factory",
			Reason: fmt.Sprintf("the daemon came with %s revision %d", factory.Name, factory.Revision)})
		if a.Name != factory.Name {
			st.Highest, st.Lost = 0, ""
		}
		st.Active, st.Previous, st.Probation = nil, nil, nil
	}
	if st.Pin > 0 && st.Pin < factory.Revision {
		st.Pin = 0
		records = append(records, Record{To: "unpinned", By: "factory", Reason: fmt.Sprintf("the daemon came with revision %d", factory.Revision)})
	}
	if records == nil {
		return nil
	}
	return m.commit(st, records...)
}

// outdated reports whether a bundle is below the factory's, or another one. What
// is kept may still name it: a disk that is full keeps no change.
func (m *Manager) outdated(i *Installed) bool {
	factory := m.theCar().Factory.Manifest
	return i != nil && (i.Name != factory.Name || i.Revision < factory.Revision)
}

// countBoot counts a start with a bundle on probation. It is kept before the
// bundle can do anything.
func (m *Manager) countBoot() error {
	st := m.current()
	if st.Active == nil || st.Probation == nil {
		return nil
	}
	st.Probation.Boots++
	if st.Probation.Boots >= lastBoot {
		return m.rollBack(fmt.Sprintf("the daemon did not stay up with it: %d starts, and none lasted", st.Probation.Boots), "daemon")
	}
	return m.commit(st)
}

// load resolves the active bundle. One that cannot be resolved any more gives
// way to the one before it, and that to the factory's: for good when it does not
// fit or breaks the floor of a newer daemon, and until it is fetched again when it cannot be read. One whose start could
// not be counted is not begun with: it might be the one that fills the disk. None
// that is older than the factory's is, whatever could be kept.
func (m *Manager) load(uncounted bool) (*rules.Set, error) {
	st := m.current()
	if m.outdated(st.Active) {
		return m.theCar().Factory, nil
	}
	if uncounted {
		return m.before(&st), nil
	}
	set, err := m.sound(st.Active)
	if err == nil {
		return set, m.keepProof(st)
	}
	if rej := (*RejectedError)(nil); errors.As(err, &rej) {
		err = m.rollBack("it cannot be taken up any more: "+err.Error(), "daemon")
	} else {
		err = m.lose(st, err)
	}
	if err != nil {
		return m.before(&st), err
	}
	return m.Set(), nil
}

// before is the set of the bundle before the active one, or the factory's where
// that is of no use.
func (m *Manager) before(st *state) *rules.Set {
	if set, err := m.sound(st.Previous); err == nil && !m.outdated(st.Previous) {
		return set
	}
	return m.theCar().Factory
}

// lose gives up the active bundle because its archive cannot be read. Nothing is
// wrong with the bundle: where it is offered still it may come again.
func (m *Manager) lose(st state, why error) error {
	if st.Active.Revision == st.Highest {
		st.Lost = st.Active.SHA256
	}
	return m.goBack(st, "it is taken up again where it is still offered: "+why.Error(), "daemon")
}

// Rebase takes another car up: the configuration was read again. It returns the
// set that is in force for it, for the caller to put in force; an active bundle
// that does not fit is an error, and nothing has changed then.
func (m *Manager) Rebase(car Car) (*rules.Set, error) {
	end, err := m.begin()
	if err != nil {
		return nil, err
	}
	defer end()
	m.mu.Lock()
	before := m.car
	m.car = car
	m.mu.Unlock()
	set, err := m.rebased()
	m.mu.Lock()
	defer m.mu.Unlock()
	if err != nil {
		m.car = before
		return nil, err
	}
	m.set = set
	return set, nil
}

func (m *Manager) rebased() (*rules.Set, error) {
	if err := m.settleFactory(); err != nil {
		return nil, err
	}
	st := m.current()
	set, err := m.sound(st.Active)
	if err != nil {
		return nil, err
	}
	return set, m.keepProof(st)
}
