// SPDX-License-Identifier: Apache-2.0

package repo

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"github.com/theupdateframework/go-tuf/v2/metadata"
)

// sign signs a document with every key of a role that is here. Fewer than the
// role's threshold is an error that names what is missing.
func sign[T metadata.Roles](r *Repo, role string, by *metadata.Role, doc *metadata.Metadata[T]) error {
	have := 0
	for _, id := range by.KeyIDs {
		k := r.keys[id]
		if k == nil {
			continue
		}
		if _, err := doc.Sign(k.signer); err != nil {
			return fmt.Errorf("sign %s: %w", role, err)
		}
		have++
	}
	if have < by.Threshold {
		return &MissingKeysError{role, by.Threshold, have, r.o.Keys}
	}
	return nil
}

// holds reports the first role whose keys are not here, so that nothing is
// written that could not be signed to its end.
func (r *Repo) holds(roles ...string) error {
	for _, role := range roles {
		by, have := r.root.Signed.Roles[role], 0
		for _, id := range by.KeyIDs {
			if r.keys[id] != nil {
				have++
			}
		}
		if have < by.Threshold {
			return &MissingKeysError{role, by.Threshold, have, r.o.Keys}
		}
	}
	return nil
}

// outdated reports whether a document that is public does not bear the keys
// that root names for its role, so that no car believes it.
func outdated[T metadata.Roles](r *Repo, role string, doc *metadata.Metadata[T]) bool {
	return r.root.VerifyDelegate(role, doc) != nil
}

// MissingKeysError says that there are too few private keys of a role.
type MissingKeysError struct {
	Role       string
	Need, Have int
	Dir        string
}

func (e *MissingKeysError) Error() string {
	return fmt.Sprintf("sign %s: it takes %d of its keys, and %s has %d", e.Role, e.Need, e.Dir, e.Have)
}

// writeRoot signs root by its own keys and by those of the root before, and
// writes it.
func (r *Repo) writeRoot(before *metadata.Role) error {
	r.root.ClearSignatures()
	own := r.root.Signed.Roles[metadata.ROOT]
	if err := sign(r, metadata.ROOT, own, r.root); err != nil {
		return err
	}
	if before != nil {
		rest := &metadata.Role{Threshold: before.Threshold}
		for _, id := range before.KeyIDs {
			if contains(own.KeyIDs, id) {
				rest.Threshold-- // it has signed
			} else {
				rest.KeyIDs = append(rest.KeyIDs, id)
			}
		}
		if err := sign(r, "root as the cars know it", rest, r.root); err != nil {
			return err
		}
	}
	data, err := r.root.ToBytes(true)
	if err != nil {
		return err
	}
	return write(r.file(metadata.ROOT, r.root.Signed.Version), data)
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

// publish signs timestamp, snapshot and, when it changed, the list of bundles.
// timestamp.json is written last: until then cars see the publication before.
func (r *Repo) publish(targets bool) error {
	now := r.o.Now().Truncate(time.Second).UTC()
	if targets {
		t := &r.targets.Signed
		t.Version, t.Expires = t.Version+1, now.Add(targetsLife)
		if err := signAndWrite(r, metadata.TARGETS, r.targets, r.file(metadata.TARGETS, t.Version)); err != nil {
			return err
		}
	}
	s := &r.snapshot.Signed
	meta, err := describe(r.targets, r.targets.Signed.Version)
	if err != nil {
		return err
	}
	s.Meta = map[string]*metadata.MetaFiles{"targets.json": meta}
	s.Version, s.Expires = s.Version+1, now.Add(3*r.o.TimestampLife)
	if err := signAndWrite(r, metadata.SNAPSHOT, r.snapshot, r.file(metadata.SNAPSHOT, s.Version)); err != nil {
		return err
	}
	t := &r.timestamp.Signed
	if meta, err = describe(r.snapshot, s.Version); err != nil {
		return err
	}
	t.Meta = map[string]*metadata.MetaFiles{"snapshot.json": meta}
	t.Version, t.Expires = t.Version+1, now.Add(r.o.TimestampLife)
	return signAndWrite(r, metadata.TIMESTAMP, r.timestamp, r.public("metadata", "timestamp.json"))
}

func signAndWrite[T metadata.Roles](r *Repo, role string, doc *metadata.Metadata[T], file string) error {
	doc.ClearSignatures()
	if err := sign(r, role, r.root.Signed.Roles[role], doc); err != nil {
		return err
	}
	data, err := doc.ToBytes(true)
	if err != nil {
		return err
	}
	return write(file, data)
}

// describe is what the document above says of one below.
func describe[T metadata.Roles](doc *metadata.Metadata[T], version int64) (*metadata.MetaFiles, error) {
	data, err := doc.ToBytes(true)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	return &metadata.MetaFiles{Version: version, Length: int64(len(data)), Hashes: metadata.Hashes{"sha256": sum[:]}}, nil
}

// custom is what is signed beside a bundle. It is never null: a null does not
// survive the round trip of signing in go-tuf, and the signature would be
// wrong.
func custom(doc any) (*json.RawMessage, error) {
	data, err := json.Marshal(doc)
	raw := json.RawMessage(data)
	return &raw, err
}
