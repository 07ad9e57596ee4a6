// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundle/proof"
	"github.com/carguardd/carguardd/vehicle"
)

// prove plays the tests of an archive and the floor.
func (m *Manager) prove(ctx context.Context, load func(cat *vehicle.Catalog) (*rules.Set, error)) (proof.Report, error) {
	car := m.theCar()
	set, err := load(car.Catalog)
	if err != nil {
		return proof.Report{}, err
	}
	ctx, end := m.inTime(ctx)
	defer end()
	return proof.Run(ctx, set, car.Catalog, m.o.Judge, car.Floor)
}

// inTime bounds how long tests may take.
func (m *Manager) inTime(ctx context.Context) (context.Context, context.CancelFunc) {
	if m.o.Deadline <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, m.o.Deadline)
}

// standard names what a bundle is proven with here: the daemon, whose harness
// plays the tests, and the car's floor. Both come with the daemon's package, and
// a newer one may ask for more.
func (m *Manager) standard() (string, error) {
	floor, err := json.Marshal(m.theCar().Floor)
	if err != nil {
		return "", fmt.Errorf("name the floor: %w", err)
	}
	return fmt.Sprintf("%s %x", m.o.Unit.Daemon, sha256.Sum256(floor)), nil
}

// sound resolves an installed bundle, and plays the floor first where it was
// proven with another one, or by another daemon. What it is proven with then is
// written into i, for whoever keeps it.
func (m *Manager) sound(i *Installed) (*rules.Set, error) {
	set, err := m.resolve(i)
	if err != nil || i == nil {
		return set, err
	}
	standard, err := m.standard()
	if err != nil {
		return nil, err
	}
	if i.Proven != standard {
		if err := m.keepsToFloor(i); err != nil {
			return nil, classify(err, i.Revision)
		}
		i.Proven = standard
	}
	return set, nil
}

func (m *Manager) keepsToFloor(i *Installed) error {
	a, err := m.archive(i.SHA256)
	if err != nil {
		return err
	}
	car := m.theCar()
	set, err := rules.Load(a.FS(mount(a)), mount(a), car.Catalog)
	if err != nil {
		return &RejectedError{WhyRules, i.Revision, fmt.Errorf("its rules do not load: %w", err)}
	}
	ctx, end := m.inTime(context.Background())
	defer end()
	return proof.Floor(ctx, set, car.Catalog, m.o.Judge, car.Floor)
}

// keepProof keeps what the active bundle of a state was proven with, if that has
// changed.
func (m *Manager) keepProof(st state) error {
	if was := m.current().Active; was == nil || was.Proven == st.Active.Proven {
		return nil
	}
	return m.commit(st)
}
