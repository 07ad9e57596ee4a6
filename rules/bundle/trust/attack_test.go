// SPDX-License-Identifier: Apache-2.0

package trust_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/theupdateframework/go-tuf/v2/metadata"

	"github.com/carguardd/carguardd/rules/bundle/archive"
	"github.com/carguardd/carguardd/rules/bundle/repotest"
	"github.com/carguardd/carguardd/rules/bundle/source"
	"github.com/carguardd/carguardd/rules/bundle/trust"
)

const day = 24 * time.Hour

// car is a unit that follows a repository.
type car struct {
	t      *testing.T
	anchor []byte
	memory trust.Memory
	now    time.Time
}

// refresh looks at a source and downloads the bundle of a name and revision.
func (c *car) refresh(src trust.Source, want string) error {
	c.t.Helper()
	m, view, err := trust.Refresh(c.t.Context(), src, c.anchor, c.memory, c.now)
	c.memory = m
	if err != nil {
		return err
	}
	for _, target := range view.Targets {
		if target.Path == want {
			_, err := trust.Download(c.t.Context(), src, target, archive.MaxSize)
			return err
		}
	}
	return errors.New("it is not offered: " + want)
}

// start is a vendor with two revisions, and a car that has seen both.
func start(t *testing.T) (*repotest.Vendor, *car) {
	t.Helper()
	v := repotest.New(t)
	c := &car{t: t, anchor: v.Root(), now: repotest.Start.Add(time.Hour)}
	v.Publish(repotest.Text(t, "small", 1))
	v.Publish(repotest.Text(t, "small", 2))
	if err := c.refresh(v.Source(), "small-2.cgb"); err != nil {
		t.Fatal(err)
	}
	return v, c
}

