// SPDX-License-Identifier: Apache-2.0

package bundles

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/carguardd/carguardd/harness/store"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundle"
	"github.com/carguardd/carguardd/rules/bundle/proof"
	"github.com/carguardd/carguardd/rules/bundle/repotest"
	"github.com/carguardd/carguardd/rules/bundle/source"
	"github.com/carguardd/carguardd/rules/fields"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// The process under test is this program again, told by its environment what
// to do and at which moment to end.
const (
	envDo   = "CARGUARD_BUNDLE_KILL" // install or rollback
	envDir  = "CARGUARD_BUNDLE_DIR"
	envFrom = "CARGUARD_BUNDLE_FROM"
	envAt   = "CARGUARD_BUNDLE_AT" // number of the moment
)

func TestMain(m *testing.M) {
	if os.Getenv(envDo) != "" {
		if err := victim(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// victim does what it is told and kills itself, as hard as can be, at a moment.
func victim() error {
	last, err := strconv.Atoi(os.Getenv(envAt))
	if err != nil {
		return err
	}
	count := 0
	at := func(moment string) {
		if count++; count == last {
			fmt.Println(moment)
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL) // nobody is left to be told
			select {}
		}
	}
	u, err := startUnit(os.Getenv(envDir), os.Getenv(envFrom), at)
	if err != nil {
		return err
	}
	defer u.store.Close()
	if os.Getenv(envDo) == "rollback" {
		return u.RollBack("test")
	}
	_, err = u.Install(context.Background(), bundle.Request{By: "test"})
	return err
}

// headUnit is a unit on a real store.
type headUnit struct {
	*bundle.Manager
	store store.Store
	set   *rules.Set
}

// startUnit starts a unit whose factory bundle is revision 1.
func startUnit(dir, from string, at func(string)) (*headUnit, error) {
	u, err := startUnitOn(dir, from, at, store.Options{})
	if err != nil && u != nil {
		err = errors.Join(err, u.store.Close())
	}
	return u, err
}

// startUnitOn starts a unit on a store opened in some way. With an error of the
// start there is a unit all the same.
func startUnitOn(dir, from string, at func(string), o store.Options) (*headUnit, error) {
	p, err := vehicle.Load(testdata.FS, testdata.Greenhouse)
	if err != nil {
		return nil, err
	}
	cat := vehicle.NewCatalog(p)
	factory, err := rules.Load(repotest.Rules(1, ""), ".", cat)
	if err != nil {
		return nil, err
	}
	floor, err := proof.LoadFloor(testdata.FS, path.Dir(testdata.Greenhouse), cat)
	if err != nil {
		return nil, err
	}
	anchor, err := os.ReadFile(filepath.Join(from, "metadata", "1.root.json"))
	if err != nil {
		return nil, err
	}
	s, err := store.Open(filepath.Join(dir, "state"), o)
	if err != nil {
		return nil, err
	}
	u := &headUnit{store: s}
	u.Manager, err = bundle.Open(bundle.Options{
		Car:   bundle.Car{Factory: factory, Catalog: cat, Floor: floor, Load: func(f fs.FS, d string) (*rules.Set, error) { return rules.Load(f, d, cat) }},
		Store: kept{s}, Dir: filepath.Join(dir, "bundles"), Anchor: anchor, Judge: rulestest.Plain{}, Source: source.Parse, From: from,
		Unit: bundle.Unit{Daemon: "1.0.0", Catalogue: fields.Digest(cat)}, Now: func() time.Time { return repotest.Start.Add(time.Hour) }, At: at,
	})
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	u.set, err = u.Start()
	u.Attach(func(context.Context) error { return nil }, func(*rules.Set) error { return nil })
	return u, err
}

// kill runs a victim that dies at its n-th moment, and says which that was; it
// reports false when the victim came to its end.
func kill(t *testing.T, do, dir, from string, n int) (moment string, killed bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envDo+"="+do, envDir+"="+dir, envFrom+"="+from, envAt+"="+strconv.Itoa(n))
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL {
		return strings.TrimSpace(string(out)), true
	}
	if err != nil {
		t.Fatalf("the victim of moment %d failed by itself: %v\n%s", n, err, exit.Stderr)
	}
	return "", false
}

// A process that is killed at any moment of an install leaves the old bundle or
// the new one in force, whole, and the next install brings the new one.
func TestKilledInstall(t *testing.T) {
	v := repotest.New(t)
	p, err := vehicle.Load(testdata.FS, testdata.Greenhouse)
	if err != nil {
		t.Fatal(err)
	}
	v.Publish(repotest.Pack(t, vehicle.NewCatalog(p), 2, "", nil))
	var moments, old, newer []string
	for n := 1; ; n++ {
		dir := t.TempDir()
		moment, killed := kill(t, "install", dir, v.Public(), n)
		if !killed {
			break
		}
		moments = append(moments, moment)
		u, err := startUnit(dir, v.Public(), nil)
		if err != nil {
			t.Fatalf("killed %s: %v", moment, err)
		}
		switch id := u.set.Rules[0].ID; id {
		case "door-1":
			old = append(old, moment)
		case "door-2":
			newer = append(newer, moment)
		default:
			t.Errorf("killed %s: rule %s decides", moment, id)
		}
		if _, err := u.Install(t.Context(), bundle.Request{By: "test"}); err != nil {
			t.Errorf("killed %s, and the next install: %v", moment, err)
		}
		if s := u.Status(); s.ActiveRevision != 2 || u.Set().Rules[0].ID != "door-2" || s.Candidate != nil {
			t.Errorf("killed %s: %+v", moment, s)
		}
		left, err := os.ReadDir(filepath.Join(dir, "bundles"))
		if err != nil || len(left) != 1 {
			t.Errorf("killed %s: archives %v, %v", moment, left, err)
		}
		if err := u.store.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, stage := range []string{"trust", "checked", "file", "downloaded", "verified", "tested", "staged", "active"} {
		for _, when := range []string{"before ", "after "} {
			if !slices.Contains(moments, when+stage) {
				t.Errorf("nothing was killed %s%s", when, stage)
			}
		}
	}
	if len(old) == 0 || len(newer) == 0 {
		t.Errorf("the old bundle after %v, the new one after %v", old, newer)
	}
	t.Logf("old: %v; new: %v", old, newer)
}

// So does one that is killed at any moment of a rollback.
func TestKilledRollback(t *testing.T) {
	v := repotest.New(t)
	p, err := vehicle.Load(testdata.FS, testdata.Greenhouse)
	if err != nil {
		t.Fatal(err)
	}
	v.Publish(repotest.Pack(t, vehicle.NewCatalog(p), 2, "", nil))
	seen := map[int]bool{}
	moments := 0
	for n := 1; ; n++ {
		dir := t.TempDir()
		if _, killed := kill(t, "install", dir, v.Public(), 0); killed {
			t.Fatal("killed at no moment")
		}
		moment, killed := kill(t, "rollback", dir, v.Public(), n)
		if !killed {
			break
		}
		moments++
		u, err := startUnit(dir, v.Public(), nil)
		if err != nil {
			t.Fatalf("killed %s: %v", moment, err)
		}
		revision := u.Status().ActiveRevision
		if seen[revision] = true; u.set.Rules[0].ID != fmt.Sprintf("door-%d", revision) {
			t.Errorf("killed %s: revision %d is told, and rule %s decides", moment, revision, u.set.Rules[0].ID)
		}
		if err := u.store.Close(); err != nil {
			t.Error(err)
		}
	}
	if moments < 2 || !seen[1] || !seen[2] {
		t.Errorf("%d moments, revisions %v", moments, seen)
	}
}

// On a disk that can only be read a good bundle decides, and one on probation
// does not: nobody could count its starts. Nothing is taken up.
func TestReadOnlyDisk(t *testing.T) {
	v := repotest.New(t)
	p, err := vehicle.Load(testdata.FS, testdata.Greenhouse)
	if err != nil {
		t.Fatal(err)
	}
	cat := vehicle.NewCatalog(p)
	dir := t.TempDir()
	install := func(revision int) {
		t.Helper()
		v.Publish(repotest.Pack(t, cat, revision, "", nil))
		u, err := startUnit(dir, v.Public(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := u.Install(t.Context(), bundle.Request{}); err != nil {
			t.Fatal(err)
		}
		if revision == 2 {
			if err := u.Turn(false); err != nil { // which is enough here
				t.Fatal(err)
			}
		}
		if err := u.store.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		revision int
		counted  bool
	}{{2, true}, {3, false}} {
		install(c.revision)
		u, err := startUnitOn(dir, v.Public(), nil, store.Options{ReadOnly: true})
		if u == nil || c.counted != (err == nil) || !c.counted && !errors.Is(err, store.ErrReadOnly) {
			t.Fatalf("revision %d: %v", c.revision, err)
		}
		if u.set.Rules[0].ID != "door-2" {
			t.Errorf("revision %d: rule %s decides", c.revision, u.set.Rules[0].ID)
		}
		if _, err := u.Install(t.Context(), bundle.Request{}); !errors.Is(err, store.ErrReadOnly) {
			t.Errorf("an install: %v", err)
		}
		if err := u.store.Close(); err != nil {
			t.Error(err)
		}
	}
}
