// SPDX-License-Identifier: Apache-2.0

package trust

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/theupdateframework/go-tuf/v2/metadata"
)

// Target is one bundle that the repository offers.
type Target struct {
	Path   string // a plain file name
	Length int64  // bytes
	SHA256 string // hex
	Custom Custom
}

// Custom is what the vendor signs about a bundle beside its content, so that a
// car knows which one to fetch.
type Custom struct {
	Name      string   `json:"name"`
	Revision  int      `json:"revision"`
	Version   string   `json:"version,omitempty"`
	Hardware  []string `json:"hardware,omitempty"` // empty: all
	MinDaemon string   `json:"min_daemon,omitempty"`
	MaxDaemon string   `json:"max_daemon,omitempty"`
}

// hash is the only hash that a bundle is named by: with two of them a client
// could not know which one is in its file name.
const hash = "sha256"

// view is what was verified.
func (w *walk) view() *View {
	t := w.trusted
	list := t.Targets[metadata.TARGETS]
	v := &View{Roles: map[string]Role{
		metadata.ROOT:      {t.Root.Signed.Version, signers(t.Root, metadata.ROOT, t.Root.Signatures), t.Root.Signed.Expires},
		metadata.TIMESTAMP: {t.Timestamp.Signed.Version, signers(t.Root, metadata.TIMESTAMP, t.Timestamp.Signatures), t.Timestamp.Signed.Expires},
		metadata.SNAPSHOT:  {t.Snapshot.Signed.Version, signers(t.Root, metadata.SNAPSHOT, t.Snapshot.Signatures), t.Snapshot.Signed.Expires},
		metadata.TARGETS:   {list.Signed.Version, signers(t.Root, metadata.TARGETS, list.Signatures), list.Signed.Expires},
	}}
	for path, f := range list.Signed.Targets {
		if target, ok := targetOf(path, f); ok {
			v.Targets = append(v.Targets, target)
		}
	}
	slices.SortFunc(v.Targets, func(a, b Target) int { return cmp.Compare(a.Path, b.Path) })
	return v
}

// targetOf is a target that may be a bundle; others may lie in the same
// repository.
func targetOf(path string, f *metadata.TargetFiles) (Target, bool) {
	sum := f.Hashes[hash]
	if len(sum) != 32 || f.Custom == nil || strings.ContainsAny(path, `/\`) {
		return Target{}, false
	}
	t := Target{Path: path, Length: f.Length, SHA256: sum.String()}
	return t, json.Unmarshal(*f.Custom, &t.Custom) == nil && t.Custom.Name != "" && t.Custom.Revision > 0
}

// signers are the keys of a role that stand below a document.
func signers(root *metadata.Metadata[metadata.RootType], role string, sigs []metadata.Signature) []string {
	var out []string
	for _, s := range sigs {
		if r := root.Signed.Roles[role]; r != nil && slices.Contains(r.KeyIDs, s.KeyID) {
			out = append(out, s.KeyID[:min(16, len(s.KeyID))])
		}
	}
	slices.Sort(out)
	return out
}

// Download fetches a bundle and compares it with what was signed. Limit is the
// most that a bundle may have, in bytes. The error is as [Refresh] has it.
func Download(ctx context.Context, src Source, t Target, limit int64) ([]byte, error) {
	if t.Length > limit {
		return nil, &RefusedError{TooLong, t.Path, fmt.Errorf("%d bytes, and a bundle has at most %d", t.Length, limit)}
	}
	data, err := src.Fetch(ctx, "targets/"+t.SHA256+"."+t.Path, t.Length)
	if err == nil && int64(len(data)) > t.Length {
		err = ErrTooLong
	}
	if err != nil {
		return nil, got(t.Path, err)
	}
	return data, t.Check(data)
}

// Check compares bytes with what was signed.
func (t Target) Check(data []byte) error {
	var sum metadata.HexBytes
	if err := sum.UnmarshalJSON([]byte(`"` + t.SHA256 + `"`)); err != nil {
		return &RefusedError{Malformed, t.Path, errors.New("its hash is none")}
	}
	f := &metadata.TargetFiles{Length: t.Length, Hashes: metadata.Hashes{hash: sum}}
	return refused(t.Path, f.VerifyLengthHashes(data))
}
