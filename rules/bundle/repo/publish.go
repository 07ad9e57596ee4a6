// SPDX-License-Identifier: Apache-2.0

package repo

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/theupdateframework/go-tuf/v2/metadata"

	"github.com/carguardd/carguardd/rules/bundle/archive"
	"github.com/carguardd/carguardd/rules/bundle/trust"
)

// RevisionError says that a revision is not higher than the one before.
type RevisionError struct {
	Name          string
	Revision, Now int
}

func (e *RevisionError) Error() string {
	return fmt.Sprintf("%s revision %d: revision %d is there already, and revisions only grow: set a higher one in manifest.yaml", e.Name, e.Revision, e.Now)
}

// Add takes an archive in, to be published. Its revision must be higher than
// any of its name: [*RevisionError].
func (r *Repo) Add(file string) (*archive.Archive, error) {
	a, err := archive.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("add bundle: %w", err)
	}
	data, err := archive.Read(file)
	if err != nil {
		return nil, fmt.Errorf("add bundle: %w", err)
	}
	waiting, err := r.waiting()
	if err != nil {
		return nil, fmt.Errorf("add bundle: %w", err)
	}
	m := a.Manifest
	newest := r.newest(m.Name)
	for _, w := range waiting {
		if w.Manifest.Name == m.Name {
			newest = max(newest, w.Manifest.Revision)
		}
	}
	if m.Revision <= newest {
		return nil, fmt.Errorf("add bundle: %w", &RevisionError{m.Name, m.Revision, newest})
	}
	return a, write(filepath.Join(r.staged(), fileName(a)), data)
}

func fileName(a *archive.Archive) string {
	return fmt.Sprintf("%s-%d.cgb", a.Manifest.Name, a.Manifest.Revision)
}

// newest is the highest published revision of a bundle; 0 without one.
func (r *Repo) newest(name string) (revision int) {
	for _, t := range r.list() {
		if t.Name == name {
			revision = max(revision, t.Revision)
		}
	}
	return revision
}

// waiting are the archives that were added and not published yet.
func (r *Repo) waiting() ([]*archive.Archive, error) {
	names, err := filepath.Glob(filepath.Join(r.staged(), "*.cgb"))
	if err != nil {
		return nil, err
	}
	var out []*archive.Archive
	for _, n := range names {
		a, err := archive.ReadFile(n)
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}

// Publish signs what was added and makes it public, and renews what cars
// believe in. Without anything added it only does the latter, for which the
// keys of targets are not needed until their list is about to expire, or when a
// rotation was cut short and the list still bears the keys before.
func (r *Repo) Publish() ([]*archive.Archive, error) {
	waiting, err := r.waiting()
	if err != nil {
		return nil, fmt.Errorf("publish: %w", err)
	}
	list := len(waiting) > 0 || r.targets.Signed.Expires.Sub(r.o.Now()) < targetsLife/4 || outdated(r, metadata.TARGETS, r.targets)
	signed := []string{metadata.SNAPSHOT, metadata.TIMESTAMP}
	if list {
		signed = append(signed, metadata.TARGETS)
	}
	if err := r.holds(signed...); err != nil {
		return nil, fmt.Errorf("publish: %w", err)
	}
	for _, a := range waiting {
		if err := r.offer(a); err != nil {
			return nil, fmt.Errorf("publish: %w", err)
		}
	}
	if err := r.publish(list); err != nil {
		return nil, fmt.Errorf("publish: %w", err)
	}
	for _, a := range waiting {
		err = errors.Join(err, os.Remove(filepath.Join(r.staged(), fileName(a))))
	}
	return waiting, err
}

// offer puts an archive beside the others and into the list, which is not
// signed yet.
func (r *Repo) offer(a *archive.Archive) error {
	name := fileName(a)
	data, err := os.ReadFile(filepath.Join(r.staged(), name))
	if err != nil {
		return err
	}
	t, err := metadata.TargetFile().FromBytes(name, data, "sha256") // one hash only: see trust
	if err != nil {
		return err
	}
	m := a.Manifest
	if t.Custom, err = custom(trust.Custom{Name: m.Name, Revision: m.Revision, Version: m.Version, Hardware: m.Hardware,
		MinDaemon: m.MinDaemon, MaxDaemon: m.MaxDaemon}); err != nil {
		return err
	}
	r.targets.Signed.Targets[name] = t
	return write(r.public("targets", a.Digest()+"."+name), data)
}

// ErrRole is returned, wrapped, for the name of a role that does not exist.
var ErrRole = errors.New("there is no role")

// Rotate replaces all keys of a role, root itself included, and publishes what
// they sign anew. The keys before are moved to retired/; the root keys that cars
// know must be here, since they vouch for the new root.
func (r *Repo) Rotate(role string) error {
	for _, have := range roles {
		if have.name == role {
			return r.rotate(role, have.keys, have.threshold)
		}
	}
	return fmt.Errorf("rotate: %w %s: root, targets, snapshot or timestamp", ErrRole, role)
}

func (r *Repo) rotate(role string, count, threshold int) error {
	before := *r.root.Signed.Roles[metadata.ROOT]
	old := r.root.Signed.Roles[role].KeyIDs
	signed := []string{metadata.ROOT}
	list := role == metadata.TARGETS || outdated(r, metadata.TARGETS, r.targets)
	for _, other := range []string{metadata.TARGETS, metadata.SNAPSHOT, metadata.TIMESTAMP} {
		if other != role && (list || other != metadata.TARGETS) { // the keys of role are made
			signed = append(signed, other)
		}
	}
	if err := r.holds(signed...); err != nil {
		return fmt.Errorf("rotate: %w", err)
	}
	for _, id := range old {
		delete(r.root.Signed.Keys, id)
	}
	if err := r.newKeys(role, count, threshold); err != nil {
		return fmt.Errorf("rotate: %w", err)
	}
	r.root.Signed.Version++
	r.root.Signed.Expires = r.o.Now().Add(rootLife).UTC()
	if err := r.writeRoot(&before); err != nil {
		return fmt.Errorf("rotate: %w", err)
	}
	if err := r.publish(list); err != nil {
		return fmt.Errorf("rotate: %w", err)
	}
	return r.retire(old)
}

// retire moves private keys that nothing trusts any more out of the way.
func (r *Repo) retire(ids []string) error {
	dir := filepath.Join(r.o.Keys, "retired")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, id := range ids {
		k := r.keys[id]
		if k == nil {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(k.file), ".pem")
		if err := os.Rename(k.file, filepath.Join(dir, fmt.Sprintf("%s-%s.pem", name, id[:8]))); err != nil {
			return err
		}
		delete(r.keys, id)
	}
	return nil
}
