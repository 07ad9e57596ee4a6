// SPDX-License-Identifier: Apache-2.0

package trust_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/theupdateframework/go-tuf/v2/metadata"

	"github.com/carguardd/carguardd/rules/bundle/repotest"
	"github.com/carguardd/carguardd/rules/bundle/source"
	"github.com/carguardd/carguardd/rules/bundle/trust"
)

// A document with a hole in it, signed by a key that was stolen, is not
// remembered: it would break every later walk. So it is on a unit that has seen
// the repository, and on a new one.
func TestHoles(t *testing.T) {
	timestamp := func(meta map[string]*metadata.MetaFiles) func(*testing.T, *repotest.Vendor, string) {
		return func(t *testing.T, v *repotest.Vendor, stick string) {
			repotest.Forge(t, filepath.Join(stick, "metadata", "timestamp.json"), func(m *metadata.Metadata[metadata.TimestampType]) {
				m.Signed.Meta = meta
			}, v.Key("timestamp-1"))
		}
	}
	snapshot := func(meta map[string]*metadata.MetaFiles) func(*testing.T, *repotest.Vendor, string) {
		return func(t *testing.T, v *repotest.Vendor, stick string) {
			repotest.Forge(t, filepath.Join(stick, "metadata", "4.snapshot.json"), func(m *metadata.Metadata[metadata.SnapshotType]) {
				m.Signed.Meta = meta
			}, v.Key("snapshot-1"))
			timestamp(map[string]*metadata.MetaFiles{"snapshot.json": {Version: 4}})(t, v, stick)
		}
	}
	for _, c := range []struct {
		name  string
		forge func(*testing.T, *repotest.Vendor, string)
	}{
		{"a timestamp without a snapshot", timestamp(map[string]*metadata.MetaFiles{})},
		{"a timestamp with a snapshot of null", timestamp(map[string]*metadata.MetaFiles{"snapshot.json": nil})},
		{"a snapshot without targets", snapshot(map[string]*metadata.MetaFiles{})},
		{"a snapshot with targets of null", snapshot(map[string]*metadata.MetaFiles{"targets.json": nil})},
		{"a snapshot with another of null", snapshot(map[string]*metadata.MetaFiles{"targets.json": {Version: 4}, "other.json": nil})},
	} {
		for _, fresh := range []bool{false, true} {
			v, car := start(t)
			if fresh {
				car.memory = trust.Memory{}
			}
			v.Publish(repotest.Text(t, "small", 3))
			stick := v.Copy()
			c.forge(t, v, stick)
			before := car.memory
			var refused *trust.RefusedError
			if err := car.refresh(source.NewFolder(stick), "small-3.cgb"); !errors.As(err, &refused) || refused.Why != trust.Malformed {
				t.Errorf("%s, fresh %v: %v", c.name, fresh, err)
			}
			if !fresh {
				notLess(t, before, car.memory)
			}
			v.Publish(repotest.Text(t, "small", 4))
			if err := car.refresh(v.Source(), "small-4.cgb"); err != nil {
				t.Errorf("%s, fresh %v: the next publication: %v", c.name, fresh, err)
			}
		}
	}
}

// What stands in memory may be anything, too: a disk can be damaged, and what
// go-tuf cannot read without a panic is forgotten.
func TestMemoryThatPanics(t *testing.T) {
	v, c := start(t)
	c.memory.Targets = nullTarget
	v.Publish(repotest.Text(t, "small", 3))
	stick := v.Copy()
	resign(t, stick, v, 4) // no hash speaks against what is remembered
	if err := c.refresh(source.NewFolder(stick), "small-3.cgb"); err != nil {
		t.Error(err)
	}
}

// brittle panics when the list of bundles is asked for.
type brittle struct{ trust.Source }

func (b brittle) Fetch(ctx context.Context, name string, most int64) ([]byte, error) {
	if name == "metadata/4.targets.json" {
		panic("out of order")
	}
	return b.Source.Fetch(ctx, name, most)
}

// Whatever panics in a walk, what was verified until then is kept.
func TestPanicKeepsMemory(t *testing.T) {
	v, c := start(t)
	v.Publish(repotest.Text(t, "small", 3))
	c.now = c.now.Add(time.Minute)
	before := c.memory
	var refused *trust.RefusedError
	if err := c.refresh(brittle{v.Source()}, "small-3.cgb"); !errors.As(err, &refused) || refused.Why != trust.Malformed {
		t.Errorf("%v", err)
	}
	notLess(t, before, c.memory)
	if h := c.memory.Highest; h.Snapshot != 4 || h.Targets != 3 {
		t.Errorf("%+v, want what was verified of the newer publication and no more", h)
	}
	if err := c.refresh(v.Source(), "small-3.cgb"); err != nil {
		t.Errorf("and when it is in order again: %v", err)
	}
}
