// SPDX-License-Identifier: Apache-2.0

package trust

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/theupdateframework/go-tuf/v2/metadata"
	"github.com/theupdateframework/go-tuf/v2/metadata/trustedmetadata"
)

// Role is one role as it was verified.
type Role struct {
	Version int64     `json:"version"`
	Keys    []string  `json:"keys"` // that signed it, first 16 digits
	Expires time.Time `json:"expires"`
}

// View is a repository as it was verified.
type View struct {
	Roles   map[string]Role // root, timestamp, snapshot, targets
	Targets []Target        // by path
}

// Refresh verifies what the repository of a source offers now, from the anchor
// (the root that the car was given) or from the newest root in memory. At is
// the time; it must never be earlier than what the caller knows to be past.
//
// What it returns is to be remembered, after an error too: the part of the
// chain that was verified holds. The error matches [*RefusedError] when a file
// must not be believed; any other means that a file could not be had.
func Refresh(ctx context.Context, src Source, anchor []byte, m Memory, at time.Time) (learnt Memory, view *View, err error) {
	w := &walk{ctx: ctx, src: src, m: m}
	if m.GoodTime.After(at) {
		at = m.GoodTime
	}
	defer func() {
		// The walk goes through documents that anybody may have written. What was
		// verified before one of them broke it still holds.
		if p := recover(); p != nil {
			learnt, view, err = w.m, nil, &RefusedError{Malformed, "metadata", fmt.Errorf("panic: %v", p)}
		}
	}()
	if err := w.begin(anchor); err != nil {
		return w.m, nil, err
	}
	w.trusted.RefTime = at
	for _, step := range []func() error{w.roots, w.timestamp, w.snapshot, w.targets} {
		if err := step(); err != nil {
			return w.m, nil, err
		}
	}
	w.m.GoodTime = at
	return w.m, w.view(), nil
}

type walk struct {
	ctx     context.Context
	src     Source
	m       Memory
	trusted *trustedmetadata.TrustedMetadata
}

// begin loads the newest root in memory. One that cannot be read, or that
// descends from another anchor, gives way to the anchor.
func (w *walk) begin(anchor []byte) error {
	sum := sha256.Sum256(anchor)
	digest := hex.EncodeToString(sum[:])
	if w.m.Root != nil && w.m.Anchor == digest {
		if known, err := guarded(func() (*trustedmetadata.TrustedMetadata, error) { return trustedmetadata.New(w.m.Root) }); err == nil {
			w.trusted = known
			return nil
		}
	}
	first, err := guarded(func() (*trustedmetadata.TrustedMetadata, error) { return trustedmetadata.New(anchor) })
	if err != nil {
		return refused("the trusted root", err)
	}
	if w.m.Anchor != digest {
		w.m.Highest.Root = 0 // of another line
	}
	w.trusted, w.m.Root, w.m.Anchor = first, anchor, digest
	return nil
}

func (w *walk) fetch(role string, version int64, most int64) ([]byte, error) {
	name := role + ".json"
	if version > 0 {
		name = fmt.Sprintf("%d.%s", version, name)
	}
	data, err := w.src.Fetch(w.ctx, "metadata/"+name, most)
	if err == nil && int64(len(data)) > most {
		err = ErrTooLong
	}
	if role == metadata.TIMESTAMP && errors.Is(err, ErrNotFound) {
		err = fmt.Errorf("%w: no repository is there: is it the public/ of one?", err)
	}
	return data, got(role, err)
}

// roots walks to the newest root, each signed by the keys of the one before.
func (w *walk) roots() error {
	for range maxRotations {
		next := w.trusted.Root.Signed.Version + 1
		data, err := w.fetch(metadata.ROOT, next, MaxRoot)
		if errors.Is(err, ErrNotFound) {
			break
		}
		if err != nil {
			return err
		}
		if err := w.updateRoot(data); err != nil {
			return refused(metadata.ROOT, err)
		}
		w.m.Root = data
	}
	version := w.trusted.Root.Signed.Version
	if version < w.m.Highest.Root {
		return &RefusedError{BadVersion, metadata.ROOT, fmt.Errorf("version %d, and version %d was seen before", version, w.m.Highest.Root)}
	}
	w.m.Highest.Root = version
	if keys := keysOf(w.trusted.Root); keys != w.m.Highest.Keys {
		w.m.Highest = Highest{Root: version, Keys: keys}
	}
	return nil
}

// higher refuses a version below the highest one seen, and remembers it.
func higher(role string, version int64, highest *int64) error {
	if version < *highest {
		return &RefusedError{BadVersion, role, fmt.Errorf("version %d, and version %d was seen before", version, *highest)}
	}
	*highest = version
	return nil
}

// timestamp takes the newest timestamp. The one in memory only guards against
// an older one: it may have expired, and what cannot be read of it is forgotten.
func (w *walk) timestamp() error {
	if w.m.Timestamp != nil {
		if err := w.updateTimestamp(w.m.Timestamp); err != nil && w.trusted.Timestamp == nil {
			w.m.Timestamp = nil
		}
	}
	data, err := w.fetch(metadata.TIMESTAMP, 0, MaxTimestamp)
	if err != nil {
		return err
	}
	err = w.updateTimestamp(data)
	known := errors.Is(err, &metadata.ErrEqualVersionNumber{})
	if err != nil && !known {
		return refused(metadata.TIMESTAMP, err)
	}
	if err := higher(metadata.TIMESTAMP, w.trusted.Timestamp.Signed.Version, &w.m.Highest.Timestamp); err != nil {
		return err
	}
	if !known {
		w.m.Timestamp = data
	}
	return nil
}

// snapshot takes the snapshot that the timestamp names, from memory when that
// is it.
func (w *walk) snapshot() error {
	meta := w.trusted.Timestamp.Signed.Meta["snapshot.json"]
	data, known := w.m.Snapshot, false
	if data != nil {
		err := w.updateSnapshot(data, true)
		known = err == nil
		if err != nil && w.trusted.Snapshot == nil {
			w.m.Snapshot = nil
		}
	}
	if !known {
		var err error
		if data, err = w.fetch(metadata.SNAPSHOT, meta.Version, most(meta.Length, MaxSnapshot)); err != nil {
			return err
		}
		if err := w.updateSnapshot(data, false); err != nil {
			return refused(metadata.SNAPSHOT, err)
		}
	}
	if err := higher(metadata.SNAPSHOT, w.trusted.Snapshot.Signed.Version, &w.m.Highest.Snapshot); err != nil {
		return err
	}
	w.m.Snapshot = data
	return nil
}

// targets takes the list of bundles that the snapshot names.
func (w *walk) targets() error {
	meta := w.trusted.Snapshot.Signed.Meta["targets.json"]
	data, known := w.m.Targets, false
	if data != nil {
		known = w.updateTargets(data) == nil
	}
	if !known {
		var err error
		if data, err = w.fetch(metadata.TARGETS, meta.Version, most(meta.Length, MaxTargets)); err != nil {
			return err
		}
		if err := w.updateTargets(data); err != nil {
			return refused(metadata.TARGETS, err)
		}
	}
	if err := higher(metadata.TARGETS, w.trusted.Targets[metadata.TARGETS].Signed.Version, &w.m.Highest.Targets); err != nil {
		return err
	}
	w.m.Targets = data
	return nil
}

// most is how much may be fetched of a file whose length may be known.
func most(length, limit int64) int64 {
	if length > 0 && length < limit {
		return length
	}
	return limit
}
