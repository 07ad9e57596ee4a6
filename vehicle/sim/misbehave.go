// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"slices"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/vehicle"
)

// Inject makes the car misbehave from now on. A fault takes the place of one
// of the same target that it contradicts.
func (b *Bench) Inject(f Fault) error {
	link := f.Kind == FaultBusOff || f.Kind == FaultBusDown
	if link && b.cfg.SetLink == nil {
		return errors.New("inject " + f.String() + ": this bench cannot change the link of its buses")
	}
	b.mu.Lock()
	b.faults = slices.DeleteFunc(b.faults, f.same)
	b.faults = append(b.faults, f)
	b.moveFaults()
	b.mu.Unlock()
	switch f.Kind {
	case FaultBusOff:
		b.cfg.SetLink(f.Target, canbus.Link{State: canbus.LinkBusOff, Cause: "bus-off"})
	case FaultBusDown:
		b.cfg.SetLink(f.Target, canbus.Link{State: canbus.LinkDown, Cause: "cable cut"})
	}
	return nil
}

// InjectText injects a fault given as text; see [Bench.ParseFault].
func (b *Bench) InjectText(text string) error {
	f, err := b.ParseFault(text)
	if err != nil {
		return err
	}
	return b.Inject(f)
}

// Repair ends the faults of a target, or all without one.
func (b *Bench) Repair(target string) {
	b.mu.Lock()
	var ended []Fault
	b.faults = slices.DeleteFunc(b.faults, func(f Fault) bool {
		if target != "" && f.Target != target {
			return false
		}
		ended = append(ended, f)
		return true
	})
	b.moveFaults()
	b.mu.Unlock()
	for _, f := range ended {
		if f.Kind == FaultBusOff || f.Kind == FaultBusDown {
			b.cfg.SetLink(f.Target, canbus.Link{State: canbus.LinkUp})
		}
	}
}

// Faults returns what is wrong at present.
func (b *Bench) Faults() []Fault {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.faults)
}

// moveFaults gives the plant the faults that concern it. b.mu is held.
func (b *Bench) moveFaults() {
	clear(b.plant.faults)
	for _, f := range b.faults {
		switch f.Kind {
		case FaultBlocked, FaultReversed, FaultRefused, FaultDelayed:
			if s := b.Car.Profile.Signal(f.Target); s != nil {
				b.plant.faults[s.ID] = f
			}
		}
	}
}

// fault returns the fault of the kind that befalls one of the targets.
func (b *Bench) fault(kind FaultKind, targets ...string) (Fault, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range b.faults {
		if f.Kind == kind && slices.Contains(targets, f.Target) {
			return f, true
		}
	}
	return Fault{}, false
}

// told is what the status of a signal says: the truth, or what a fault makes
// of it.
func (b *Bench) told(s *vehicle.Signal) vehicle.Value {
	if f, ok := b.fault(FaultWrong, s.Name); ok {
		return f.Value
	}
	return b.Car.signal(s.ID)
}