// Every attack ends in a refusal for the reason given, and what the vendor
// publishes next is taken again.
func TestAttacks(t *testing.T) {
	flip := func(b []byte) []byte { b[len(b)/2] ^= 1; return b }
	for _, a := range []struct {
		name, why, want string
		attack          func(t *testing.T, v *repotest.Vendor, c *car) trust.Source
		lost            bool // what follows is not taken: the keys themselves are gone
	}{
		{name: "rollback: the stick holds an older publication", why: trust.BadVersion, attack: func(t *testing.T, v *repotest.Vendor, c *car) trust.Source {
			old := v.Copy()
			v.Publish(repotest.Text(t, "small", 3))
			if err := c.refresh(v.Source(), "small-3.cgb"); err != nil {
				t.Fatal(err)
			}
			return source.NewFolder(old)
		}},
		{name: "one byte of the bundle changed", why: trust.BadContent, attack: func(t *testing.T, v *repotest.Vendor, c *car) trust.Source {
			stick := v.Copy()
			v.Change(filepath.Join(stick, "targets", filepath.Base(v.Target("small", 2))), flip)
			return source.NewFolder(stick)
		}},
		{name: "endless data: the bundle", why: trust.TooLong, attack: func(t *testing.T, v *repotest.Vendor, c *car) trust.Source {
			stick := v.Copy()
			v.Change(filepath.Join(stick, "targets", filepath.Base(v.Target("small", 2))), func(b []byte) []byte { return append(b, make([]byte, 1<<20)...) })
			return source.NewFolder(stick)
		}},
		{name: "endless data: the timestamp", why: trust.TooLong, attack: func(t *testing.T, v *repotest.Vendor, c *car) trust.Source {
			stick := v.Copy()
			v.Change(filepath.Join(stick, "metadata", "timestamp.json"), func(b []byte) []byte { return append(b, bytes.Repeat([]byte(" "), 1<<20)...) })
			return source.NewFolder(stick)
		}},
		{name: "freeze: nothing new for longer than the timestamp holds", why: trust.Expired, attack: func(t *testing.T, v *repotest.Vendor, c *car) trust.Source {
			c.now = c.now.Add(31 * day)
			v.Now = c.now
			return source.NewFolder(v.Copy())
		}},
		{name: "targets edited and not signed again", why: trust.BadContent, attack: func(t *testing.T, v *repotest.Vendor, c *car) trust.Source {
			v.Publish(repotest.Text(t, "small", 3))
			stick := v.Copy()
			v.Change(filepath.Join(stick, "metadata", "4.targets.json"), func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("small-3"), []byte("small-9")) })
			return source.NewFolder(stick)
		}},
		{name: "timestamp edited and not signed again", why: trust.BadSignature, attack: func(t *testing.T, v *repotest.Vendor, c *car) trust.Source {
			stick := v.Copy()
			v.Change(filepath.Join(stick, "metadata", "timestamp.json"), func(b []byte) []byte {
				return bytes.Replace(b, []byte(`"version": 3`), []byte(`"version": 9`), 1)
			})
			return source.NewFolder(stick)
		}},
		{name: "a timestamp without any signature", why: trust.BadSignature, attack: func(t *testing.T, v *repotest.Vendor, c *car) trust.Source {
			stick := v.Copy()
			repotest.Forge(t, filepath.Join(stick, "metadata", "timestamp.json"), func(m *metadata.Metadata[metadata.TimestampType]) { m.Signed.Version++ })
			return source.NewFolder(stick)
		}},
		{name: "mix and match: a new timestamp with an old snapshot", why: trust.BadContent, attack: func(t *testing.T, v *repotest.Vendor, c *car) trust.Source {
			old := v.Copy()
			v.Publish(repotest.Text(t, "small", 3))
			stick := v.Copy()
			data, err := os.ReadFile(filepath.Join(old, "metadata", "3.snapshot.json"))
			if err != nil {
				t.Fatal(err)
			}
			v.Change(filepath.Join(stick, "metadata", "4.snapshot.json"), func([]byte) []byte { return data })
			return source.NewFolder(stick)
		}},
		{name: "a stolen timestamp key signs a snapshot of its own", why: trust.BadSignature, attack: func(t *testing.T, v *repotest.Vendor, c *car) trust.Source {
			stick := v.Copy()
			repotest.Forge(t, filepath.Join(stick, "metadata", "3.snapshot.json"), func(m *metadata.Metadata[metadata.SnapshotType]) {
				m.Signed.Version = 4
			}, v.Key("timestamp-1"))
			data, err := os.ReadFile(filepath.Join(stick, "metadata", "3.snapshot.json"))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(stick, "metadata", "4.snapshot.json"), data, 0o644); err != nil {
				t.Fatal(err)
			}
			repotest.Forge(t, filepath.Join(stick, "metadata", "timestamp.json"), func(m *metadata.Metadata[metadata.TimestampType]) {
				m.Signed.Version = 4
				m.Signed.Meta["snapshot.json"] = &metadata.MetaFiles{Version: 4}
			}, v.Key("timestamp-1"))
			v.Publish() // what the vendor does next has version 4, and 5
			v.Publish()
			return source.NewFolder(stick)
		}},
		{name: "a stolen timestamp key names no snapshot", why: trust.Malformed, attack: func(t *testing.T, v *repotest.Vendor, c *car) trust.Source {
			stick := v.Copy()
			repotest.Forge(t, filepath.Join(stick, "metadata", "timestamp.json"), func(m *metadata.Metadata[metadata.TimestampType]) {
				m.Signed.Version = 4
				m.Signed.Meta = map[string]*metadata.MetaFiles{}
			}, v.Key("timestamp-1"))
			v.Publish()
			return source.NewFolder(stick)
		}},
		{name: "a list with a target of null", why: trust.Malformed, attack: func(t *testing.T, v *repotest.Vendor, c *car) trust.Source {
			v.Publish(repotest.Text(t, "small", 3))
			stick := v.Copy()
			v.Change(filepath.Join(stick, "metadata", "4.targets.json"), func([]byte) []byte { return nullTarget })
			resign(t, stick, v, 4)
			return source.NewFolder(stick)
		}},
		{name: "a root signed by one key of two", why: trust.BadSignature, attack: func(t *testing.T, v *repotest.Vendor, c *car) trust.Source {
			stick := v.Copy()
			data, err := os.ReadFile(v.Public("metadata", "1.root.json"))
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(stick, "metadata", "2.root.json")
			if err := os.WriteFile(file, data, 0o644); err != nil {
				t.Fatal(err)
			}
			repotest.Forge(t, file, func(m *metadata.Metadata[metadata.RootType]) { m.Signed.Version = 2 }, v.Key("root-1"))
			return source.NewFolder(stick)
		}},
		{name: "a root signed twice by the same key", why: trust.Malformed, attack: func(t *testing.T, v *repotest.Vendor, c *car) trust.Source {
			stick := v.Copy()
			data, err := os.ReadFile(v.Public("metadata", "1.root.json"))
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(stick, "metadata", "2.root.json")
			if err := os.WriteFile(file, data, 0o644); err != nil {
				t.Fatal(err)
			}
			repotest.Forge(t, file, func(m *metadata.Metadata[metadata.RootType]) { m.Signed.Version = 2 }, v.Key("root-1"), v.Key("root-1"))
			return source.NewFolder(stick)
		}},
		{name: "the repository of another vendor", why: trust.BadSignature, attack: func(t *testing.T, v *repotest.Vendor, c *car) trust.Source {
			other := repotest.New(t)
			for n := range 5 {
				other.Publish(repotest.Text(t, "small", n+2))
			}
			return other.Source()
		}},
		{name: "an old targets key after a rotation", why: trust.BadSignature, attack: func(t *testing.T, v *repotest.Vendor, c *car) trust.Source {
			if err := v.Rotate("targets"); err != nil {
				t.Fatal(err)
			}
			stick := v.Copy()
			retired, err := filepath.Glob(filepath.Join(v.Dir, "keys", "retired", "targets-1-*.pem"))
			if err != nil || len(retired) != 1 {
				t.Fatal(retired, err)
			}
			file := filepath.Join(stick, "metadata", "4.targets.json")
			repotest.Forge(t, file, func(m *metadata.Metadata[metadata.TargetsType]) {}, retired[0])
			resign(t, stick, v, 4)
			v.Publish()
			return source.NewFolder(stick)
		}},
		{name: "fast-forward: a stolen timestamp key drives its version up", why: trust.BadVersion, lost: true, attack: func(t *testing.T, v *repotest.Vendor, c *car) trust.Source {
			stick := v.Copy()
			repotest.Forge(t, filepath.Join(stick, "metadata", "timestamp.json"), func(m *metadata.Metadata[metadata.TimestampType]) {
				m.Signed.Version = 1 << 40
			}, v.Key("timestamp-1"))
			if err := c.refresh(source.NewFolder(stick), "small-2.cgb"); err != nil {
				t.Fatal(err)
			}
			return v.Source()
		}},
	} {
		t.Run(a.name, func(t *testing.T) {
			v, c := start(t)
			src := a.attack(t, v, c)
			before := c.memory
			var refused *trust.RefusedError
			err := c.refresh(src, "small-2.cgb")
			if !errors.As(err, &refused) || refused.Why != a.why {
				t.Fatalf("%v, want a refusal by %s", err, a.why)
			}
			notLess(t, before, c.memory)
			if a.lost {
				return
			}
			c.now = c.now.Add(time.Hour)
			v.Reopen()
			v.Publish(repotest.Text(t, "small", 8))
			if err := c.refresh(v.Source(), "small-8.cgb"); err != nil {
				t.Errorf("the next publication: %v", err)
			}
		})
	}
}

