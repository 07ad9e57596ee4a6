// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"fmt"
	"time"
)

// When turns end a probation: in so many of them rules or gates failed, and
// that is more than one in so many.
const (
	badTurns = 3
	badShare = 5
)

// Turn counts a turn that has ended under the active bundle; bad says that a
// rule or a gate failed in it. A bundle that has shown itself becomes good, one
// that fails is rolled back.
func (m *Manager) Turn(bad bool) error { return m.shown(1, bad, 0) }

// Lasted counts time during which the daemon ran with the active bundle.
func (m *Manager) Lasted(d time.Duration) error { return m.shown(0, false, d) }

func (m *Manager) shown(turns int, bad bool, d time.Duration) error {
	m.work.Lock()
	defer m.work.Unlock()
	st := m.current()
	p := st.Probation
	if st.Active == nil || p == nil || m.outdated(st.Active) {
		return nil
	}
	p.Turns += turns
	p.Time += d
	if bad {
		p.Bad++
	}
	if m.ran += d; m.ran >= lasting {
		p.Boots = 0
	}
	switch {
	case p.Bad >= badTurns && p.Bad*badShare > p.Turns:
		return m.rollBack(fmt.Sprintf("rules or gates failed in %d of %d turns", p.Bad, p.Turns), "daemon")
	case p.Turns >= m.o.GoodTurns && p.Time >= m.o.GoodTime:
		a := st.Active
		a.Good, st.Probation = true, nil
		return m.commit(st, Record{From: Active, To: string(Good), Name: a.Name, Revision: a.Revision, SHA256: a.SHA256, By: "daemon",
			Reason: fmt.Sprintf("%d turns, %v", p.Turns, p.Time.Round(time.Second))})
	}
	return m.commit(st)
}

// Stop says that the daemon ends in an orderly way: this start has lasted.
func (m *Manager) Stop() error {
	m.work.Lock()
	defer m.work.Unlock()
	st := m.current()
	if st.Probation == nil || st.Probation.Boots == 0 {
		return nil
	}
	st.Probation.Boots = 0
	return m.commit(st)
}
