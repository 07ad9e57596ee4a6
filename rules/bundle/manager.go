// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundle/trust"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

// Car is what bundles are judged with. It changes when the daemon reads its
// configuration again.
type Car struct {
	Factory *rules.Set // the bundle that came with the daemon
	// Load resolves rules against what the car offers.
	Load func(fsys fs.FS, dir string) (*rules.Set, error)
	// Catalog is everything that the car's profile declares: tests are played
	// against it, whatever services there are just now.
	Catalog *vehicle.Catalog
	Floor   []*rules.Case
}

// Options are what a manager is built from. Car, Store, Dir, Judge, Source and
// Now must be given.
type Options struct {
	Car
	Store  Store
	Dir    string // of the archives; created when it is needed
	Anchor []byte // the root that the unit trusts; nil: it takes nothing up
	Unit   Unit
	Judge  rulestest.Judge
	// Source returns the source that a text names.
	Source func(at string) (trust.Source, error)
	From   string // the source that is asked when none is named; may be empty
	Now    func() time.Time
	Built  time.Time // of the daemon: it is not earlier than that

	Deadline time.Duration // for the tests of a bundle
	// A bundle is good after so many turns and so much time.
	GoodTurns int
	GoodTime  time.Duration

	// Event is told each transition once it is kept; may be nil.
	Event func(Record)
	// Write writes an archive so that it survives a power cut, as a whole or not
	// at all; nil: [WriteFile].
	Write func(name string, data []byte) error
	// At is told the moments at which a power cut is interesting; may be nil.
	At func(moment string)
}

// Manager is the owner of a unit's bundles. Its methods may be called from
// several goroutines.
type Manager struct {
	o Options

	work sync.Mutex    // held by whoever changes what is kept; guards ran too
	ran  time.Duration // since the start, as far as it was counted

	mu    sync.Mutex // guards everything that follows
	car   Car
	state state
	set   *rules.Set // in force
	live  *liveSystem
}

// liveSystem is the running system that sets are put in force in.
type liveSystem struct {
	quiet    func(ctx context.Context) error
	activate func(*rules.Set) error
}

// Open reads what is kept. It changes nothing.
func Open(o Options) (*Manager, error) {
	if o.Factory == nil || o.Load == nil || o.Catalog == nil || o.Store == nil || o.Dir == "" || o.Judge == nil || o.Source == nil || o.Now == nil {
		return nil, errors.New("open bundles: car, store, folder, judge, source and clock are needed")
	}
	if o.Write == nil {
		o.Write = WriteFile
	}
	m := &Manager{o: o, car: o.Car, set: o.Factory}
	var err error
	if m.state, err = readState(o.Store); err != nil {
		return nil, err
	}
	return m, nil
}

// now is the time, which is never earlier than the daemon was built.
func (m *Manager) now() time.Time {
	if now := m.o.Now(); now.After(m.o.Built) {
		return now.UTC()
	}
	return m.o.Built.UTC()
}

func (m *Manager) at(moment string) {
	if m.o.At != nil {
		m.o.At(moment)
	}
}

// current is a copy of what is kept.
func (m *Manager) current() state {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state.clone()
}

func (m *Manager) theCar() Car {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.car
}

// begin claims the right to change what is kept. Who asks while a bundle is
// being installed is told so at once.
func (m *Manager) begin() (end func(), err error) {
	if !m.work.TryLock() {
		return nil, ErrBusy
	}
	return m.work.Unlock, nil
}

// Set is the set in force: that of the active bundle, or the factory's.
func (m *Manager) Set() *rules.Set {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.set
}

// Attach gives the manager the running system: quiet waits until it is
// between two turns, activate puts a set in force for turns that begin from then
// on.
func (m *Manager) Attach(quiet func(ctx context.Context) error, activate func(*rules.Set) error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.live = &liveSystem{quiet, activate}
}

// resolve resolves an installed bundle from its archive. The archive is
// compared with the digest that it was installed by, so a file that was damaged
// since is no bundle.
func (m *Manager) resolve(i *Installed) (*rules.Set, error) {
	if i == nil {
		return m.theCar().Factory, nil
	}
	a, err := m.archive(i.SHA256)
	if err != nil {
		return nil, err
	}
	car := m.theCar()
	if err := m.o.Unit.fits(a, customOf(a)); err != nil {
		return nil, err
	}
	set, err := car.Load(a.FS(mount(a)), mount(a))
	if err != nil {
		return nil, &RejectedError{WhyRules, i.Revision, fmt.Errorf("its rules do not load: %w", err)}
	}
	return set, nil
}
