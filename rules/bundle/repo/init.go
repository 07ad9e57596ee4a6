// SPDX-License-Identifier: Apache-2.0

package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/theupdateframework/go-tuf/v2/metadata"
)

// Init makes a repository with keys of its own and publishes its empty list. A
// folder that is one already is left alone. After an error it can be run again:
// it makes other keys then, and never overwrites one.
func Init(o Options) (*Repo, error) {
	o.complete()
	r := &Repo{o: o, keys: map[string]*key{}}
	if err := r.init(); err != nil {
		return nil, fmt.Errorf("init repository: %w", err)
	}
	return r, nil
}

func (r *Repo) init() error {
	there, err := r.exists()
	switch {
	case err != nil:
		return err
	case there:
		return fmt.Errorf("%s is one already", r.o.Dir)
	}
	if err := r.unpublished(); err != nil {
		return err
	}
	// The folder itself comes before that of the keys, whose mode it would get: a
	// web server has to reach public/.
	for _, dir := range []struct {
		name string
		mode fs.FileMode
	}{{r.o.Dir, 0o755}, {r.o.Keys, 0o700}, {r.staged(), 0o755}, {r.public("targets"), 0o755}, {r.public("metadata"), 0o755}} {
		if err := os.MkdirAll(dir.name, dir.mode); err != nil {
			return err
		}
	}
	r.root = metadata.Root(r.o.Now().Add(rootLife).Truncate(time.Second).UTC())
	for _, role := range roles {
		if err := r.newKeys(role.name, role.keys, role.threshold); err != nil {
			return err
		}
	}
	r.targets, r.snapshot, r.timestamp = metadata.Targets(), metadata.Snapshot(), metadata.Timestamp()
	r.targets.Signed.Version, r.snapshot.Signed.Version, r.timestamp.Signed.Version = 0, 0, 0
	if err := r.writeRoot(nil); err != nil {
		return err
	}
	return r.publish(true)
}

// exists reports whether the folder is a repository: it is one once
// timestamp.json, which is written last, is there.
func (r *Repo) exists() (bool, error) {
	_, err := os.Stat(r.public("metadata", "timestamp.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// unpublished refuses a folder with metadata that no first publication writes.
// It is a repository that has lost its timestamp.json, and its root, which cars
// trust, must not give way to a new one.
func (r *Repo) unpublished() error {
	names, err := filepath.Glob(r.public("metadata", "*.json"))
	if err != nil {
		return err
	}
	for _, name := range names {
		switch name {
		case r.file(metadata.ROOT, 1), r.file(metadata.TARGETS, 1), r.file(metadata.SNAPSHOT, 1):
		default:
			return fmt.Errorf("%s holds %s, but no timestamp.json: restore that from a copy of public/, or choose another folder", r.o.Dir, filepath.Base(name))
		}
	}
	return nil
}
