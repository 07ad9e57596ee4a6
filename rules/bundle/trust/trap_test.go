// SPDX-License-Identifier: Apache-2.0

package trust_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/theupdateframework/go-tuf/v2/metadata"

	"github.com/carguardd/carguardd/rules/bundle/repotest"
	"github.com/carguardd/carguardd/rules/bundle/source"
	"github.com/carguardd/carguardd/rules/bundle/trust"
)

// What a power cut left half written is forgotten and fetched again, and that
// opens no rollback.
func TestHalfWrittenMemory(t *testing.T) {
	for _, file := range []string{"root", "timestamp", "snapshot", "targets"} {
		for name, damage := range map[string]func([]byte) []byte{
			"empty": func([]byte) []byte { return []byte{} },
			"half":  func(b []byte) []byte { return b[:len(b)/2] },
			"text":  func([]byte) []byte { return []byte("no json") },
			"null":  func([]byte) []byte { return []byte("null") },
		} {
			v, c := start(t)
			old := v.Copy()
			v.Publish(repotest.Text(t, "small", 3))
			if err := c.refresh(v.Source(), "small-3.cgb"); err != nil {
				t.Fatal(err)
			}
			part := map[string]*[]byte{"root": &c.memory.Root, "timestamp": &c.memory.Timestamp, "snapshot": &c.memory.Snapshot, "targets": &c.memory.Targets}[file]
			sound := bytes.Clone(*part)
			*part = damage(bytes.Clone(sound))
			var refused *trust.RefusedError
			if err := c.refresh(source.NewFolder(old), "small-2.cgb"); !errors.As(err, &refused) || refused.Why != trust.BadVersion {
				t.Errorf("%s %s: an older publication is taken: %v", file, name, err)
			}
			if file == "timestamp" && *part != nil {
				t.Errorf("%s %s: the older one is remembered", file, name)
			}
			*part = damage(bytes.Clone(sound))
			if err := c.refresh(v.Source(), "small-3.cgb"); err != nil {
				t.Errorf("%s %s: %v", file, name, err)
			}
			if !bytes.Equal(*part, sound) {
				t.Errorf("%s %s: it is not mended", file, name)
			}
		}
	}
}

