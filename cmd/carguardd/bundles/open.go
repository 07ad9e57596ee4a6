// SPDX-License-Identifier: Apache-2.0

package bundles

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/harness/judge"
	"github.com/carguardd/carguardd/harness/store"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundle"
	"github.com/carguardd/carguardd/rules/bundle/proof"
	"github.com/carguardd/carguardd/rules/bundle/source"
	"github.com/carguardd/carguardd/rules/fields"
	"github.com/carguardd/carguardd/systemd"
	"github.com/carguardd/carguardd/vehicle"
)

// Parts are what a manager is built from.
type Parts struct {
	Config   config.Bundles
	Store    store.Store
	StateDir string // archives lie in bundles/ below it
	Version  string // of the daemon
	Now      func() time.Time
	Log      zerolog.Logger
}

// Car is a car as its files say it.
type Car struct {
	Factory *rules.Set
	Profile *vehicle.Profile
	Offered *vehicle.Catalog // with the services that there are
	Files   fs.FS            // of the profile
	Dir     string           // of the profile in Files
}

// resolve is the car as bundles are judged with it.
func (c Car) resolve() (bundle.Car, error) {
	full := vehicle.NewCatalog(c.Profile)
	floor, err := proof.LoadFloor(c.Files, c.Dir, full)
	return bundle.Car{Factory: c.Factory, Catalog: full, Floor: floor, Load: func(f fs.FS, dir string) (*rules.Set, error) {
		return rules.Load(f, dir, c.Offered)
	}}, err
}

// Open builds the manager. A floor that cannot be read is an error of the
// configuration, [vehicle.Problems].
func Open(p Parts, c Car) (*bundle.Manager, error) {
	car, err := c.resolve()
	if err != nil {
		return nil, err
	}
	o := bundle.Options{Car: car, Store: kept{p.Store}, Dir: filepath.Join(p.StateDir, "bundles"), Judge: judge.Judge{}, Source: source.Parse,
		From: p.Config.Source, Now: p.Now, Built: built(), Deadline: p.Config.TestDeadline, GoodTurns: p.Config.GoodTurns, GoodTime: p.Config.GoodTime,
		Unit:  bundle.Unit{Daemon: p.Version, Hardware: p.Config.Hardware, Catalogue: fields.Digest(car.Catalog)},
		Event: func(r bundle.Record) { logRecord(p.Log, r) }}
	if p.Config.Root != "" {
		if o.Anchor, err = os.ReadFile(p.Config.Root); err != nil {
			return nil, fmt.Errorf("bundles.root: %w", err)
		}
	}
	return bundle.Open(o)
}

// Rebase takes a car up that was read again, and returns the rules in force.
func Rebase(m *bundle.Manager, c Car) (*rules.Set, error) {
	car, err := c.resolve()
	if err != nil {
		return nil, err
	}
	return m.Rebase(car)
}

func logRecord(log zerolog.Logger, r bundle.Record) {
	level, event := zerolog.InfoLevel, systemd.EventRules
	if r.Code != "" || r.To == string(bundle.RolledBack) {
		level, event = zerolog.WarnLevel, systemd.EventRulesKept
	}
	e := log.WithLevel(level).Str(systemd.EventField, event).Str("bundle", r.Name).Int("revision", r.Revision).Str("by", r.By)
	if r.Reason != "" {
		e = e.Str("reason", r.Reason)
	}
	e.Msg("bundle " + r.To)
}

// built is when the program's source was committed: no clock says less and is
// right.
func built() time.Time {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return time.Time{}
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.time" {
			t, err := time.Parse(time.RFC3339, s.Value)
			if err == nil {
				return t
			}
		}
	}
	return time.Time{}
}
