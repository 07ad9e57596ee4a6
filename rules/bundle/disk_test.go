// SPDX-License-Identifier: Apache-2.0

package bundle_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/carguardd/carguardd/rules/bundle"
)

func TestDiskFull(t *testing.T) {
	full := &os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}
	for _, moment := range []string{"before trust", "before checked", "before file", "before downloaded", "before verified", "before tested", "before staged", "before active"} {
		t.Run(moment, func(t *testing.T) {
			t.Parallel()
			store := &memory{}
			hit := false
			u := newUnit(t, nil)
			u.store = store
			u.options = func(o *bundle.Options) {
				o.At = func(at string) {
					if at == moment && !hit {
						hit, store.fail = true, full
					}
				}
				o.Write = func(name string, data []byte) error {
					if store.fail != nil {
						return store.fail
					}
					return bundle.WriteFile(name, data)
				}
			}
			u.boot()
			u.vendor.Publish(good(t, 2))
			if _, err := u.install(); !errors.Is(err, syscall.ENOSPC) || !hit {
				t.Fatalf("hit %v: %v", hit, err)
			}
			u.inForce(1)
			store.fail = nil
			if out, err := u.install(); err != nil || out.Stage != bundle.Active || out.Revision != 2 {
				t.Errorf("with room again: %+v, %v", out, err)
			}
			u.inForce(2)
			u.boot()
			u.inForce(2)
		})
	}
}