// The newest root that was verified is where the next walk begins, not the
// older one that the car was given; a car that is given another begins there.
func TestNewestRoot(t *testing.T) {
	v, c := start(t)
	for range 3 {
		if err := v.Rotate("root"); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.refresh(v.Source(), "small-2.cgb"); err != nil {
		t.Fatal(err)
	}
	// A stick that lacks the roots in between is enough for this car.
	stick := v.Copy()
	for _, n := range []string{"1", "2", "3"} {
		if err := os.Remove(filepath.Join(stick, "metadata", n+".root.json")); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.refresh(source.NewFolder(stick), "small-2.cgb"); err != nil || c.memory.Highest.Root != 4 {
		t.Errorf("root %d, %v", c.memory.Highest.Root, err)
	}
	// A newer root in a newer package of the same vendor loses nothing.
	c.anchor = v.Root()
	old := c.memory.Highest
	if err := c.refresh(v.Source(), "small-2.cgb"); err != nil || c.memory.Highest != old {
		t.Errorf("%+v, %v", c.memory.Highest, err)
	}
	// Another vendor's root begins anew.
	other := repotest.New(t)
	other.Publish(repotest.Text(t, "small", 9))
	c.anchor = other.Root()
	if err := c.refresh(other.Source(), "small-9.cgb"); err != nil || c.memory.Highest.Timestamp != 2 {
		t.Errorf("%+v, %v", c.memory.Highest, err)
	}
}

// A clock that stands at 1970 believes nothing that had expired when the
// clock was still right.
func TestClock(t *testing.T) {
	v, c := start(t)
	stick := v.Copy()
	c.now = c.now.Add(29 * day)
	v.Now = c.now
	v.Publish(repotest.Text(t, "small", 3))
	if err := c.refresh(v.Source(), "small-3.cgb"); err != nil {
		t.Fatal(err)
	}
	v.Now = v.Now.Add(31 * day)
	c.now = v.Now
	v.Publish(repotest.Text(t, "small", 4))
	if err := c.refresh(v.Source(), "small-4.cgb"); err != nil {
		t.Fatal(err)
	}
	good := c.memory.GoodTime
	if !good.Equal(c.now) {
		t.Errorf("good time %v, want %v", good, c.now)
	}
	c.now = time.Unix(0, 0)
	c.memory.Highest, c.memory.Timestamp, c.memory.Snapshot, c.memory.Targets = trust.Highest{}, nil, nil, nil
	var refused *trust.RefusedError
	if err := c.refresh(source.NewFolder(stick), "small-2.cgb"); !errors.As(err, &refused) || refused.Why != trust.Expired {
		t.Errorf("at 1970: %v", err)
	}
	if err := c.refresh(v.Source(), "small-4.cgb"); err != nil || !c.memory.GoodTime.Equal(good) {
		t.Errorf("good time %v, %v", c.memory.GoodTime, err)
	}
	// A clock that is ahead by years believes nothing, and the good time stays.
	c.now = good.Add(5 * 365 * day)
	if err := c.refresh(v.Source(), "small-4.cgb"); !errors.As(err, &refused) || refused.Why != trust.Expired {
		t.Errorf("years ahead: %v", err)
	}
	c.now = good.Add(time.Hour)
	if err := c.refresh(v.Source(), "small-4.cgb"); err != nil {
		t.Errorf("and right again: %v", err)
	}
}

// With two hashes the file's name is still known: it is always the SHA-256.
func TestTwoHashes(t *testing.T) {
	v, c := start(t)
	file := v.Public("metadata", "3.targets.json")
	repotest.Forge(t, file, func(m *metadata.Metadata[metadata.TargetsType]) {
		for name, f := range m.Signed.Targets {
			data, err := os.ReadFile(v.Public("targets", f.Hashes["sha256"].String()+"."+name))
			if err != nil {
				t.Fatal(err)
			}
			two, err := metadata.TargetFile().FromBytes(name, data, "sha512", "sha256")
			if err != nil {
				t.Fatal(err)
			}
			f.Hashes = two.Hashes
		}
	}, v.Key("targets-1"))
	forgeSnapshot(t, v)
	for range 20 {
		c.memory = trust.Memory{}
		if err := c.refresh(v.Source(), "small-2.cgb"); err != nil {
			t.Fatal(err)
		}
	}
}

// A custom part of null does not survive signing, so such a list is refused;
// the vendor's side never writes one.
func TestCustomNull(t *testing.T) {
	v, c := start(t)
	file := v.Public("metadata", "3.targets.json")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(data, []byte(`"custom": null`)) || !bytes.Contains(data, []byte(`"custom": {`)) {
		t.Error("the vendor writes a custom part of null, or none")
	}
	repotest.Forge(t, file, func(m *metadata.Metadata[metadata.TargetsType]) {
		for _, f := range m.Signed.Targets {
			f.Custom = nil
		}
	}, v.Key("targets-1"))
	forgeSnapshot(t, v)
	c.memory = trust.Memory{}
	// Without it there is nothing that says which bundle it is.
	if err := c.refresh(v.Source(), "small-2.cgb"); err == nil || err.Error() != "it is not offered: small-2.cgb" {
		t.Errorf("without a custom part: %v", err)
	}
	repotest.Forge(t, file, func(m *metadata.Metadata[metadata.TargetsType]) {
		for _, f := range m.Signed.Targets {
			null := json.RawMessage("null")
			f.Custom = &null
		}
	}, v.Key("targets-1"))
	forgeSnapshot(t, v)
	c.memory = trust.Memory{}
	var refused *trust.RefusedError
	if err := c.refresh(v.Source(), "small-2.cgb"); !errors.As(err, &refused) || refused.Why != trust.BadSignature {
		t.Errorf("a custom part of null: %v", err)
	}
}

// forgeSnapshot makes snapshot and timestamp fit whatever the list is now.
func forgeSnapshot(t *testing.T, v *repotest.Vendor) {
	t.Helper()
	repotest.Forge(t, v.Public("metadata", "3.snapshot.json"), func(m *metadata.Metadata[metadata.SnapshotType]) {
		m.Signed.Meta["targets.json"] = &metadata.MetaFiles{Version: 3}
	}, v.Key("snapshot-1"))
	repotest.Forge(t, v.Public("metadata", "timestamp.json"), func(m *metadata.Metadata[metadata.TimestampType]) {
		m.Signed.Meta["snapshot.json"] = &metadata.MetaFiles{Version: 3}
	}, v.Key("timestamp-1"))
}

// A bad publication leaves its versions behind; the vendor gets out of it with
// higher ones and not with the old ones.
func TestBadPublication(t *testing.T) {
	v, c := start(t)
	before := v.Copy()
	v.Publish(repotest.Text(t, "small", 3))
	v.Change(v.Target("small", 3), func(b []byte) []byte { b[600] ^= 1; return b })
	var refused *trust.RefusedError
	if err := c.refresh(v.Source(), "small-3.cgb"); !errors.As(err, &refused) || refused.Why != trust.BadContent {
		t.Fatalf("the bad one: %v", err)
	}
	if err := c.refresh(source.NewFolder(before), "small-2.cgb"); !errors.As(err, &refused) || refused.Why != trust.BadVersion {
		t.Errorf("the one before: %v", err)
	}
	v.Publish(repotest.Text(t, "small", 4))
	if err := c.refresh(v.Source(), "small-4.cgb"); err != nil {
		t.Errorf("a higher one: %v", err)
	}
}

// A refresh that was broken off is taken up again from what was verified.
func TestBrokenOff(t *testing.T) {
	v, c := start(t)
	if err := v.Rotate("root"); err != nil {
		t.Fatal(err)
	}
	stick := v.Copy()
	if err := os.Remove(filepath.Join(stick, "metadata", "timestamp.json")); err != nil {
		t.Fatal(err)
	}
	if err := c.refresh(source.NewFolder(stick), "x"); err == nil {
		t.Fatal("no error")
	}
	if c.memory.Highest.Root != 2 {
		t.Errorf("root %d is remembered, want 2", c.memory.Highest.Root)
	}
}

// FuzzRefresh looks for a timestamp that ends the process; none that was not
// signed is believed.
func FuzzRefresh(f *testing.F) {
	v := repotest.New(f)
	v.Publish(repotest.Text(f, "small", 1))
	root := v.Root()
	data, err := os.ReadFile(v.Public("metadata", "timestamp.json"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte("null"))
	f.Add([]byte(`{"signed":{"_type":"timestamp","meta":null},"signatures":[{}]}`))
	f.Add([]byte(`{"signed":{"_type":"timestamp","meta":{"snapshot.json":null}},"signatures":[]}`))
	src := v.Source()
	f.Fuzz(func(t *testing.T, timestamp []byte) {
		m := trust.Memory{Timestamp: timestamp}
		if _, _, err := trust.Refresh(t.Context(), src, root, m, repotest.Start); err != nil {
			t.Errorf("a memory of %q keeps the car from updating: %v", timestamp, err)
		}
		_, _, err := trust.Refresh(t.Context(), over{src, timestamp}, root, trust.Memory{}, repotest.Start)
		if err == nil && !bytes.Equal(timestamp, data) && !bytes.Contains(timestamp, []byte("sig")) {
			t.Errorf("%q is believed", timestamp)
		}
	})
}
