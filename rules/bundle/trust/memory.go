// SPDX-License-Identifier: Apache-2.0

package trust

import (
	"slices"
	"strings"
	"time"

	"github.com/theupdateframework/go-tuf/v2/metadata"
)

// The longest metadata that is fetched, in bytes. Together they fit into one
// batch of a store.
const (
	MaxRoot      = 128 << 10
	MaxTimestamp = 16 << 10
	MaxSnapshot  = 64 << 10
	MaxTargets   = 256 << 10
	maxRotations = 256 // roots that are walked in one refresh
)

// Memory is what has to outlive a refresh. The zero Memory is that of a car
// which has never seen the repository.
type Memory struct {
	Root, Timestamp, Snapshot, Targets []byte // the newest that were verified

	// Anchor is the SHA-256, in hex, of the root that the walk to Root began at.
	// A car that is given another one begins there.
	Anchor  string
	Highest Highest
	// GoodTime is the latest moment at which metadata was verified that had not
	// expired. A clock that says less is wrong.
	GoodTime time.Time
}

// Highest are the highest versions that were ever verified. They outlive
// metadata that has become unreadable.
type Highest struct {
	Root      int64 `json:"root"`
	Timestamp int64 `json:"timestamp"`
	Snapshot  int64 `json:"snapshot"`
	Targets   int64 `json:"targets"`
	// Keys are the keys of timestamp and snapshot that signed them. When root
	// names others, the versions begin anew.
	Keys string `json:"keys"`
}

// keysOf names the keys of the roles whose versions an attacker could have
// driven up.
func keysOf(root *metadata.Metadata[metadata.RootType]) string {
	var out []string
	for _, role := range []string{metadata.TIMESTAMP, metadata.SNAPSHOT} {
		if r := root.Signed.Roles[role]; r != nil {
			ids := slices.Clone(r.KeyIDs)
			slices.Sort(ids)
			out = append(out, role+"="+strings.Join(ids, ","))
		}
	}
	return strings.Join(out, " ")
}