// nullTarget is a list that go-tuf cannot read without a panic.
var nullTarget = []byte(`{"signed": {"_type": "targets", "spec_version": "1.0.31", "version": 4, "expires": "2030-01-01T00:00:00Z", "targets": {"x": null}}, "signatures": []}`)

// notLess fails the test when less is trusted than before.
func notLess(t *testing.T, before, now trust.Memory) {
	t.Helper()
	b, n := before.Highest, now.Highest
	if n.Root < b.Root || n.Timestamp < b.Timestamp || n.Snapshot < b.Snapshot || n.Targets < b.Targets || n.Keys != b.Keys {
		t.Errorf("highest versions: %+v, and before %+v", n, b)
	}
	if now.GoodTime.Before(before.GoodTime) || now.Anchor != before.Anchor {
		t.Errorf("good time %v, anchor %q; before %v, %q", now.GoodTime, now.Anchor, before.GoodTime, before.Anchor)
	}
	if r := rootVersion(t, now); r < rootVersion(t, before) {
		t.Errorf("root %d, and before %d", r, rootVersion(t, before))
	}
}

func rootVersion(t *testing.T, m trust.Memory) int64 {
	t.Helper()
	if m.Root == nil {
		return 0
	}
	root, err := metadata.Root().FromBytes(m.Root)
	if err != nil {
		t.Fatal(err)
	}
	return root.Signed.Version
}

