// SPDX-License-Identifier: Apache-2.0

package bundle_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundle"
	"github.com/carguardd/carguardd/rules/bundle/archive"
	"github.com/carguardd/carguardd/rules/bundle/proof"
	"github.com/carguardd/carguardd/rules/bundle/repotest"
	"github.com/carguardd/carguardd/rules/bundle/source"
	"github.com/carguardd/carguardd/rules/fields"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// greenhouse is what the unit knows of its car.
var greenhouse = sync.OnceValues(func() (*vehicle.Catalog, error) {
	p, err := vehicle.Load(testdata.FS, testdata.Greenhouse)
	if err != nil {
		return nil, err
	}
	return vehicle.NewCatalog(p), nil
})

func catalog(t testing.TB) *vehicle.Catalog {
	t.Helper()
	cat, err := greenhouse()
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

// pack builds an archive, see [repotest.Pack].
func pack(t testing.TB, revision int, manifest string, change func(fstest.MapFS, *archive.Manifest)) []byte {
	t.Helper()
	return repotest.Pack(t, catalog(t), revision, manifest, change)
}

func good(t testing.TB, revision int) []byte { return pack(t, revision, "", nil) }

// unit is a head unit with its disk.
type unit struct {
	t       testing.TB
	vendor  *repotest.Vendor
	store   bundle.Store
	dir     string
	now     time.Time
	options func(*bundle.Options)

	*bundle.Manager
	mu     sync.Mutex
	events []bundle.Record
	forced []*rules.Set // put in force, in their order
}

// newUnit is a unit whose factory bundle is revision 1, and its vendor.
func newUnit(t testing.TB, options func(*bundle.Options)) *unit {
	t.Helper()
	v := repotest.New(t)
	u := &unit{t: t, vendor: v, store: &memory{}, dir: filepath.Join(t.TempDir(), "bundles"), now: repotest.Start.Add(time.Hour), options: options}
	u.boot()
	return u
}

func (u *unit) car(factory int) bundle.Car {
	u.t.Helper()
	cat := catalog(u.t)
	set, err := rules.Load(repotest.Rules(factory, ""), ".", cat)
	if err != nil {
		u.t.Fatal(err)
	}
	floor, err := proof.LoadFloor(testdata.FS, "profiles/greenhouse", cat)
	if err != nil {
		u.t.Fatal(err)
	}
	return bundle.Car{Factory: set, Catalog: cat, Floor: floor, Load: func(f fs.FS, dir string) (*rules.Set, error) { return rules.Load(f, dir, cat) }}
}

// lastOptions are those that the unit boots with.
func (u *unit) lastOptions() bundle.Options {
	u.t.Helper()
	o := bundle.Options{Car: u.car(1), Store: u.store, Dir: u.dir, Anchor: u.vendor.Root(), Judge: rulestest.Plain{}, Source: source.Parse,
		From: u.vendor.Public(), Now: u.time, GoodTurns: 3, GoodTime: time.Minute, Deadline: time.Minute,
		Unit: bundle.Unit{Daemon: "v1.4.0", Hardware: "hu-2", Catalogue: fields.Digest(catalog(u.t))},
		Event: func(r bundle.Record) {
			u.mu.Lock()
			defer u.mu.Unlock()
			u.events = append(u.events, r)
		}}
	if u.options != nil {
		u.options(&o)
	}
	return o
}

// boot starts the daemon: what ran before just ended, as by a power cut.
func (u *unit) boot() {
	u.t.Helper()
	var err error
	if u.Manager, err = bundle.Open(u.lastOptions()); err != nil {
		u.t.Fatal(err)
	}
	if _, err := u.Start(); err != nil {
		u.t.Fatal(err)
	}
	u.Attach(func(context.Context) error { return nil }, func(s *rules.Set) error {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.forced = append(u.forced, s)
		return nil
	})
}

func (u *unit) install() (bundle.Outcome, error) {
	return u.Install(u.t.Context(), bundle.Request{By: "test", Again: true})
}

// inForce fails the test unless the rules of a revision decide.
func (u *unit) inForce(revision int) {
	u.t.Helper()
	if id := u.Set().Rules[0].ID; id != fmt.Sprintf("door-%d", revision) || u.Status().ActiveRevision != revision {
		u.t.Errorf("rule %s decides and revision %d is told, want %d", id, u.Status().ActiveRevision, revision)
	}
}

// time is the unit's clock.
func (u *unit) time() time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.now
}

// set sets the clock of a unit that runs.
func (u *unit) set(to time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.now = to
}

// archives are the files in the unit's folder.
func (u *unit) archives() (names []string) {
	u.t.Helper()
	entries, err := os.ReadDir(u.dir)
	if err != nil {
		u.t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// rejected fails the test unless an error is a rejection for the reason.
func rejected(t testing.TB, err error, code, want string) {
	t.Helper()
	var r *bundle.RejectedError
	if !errors.As(err, &r) || r.Code != code || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want a rejection by %s: %s", err, code, want)
	}
}

// memory is a store that can fail.
type memory struct {
	mu   sync.Mutex
	m    map[string][]byte
	fail error
}

func (s *memory) Get(key string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.m[key], nil
}

func (s *memory) Put(entries ...bundle.Entry) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return s.fail
	}
	if s.m == nil {
		s.m = map[string][]byte{}
	}
	for _, e := range entries {
		if s.m[e.Key] = e.Value; e.Value == nil {
			delete(s.m, e.Key)
		}
	}
	return nil
}
