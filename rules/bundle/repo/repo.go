// SPDX-License-Identifier: Apache-2.0

package repo

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/theupdateframework/go-tuf/v2/metadata"
)

// The numbers of keys of each role, and how many of them must sign.
var roles = []struct {
	name            string
	keys, threshold int
}{
	{metadata.ROOT, 3, 2},
	{metadata.TARGETS, 2, 1},
	{metadata.SNAPSHOT, 1, 1},
	{metadata.TIMESTAMP, 1, 1},
}

// How long metadata holds.
const (
	day         = 24 * time.Hour
	rootLife    = 730 * day
	targetsLife = 365 * day
	// TimestampLife is how long cars believe in a publication without a newer
	// one, unless it is said otherwise.
	TimestampLife = 30 * day
)

// Options say where a repository lies and what it takes from the world.
type Options struct {
	Dir    string
	Keys   string // folder of the private keys; empty: keys/ in Dir
	Now    func() time.Time
	Random io.Reader // crypto/rand.Reader
	// TimestampLife is how long a timestamp holds, and a third of how long a
	// snapshot does; 0: the usual.
	TimestampLife time.Duration
}

// Repo is a repository that is open. It is for one goroutine, and nobody else
// may work on the folder meanwhile.
type Repo struct {
	o    Options
	keys map[string]*key

	root      *metadata.Metadata[metadata.RootType]
	targets   *metadata.Metadata[metadata.TargetsType]
	snapshot  *metadata.Metadata[metadata.SnapshotType]
	timestamp *metadata.Metadata[metadata.TimestampType]
}

func (o *Options) complete() {
	if o.Keys == "" {
		o.Keys = filepath.Join(o.Dir, "keys")
	}
	if o.TimestampLife == 0 {
		o.TimestampLife = TimestampLife
	}
}

// Open reads a repository and the keys that are there.
func Open(o Options) (*Repo, error) {
	o.complete()
	r := &Repo{o: o}
	there, err := r.exists()
	if err == nil && !there {
		err = fmt.Errorf("%s is no repository: 'carguardd bundle repo init' makes one", r.o.Dir)
	}
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	if r.keys, err = readKeys(o.Keys); err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	version, err := r.newestRoot()
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	if r.root, err = metadata.Root().FromFile(r.file(metadata.ROOT, version)); err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	if r.timestamp, err = metadata.Timestamp().FromFile(r.public("metadata", "timestamp.json")); err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	meta := r.timestamp.Signed.Meta["snapshot.json"]
	if meta == nil {
		return nil, errors.New("open repository: timestamp.json names no snapshot")
	}
	if r.snapshot, err = metadata.Snapshot().FromFile(r.file(metadata.SNAPSHOT, meta.Version)); err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	if meta = r.snapshot.Signed.Meta["targets.json"]; meta == nil {
		return nil, errors.New("open repository: the snapshot names no targets")
	}
	if r.targets, err = metadata.Targets().FromFile(r.file(metadata.TARGETS, meta.Version)); err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	return r, nil
}

// newestRoot is the highest version of root that was published.
func (r *Repo) newestRoot() (newest int64, err error) {
	entries, err := os.ReadDir(r.public("metadata"))
	for _, e := range entries {
		if n, ok := strings.CutSuffix(e.Name(), ".root.json"); ok {
			if v, err := strconv.ParseInt(n, 10, 64); err == nil {
				newest = max(newest, v)
			}
		}
	}
	if err == nil && newest == 0 {
		err = fmt.Errorf("%s has no root", r.public("metadata"))
	}
	return newest, err
}

func (r *Repo) public(names ...string) string {
	return filepath.Join(append([]string{r.o.Dir, "public"}, names...)...)
}

func (r *Repo) staged() string { return filepath.Join(r.o.Dir, "staged") }

func (r *Repo) file(role string, version int64) string {
	return r.public("metadata", fmt.Sprintf("%d.%s.json", version, role))
}

// RootFile is the root that cars of today are given to trust.
func (r *Repo) RootFile() string { return r.file(metadata.ROOT, r.root.Signed.Version) }

// newKeys makes the keys of a role and puts them into root.
func (r *Repo) newKeys(role string, count, threshold int) error {
	at := &metadata.Role{KeyIDs: []string{}, Threshold: threshold}
	r.root.Signed.Roles[role] = at
	for n := 1; len(at.KeyIDs) < count; n++ {
		file := filepath.Join(r.o.Keys, fmt.Sprintf("%s-%d.pem", role, n))
		k, err := newKey(r.o.Random, file)
		if errors.Is(err, fs.ErrExist) {
			continue // an older one of that number
		}
		if err != nil {
			return err
		}
		r.keys[k.id] = k
		r.root.Signed.Keys[k.id] = k.public
		at.KeyIDs = append(at.KeyIDs, k.id)
	}
	return nil
}

// write replaces a file as a whole.
func write(name string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(name), ".new-")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	if err = errors.Join(err, tmp.Chmod(0o644), tmp.Sync(), tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}