// resign makes snapshot and timestamp fit a list that was written by hand.
func resign(t *testing.T, stick string, v *repotest.Vendor, targets int64) {
	t.Helper()
	repotest.Forge(t, filepath.Join(stick, "metadata", "4.snapshot.json"), func(m *metadata.Metadata[metadata.SnapshotType]) {
		m.Signed.Meta["targets.json"] = &metadata.MetaFiles{Version: targets}
	}, v.Key("snapshot-1"))
	repotest.Forge(t, filepath.Join(stick, "metadata", "timestamp.json"), func(m *metadata.Metadata[metadata.TimestampType]) {
		m.Signed.Meta["snapshot.json"] = &metadata.MetaFiles{Version: 4}
	}, v.Key("timestamp-1"))
}

// Faults that are no attack: the file that is missing is named, and what is
// believed does not change.
func TestMissing(t *testing.T) {
	for _, name := range []string{"metadata/timestamp.json", "metadata/4.snapshot.json", "metadata/4.targets.json", "targets"} {
		v, c := start(t)
		v.Publish(repotest.Text(t, "small", 3))
		stick := v.Copy()
		if err := os.RemoveAll(filepath.Join(stick, name)); err != nil {
			t.Fatal(err)
		}
		err := c.refresh(source.NewFolder(stick), "small-3.cgb")
		var refused *trust.RefusedError
		if !errors.Is(err, trust.ErrNotFound) || errors.As(err, &refused) {
			t.Errorf("without %s: %v", name, err)
		}
		if err := c.refresh(v.Source(), "small-3.cgb"); err != nil {
			t.Errorf("and when it is there again: %v", err)
		}
	}
	_, c := start(t)
	if err := c.refresh(source.NewFolder(t.TempDir()), "x"); !errors.Is(err, trust.ErrNotFound) || !strings.Contains(err.Error(), "timestamp") {
		t.Errorf("an empty stick: %v", err)
	}
}

// A stick with a link on it is refused.
func TestLink(t *testing.T) {
	v, c := start(t)
	stick := v.Copy()
	at := filepath.Join(stick, "metadata", "timestamp.json")
	if err := errors.Join(os.Remove(at), os.Symlink("/etc/passwd", at)); err != nil {
		t.Fatal(err)
	}
	if err := c.refresh(source.NewFolder(stick), "small-2.cgb"); err == nil || !strings.Contains(err.Error(), "only plain files") {
		t.Errorf("%v", err)
	}
}

// The vendor gets out of a fast-forward attack with new keys for timestamp and
// snapshot, and out of any other with a rotation of the role.
func TestRecovery(t *testing.T) {
	v, c := start(t)
	stick := v.Copy()
	repotest.Forge(t, filepath.Join(stick, "metadata", "timestamp.json"), func(m *metadata.Metadata[metadata.TimestampType]) {
		m.Signed.Version = 1 << 40
	}, v.Key("timestamp-1"))
	if err := c.refresh(source.NewFolder(stick), "small-2.cgb"); err != nil {
		t.Fatal(err)
	}
	if err := v.Rotate("timestamp"); err != nil {
		t.Fatal(err)
	}
	if err := c.refresh(v.Source(), "small-2.cgb"); err != nil {
		t.Errorf("after new keys: %v", err)
	}
	for _, role := range []string{"root", "targets", "snapshot", "root"} {
		if err := v.Rotate(role); err != nil {
			t.Fatal(err)
		}
	}
	v.Publish(repotest.Text(t, "small", 5))
	if err := c.refresh(v.Source(), "small-5.cgb"); err != nil {
		t.Errorf("after five roots: %v", err)
	}
	if c.memory.Highest.Root != 6 {
		t.Errorf("root %d is remembered, want 6", c.memory.Highest.Root)
	}
	// A car from the factory walks the whole way.
	fresh := &car{t: t, anchor: c.anchor, now: c.now}
	if err := fresh.refresh(v.Source(), "small-5.cgb"); err != nil {
		t.Errorf("from the first root: %v", err)
	}
}