func TestReadOnly(t *testing.T) {
	store := &memory{}
	u := newUnit(t, nil)
	u.store = store
	u.boot()
	u.vendor.Publish(good(t, 2))
	if _, err := u.install(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := errors.Join(u.Turn(false), u.Lasted(time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	store.fail = syscall.EROFS
	u.boot()
	u.inForce(2)
	u.vendor.Publish(good(t, 3))
	if _, err := u.install(); !errors.Is(err, syscall.EROFS) {
		t.Errorf("%v", err)
	}
	if err := u.RollBack("test"); !errors.Is(err, syscall.EROFS) {
		t.Errorf("%v", err)
	}
	u.inForce(2)
	store.fail = nil
	if _, err := u.install(); err != nil {
		t.Fatal(err)
	}
	u.inForce(3)
	store.fail = syscall.EROFS
	m, err := bundle.Open(u.lastOptions())
	if err != nil {
		t.Fatal(err)
	}
	if set, err := m.Start(); !errors.Is(err, syscall.EROFS) || set.Rules[0].ID != "door-2" {
		t.Errorf("%s, %v", set.Rules[0].ID, err)
	}
}

func TestReadOnlyBelowTheFactory(t *testing.T) {
	for _, c := range []struct {
		name    string
		last    int  // revision that was installed last, from 2 on
		good    bool // it has passed its probation
		factory int
	}{
		{"a good one below", 2, true, 5},
		{"one on probation below", 2, false, 5},
		{"both below", 3, false, 5},
		{"the one before below", 3, false, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := &memory{}
			u := newUnit(t, nil)
			u.store = store
			u.boot()
			for n := 2; n <= c.last; n++ {
				u.vendor.Publish(good(t, n))
				if _, err := u.install(); err != nil {
					t.Fatal(err)
				}
			}
			for range 3 {
				if !c.good {
					break
				}
				if err := errors.Join(u.Turn(false), u.Lasted(time.Minute)); err != nil {
					t.Fatal(err)
				}
			}
			store.fail = syscall.EROFS
			u.options = func(o *bundle.Options) { o.Car = u.car(c.factory) }
			o := u.lastOptions()
			m, err := bundle.Open(o)
			if err != nil {
				t.Fatal(err)
			}
			set, err := m.Start()
			if !errors.Is(err, syscall.EROFS) || set != o.Factory || m.Set() != set {
				t.Errorf("%s decides, %v", set.Rules[0].ID, err)
			}
			if s := m.Status(); s.ActiveRevision != c.factory || c.factory > c.last && (s.Stage != "factory" || s.Probation != nil) {
				t.Errorf("%+v", s)
			}
		})
	}
}

func TestNoFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	u := newUnit(t, func(o *bundle.Options) { o.Dir = filepath.Join(file, "bundles") })
	u.vendor.Publish(good(t, 2))
	if _, err := u.install(); err == nil || !strings.Contains(err.Error(), "write the bundle") {
		t.Errorf("%v", err)
	}
	u.inForce(1)
}

func TestDamagedArchive(t *testing.T) {
	for name, damage := range map[string]func(file string) error{
		"flipped": func(file string) error {
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			data[700] ^= 1
			return errors.Join(os.Remove(file), os.WriteFile(file, data, 0o444))
		},
		"empty":        func(file string) error { return os.Truncate(file, 0) },
		"gone":         os.Remove,
		"a read error": func(file string) error { return errors.Join(os.Remove(file), os.Mkdir(file, 0o755)) },
	} {
		t.Run(name, func(t *testing.T) {
			u := newUnit(t, nil)
			for n := 2; n <= 3; n++ {
				u.vendor.Publish(good(t, n))
				if _, err := u.install(); err != nil {
					t.Fatal(err)
				}
			}
			at := func() string { return filepath.Join(u.dir, u.Status().SHA256+".cgb") }
			lost := u.Status().SHA256
			if err := damage(at()); err != nil {
				t.Fatal(err)
			}
			u.boot()
			u.inForce(2)
			if err := damage(at()); err != nil {
				t.Fatal(err)
			}
			u.boot()
			u.inForce(1)
			if s := u.Status(); len(s.Refused) != 0 || s.Highest != 3 {
				t.Errorf("%+v", s)
			}
			kept, err := u.store.Get("bundle/state")
			if err != nil || !strings.Contains(string(kept), lost) {
				t.Fatalf("%s is not kept as lost: %s, %v", lost, kept, err)
			}
			other := strings.ReplaceAll(string(kept), lost, strings.Repeat("0", 64))
			if err := u.store.Put(bundle.Entry{Key: "bundle/state", Value: []byte(other)}); err != nil {
				t.Fatal(err)
			}
			u.boot()
			if out, err := u.install(); err != nil || out.Stage != "" {
				t.Errorf("other bytes of that revision: %+v, %v", out, err)
			}
			if err := u.store.Put(bundle.Entry{Key: "bundle/state", Value: kept}); err != nil {
				t.Fatal(err)
			}
			u.boot()
			out, err := u.Install(t.Context(), bundle.Request{By: "poll"})
			if err != nil || out.Stage != bundle.Active || out.SHA256 != lost {
				t.Fatalf("the same bytes: %+v, %v", out, err)
			}
			u.inForce(3)
			u.boot()
			u.inForce(3)
			// It is lost no more: one that is rolled back stays away.
			if err := u.RollBack("test"); err != nil {
				t.Fatal(err)
			}
			if out, err := u.install(); err != nil || out.Stage != "" {
				t.Errorf("after a rollback: %+v, %v", out, err)
			}
		})
	}
}

func TestDamagedArchiveReadOnly(t *testing.T) {
	store := &memory{}
	u := newUnit(t, nil)
	u.store = store
	u.boot()
	for n := 2; n <= 3; n++ {
		u.vendor.Publish(good(t, n))
		if _, err := u.install(); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if err := errors.Join(u.Turn(false), u.Lasted(time.Minute)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Remove(filepath.Join(u.dir, u.Status().SHA256+".cgb")); err != nil {
		t.Fatal(err)
	}
	store.fail = syscall.EROFS
	m, err := bundle.Open(u.lastOptions())
	if err != nil {
		t.Fatal(err)
	}
	if set, err := m.Start(); !errors.Is(err, syscall.EROFS) || set.Rules[0].ID != "door-2" {
		t.Errorf("%s decides, %v", set.Rules[0].ID, err)
	}
}
