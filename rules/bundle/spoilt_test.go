// SPDX-License-Identifier: Apache-2.0

package bundle_test

import (
	"bytes"
	"testing"

	"github.com/theupdateframework/go-tuf/v2/metadata"

	"github.com/carguardd/carguardd/rules/bundle"
	"github.com/carguardd/carguardd/rules/bundle/archive"
	"github.com/carguardd/carguardd/rules/bundle/repotest"
	"github.com/carguardd/carguardd/rules/bundle/trust"
)

// A bundle that a source spoilt on its way is rejected, and taken up by the
// next poll once the source sends what was signed.
func TestSpoiltDownload(t *testing.T) {
	for _, c := range []struct {
		name, code string
		spoil      func([]byte) []byte
	}{
		{"a byte changed", trust.BadContent, func(b []byte) []byte { b[len(b)/2] ^= 1; return b }},
		{"cut short", trust.BadContent, func(b []byte) []byte { return b[:len(b)/2] }},
		{"longer", trust.TooLong, func(b []byte) []byte { return append(b, 0) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			u := newUnit(t, nil)
			whole := good(t, 2)
			u.vendor.Publish(whole)
			file := u.vendor.Target("small", 2)
			u.vendor.Change(file, func(b []byte) []byte { return c.spoil(bytes.Clone(b)) })
			for range 2 { // each poll says so, not only the first
				_, err := u.Install(t.Context(), bundle.Request{By: "poll"})
				rejected(t, err, c.code, "small-2.cgb")
			}
			u.inForce(1)
			if s := u.Status(); s.Code != c.code || s.Candidate != nil {
				t.Errorf("%+v", s)
			}
			u.vendor.Change(file, func([]byte) []byte { return whole })
			if out, err := u.Install(t.Context(), bundle.Request{By: "poll"}); err != nil || out.Stage != bundle.Active {
				t.Errorf("restored: %+v, %v", out, err)
			}
			u.inForce(2)
		})
	}
}

// A length above what a bundle may have was signed: nothing that a source could
// send mends that, and it does not stand in the way of a lower revision.
func TestSignedTooLong(t *testing.T) {
	u := newUnit(t, nil)
	u.vendor.Publish(good(t, 2))
	u.vendor.Publish(good(t, 3))
	repotest.Forge(t, u.vendor.Public("metadata", "3.targets.json"), func(m *metadata.Metadata[metadata.TargetsType]) {
		m.Signed.Targets["small-3.cgb"].Length = archive.MaxSize + 1
	}, u.vendor.Key("targets-1"))
	repotest.Forge(t, u.vendor.Public("metadata", "3.snapshot.json"), func(m *metadata.Metadata[metadata.SnapshotType]) {
		m.Signed.Meta["targets.json"] = &metadata.MetaFiles{Version: 3}
	}, u.vendor.Key("snapshot-1"))
	repotest.Forge(t, u.vendor.Public("metadata", "timestamp.json"), func(m *metadata.Metadata[metadata.TimestampType]) {
		m.Signed.Meta["snapshot.json"] = &metadata.MetaFiles{Version: 3}
	}, u.vendor.Key("timestamp-1"))
	_, err := u.Install(t.Context(), bundle.Request{By: "poll"})
	rejected(t, err, trust.TooLong, "8388609 bytes, and a bundle has at most")
	if out, err := u.Install(t.Context(), bundle.Request{By: "poll"}); err != nil || out.Revision != 2 || out.Stage != bundle.Active {
		t.Errorf("the lower one: %+v, %v", out, err)
	}
}
