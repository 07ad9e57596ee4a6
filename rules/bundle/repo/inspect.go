// SPDX-License-Identifier: Apache-2.0

package repo

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/theupdateframework/go-tuf/v2/metadata"

	"github.com/carguardd/carguardd/rules/bundle/trust"
)

// Summary is what a repository holds.
type Summary struct {
	Dir     string   `json:"dir"`
	Root    string   `json:"root"` // the file that cars are given to trust
	Roles   []Role   `json:"roles"`
	Bundles []Bundle `json:"bundles"` // published, by name and revision
	Staged  []string `json:"staged"`  // files that wait to be published
}

// Role is one role with its keys.
type Role struct {
	Name      string    `json:"name"`
	Version   int64     `json:"version"`
	Expires   time.Time `json:"expires"`
	Threshold int       `json:"threshold"`
	Keys      []Key     `json:"keys"`
	// Outdated says that what is public of it does not bear these keys, because a
	// rotation was cut short: no car believes it until it is published anew.
	Outdated bool `json:"outdated,omitempty"`
}

// Key is a key of a role.
type Key struct {
	ID   string `json:"id"`
	File string `json:"file,omitempty"` // of the private key, when it is here
}

// Bundle is a published bundle.
type Bundle struct {
	trust.Custom
	Path   string `json:"path"`
	Length int64  `json:"length"`
	SHA256 string `json:"sha256"`
}

// Summary lists roles, keys and bundles.
func (r *Repo) Summary() (Summary, error) {
	s := Summary{Dir: r.o.Dir, Root: r.RootFile(), Bundles: r.list(), Staged: []string{}}
	at := map[string]struct {
		version  int64
		expires  time.Time
		outdated bool
	}{
		metadata.ROOT:      {r.root.Signed.Version, r.root.Signed.Expires, outdated(r, metadata.ROOT, r.root)},
		metadata.TARGETS:   {r.targets.Signed.Version, r.targets.Signed.Expires, outdated(r, metadata.TARGETS, r.targets)},
		metadata.SNAPSHOT:  {r.snapshot.Signed.Version, r.snapshot.Signed.Expires, outdated(r, metadata.SNAPSHOT, r.snapshot)},
		metadata.TIMESTAMP: {r.timestamp.Signed.Version, r.timestamp.Signed.Expires, outdated(r, metadata.TIMESTAMP, r.timestamp)},
	}
	for _, role := range roles {
		by := r.root.Signed.Roles[role.name]
		out := Role{Name: role.name, Version: at[role.name].version, Expires: at[role.name].expires, Threshold: by.Threshold, Outdated: at[role.name].outdated}
		for _, id := range by.KeyIDs {
			k := Key{ID: id}
			if have := r.keys[id]; have != nil {
				k.File = have.file
			}
			out.Keys = append(out.Keys, k)
		}
		s.Roles = append(s.Roles, out)
	}
	waiting, err := r.waiting()
	for _, a := range waiting {
		s.Staged = append(s.Staged, fileName(a))
	}
	return s, err
}

// list are the published bundles.
func (r *Repo) list() []Bundle {
	out := []Bundle{}
	for path, t := range r.targets.Signed.Targets {
		b := Bundle{Path: path, Length: t.Length, SHA256: t.Hashes["sha256"].String()}
		if t.Custom != nil && json.Unmarshal(*t.Custom, &b.Custom) == nil {
			out = append(out, b)
		}
	}
	slices.SortFunc(out, func(a, b Bundle) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Revision, b.Revision))
	})
	return out
}
