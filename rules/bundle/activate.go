// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/carguardd/carguardd/rules"
)

// quietTime is how long a request waits for a moment between two turns. After
// that the updater does.
const quietTime = 10 * time.Second

// takeUp puts the staged candidate in force between two turns. Where no system
// runs, or ctx ends first, it stays staged.
func (m *Manager) takeUp(ctx context.Context, out Outcome) (Outcome, error) {
	live := m.attached()
	if live == nil {
		out.Note = "it is taken up when the daemon starts"
		return out, nil
	}
	wait, end := context.WithTimeout(ctx, quietTime)
	defer end()
	if err := live.quiet(wait); err != nil {
		if wait.Err() == nil {
			return out, err
		}
		out.Note = "it is taken up when the turn under way has ended"
		return out, nil
	}
	if err := m.promote(live); err != nil {
		return out, err
	}
	out.Stage = Active
	return out, nil
}

func (m *Manager) attached() *liveSystem {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.live
}

// promote makes the staged candidate the active bundle. The pointer is kept
// first: after a power cut in between the next start takes the new bundle up.
func (m *Manager) promote(live *liveSystem) error {
	st := m.current()
	c := st.Candidate
	if !m.newer(&st, c.Name, c.Revision, c.SHA256) {
		return m.overtaken(st)
	}
	set, err := m.sound(&c.Installed)
	if err != nil {
		return m.drop(c, classify(err, c.Revision))
	}
	now := m.now()
	active := c.Installed
	active.Since = now
	st.Previous, st.Active, st.Candidate, st.Probation = st.Active, &active, nil, &Probation{}
	st.Highest, st.Lost, st.LastActivation = max(st.Highest, active.Revision), "", now
	err = m.commit(st, Record{From: Staged, To: string(Active), Name: active.Name, Revision: active.Revision, SHA256: active.SHA256,
		Source: c.From, By: c.By, Tests: c.Tests, Floor: c.Floor})
	if err != nil {
		return err
	}
	if err := m.enforce(live, set); err != nil {
		return errors.Join(err, m.rollBack("it could not be put in force: "+err.Error(), "daemon"))
	}
	m.sweep()
	return nil
}

// overtaken drops a staged candidate that is not the newest any more: while it
// waited, a reload or another daemon brought a newer factory bundle. Nothing is
// wrong with it, so it is not remembered as refused.
func (m *Manager) overtaken(st state) error {
	c := st.Candidate
	st.Candidate = nil
	f := m.theCar().Factory.Manifest
	why := fmt.Errorf("while it waited, the factory bundle became %s revision %d, and %d was the highest that was ever active", f.Name, f.Revision, st.Highest)
	err := m.commit(st, Record{From: c.Stage, To: string(Rejected), Code: WhyRevision, Name: c.Name, Revision: c.Revision, SHA256: c.SHA256, Source: c.From, By: c.By, Reason: why.Error()})
	m.sweep()
	return errors.Join(&RejectedError{WhyRevision, c.Revision, why}, err)
}

// enforce makes a set the one that decides.
func (m *Manager) enforce(live *liveSystem, set *rules.Set) error {
	if live != nil {
		if err := live.activate(set); err != nil {
			return err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.set = set
	return nil
}

// rollBack goes back and remembers that the active bundle is not to be tried
// again.
func (m *Manager) rollBack(reason, by string) error {
	st := m.current()
	if st.Active == nil {
		return ErrFactory
	}
	st.refuse(st.Active.SHA256, reason, m.o.Unit.here())
	return m.goBack(st, reason, by)
}

// goBack makes the bundle before the active one active, or the factory's when
// that one does not load either. Turns that run end under the rules they began
// with.
func (m *Manager) goBack(st state, reason, by string) error {
	bad := st.Active
	factory := m.theCar().Factory
	to, set := st.Previous, factory
	if m.outdated(to) {
		to = nil
	}
	if to != nil {
		var err error
		if set, err = m.sound(to); err != nil {
			reason += "; the bundle before it is of no use either: " + err.Error()
			to, set = nil, factory
		}
	}
	from := Good
	if st.Probation != nil {
		from = Active
	}
	st.Active, st.Previous, st.Probation = to, nil, nil
	if to != nil && !to.Good {
		st.Probation = &Probation{} // it was replaced before it had shown itself
	}
	st.LastActivation = m.now()
	err := m.commit(st, Record{From: from, To: string(RolledBack), Name: bad.Name, Revision: bad.Revision, SHA256: bad.SHA256, By: by, Reason: reason})
	if err != nil {
		return err
	}
	err = m.enforce(m.attached(), set)
	m.sweep()
	return err
}

// ErrFactory says that the factory's bundle is in force, and nothing before it.
var ErrFactory = errors.New("the bundle that came with the daemon is in force; there is nothing to roll back")

// RollBack makes the bundle before the active one, on somebody's word.
func (m *Manager) RollBack(by string) error {
	end, err := m.begin()
	if err != nil {
		return err
	}
	defer end()
	return m.rollBack("somebody asked for it", by)
}

// Pin keeps bundles above a revision out until [Manager.Unpin]; 0 means the
// active one. It never goes back by itself.
func (m *Manager) Pin(revision int, by string) (int, error) {
	end, err := m.begin()
	if err != nil {
		return 0, err
	}
	defer end()
	st := m.current()
	name, active := m.activeRevision(&st)
	if revision == 0 {
		revision = active
	}
	if revision < active {
		return 0, reject(WhyRevision, revision, "revision %d is active, and a pin does not go back: roll back first", active)
	}
	st.Pin = revision
	var dropped []Record
	if c := st.Candidate; c != nil && c.Revision > revision {
		dropped = append(dropped, Record{From: c.Stage, To: string(Rejected), Code: WhyPinned, Name: c.Name, Revision: c.Revision, SHA256: c.SHA256, By: by, Reason: "the unit was pinned"})
		st.Candidate = nil
	}
	return revision, m.commit(st, append(dropped, Record{To: "pinned", Name: name, Revision: revision, By: by})...)
}

// Unpin lets any higher revision in again.
func (m *Manager) Unpin(by string) error {
	end, err := m.begin()
	if err != nil {
		return err
	}
	defer end()
	st := m.current()
	if st.Pin == 0 {
		return nil
	}
	st.Pin = 0
	return m.commit(st, Record{To: "unpinned", By: by})
}
