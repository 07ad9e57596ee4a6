// SPDX-License-Identifier: Apache-2.0

package diff

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// Kind says what became of a rule.
type Kind string

// The kinds of change.
const (
	Added   Kind = "added"
	Removed Kind = "removed"
	Changed Kind = "changed"
)

// Change is a rule that the two bundles do not have in common.
type Change struct {
	Rule  string   `json:"rule"`
	Kind  Kind     `json:"kind"`
	Keys  []string `json:"keys,omitempty"` // that say something else, of a changed rule
	Place string   `json:"place"`          // in the new bundle; of a removed rule in the old one
}

// Rules compares the rules of two bundle directories by their ids, in the
// order of the ids.
func Rules(oldFS fs.FS, oldDir string, newFS fs.FS, newDir string) ([]Change, error) {
	was, err := read(oldFS, oldDir)
	if err != nil {
		return nil, err
	}
	is, err := read(newFS, newDir)
	if err != nil {
		return nil, err
	}
	var out []Change
	for id, n := range is {
		o, ok := was[id]
		switch {
		case !ok:
			out = append(out, Change{Rule: id, Kind: Added, Place: n.Pos.String()})
		case !o.Value().Equal(n.Value()):
			out = append(out, Change{Rule: id, Kind: Changed, Keys: keys(o, n), Place: n.Pos.String()})
		}
	}
	for id, o := range was {
		if is[id] == nil {
			out = append(out, Change{Rule: id, Kind: Removed, Place: o.Pos.String()})
		}
	}
	slices.SortFunc(out, func(a, b Change) int { return cmp.Compare(a.Rule, b.Rule) })
	return out, nil
}

// keys lists the keys whose values differ, in the order of the new rule.
func keys(o, n *vehicle.Node) []string {
	var out []string
	for _, m := range n.Members {
		if was := o.Member(m.Name); was == nil || !was.Value().Equal(m.Value.Value()) {
			out = append(out, m.Name)
		}
	}
	for _, m := range o.Members {
		if n.Member(m.Name) == nil {
			out = append(out, m.Name)
		}
	}
	return out
}

// read collects the rules of a bundle as they are written.
func read(fsys fs.FS, dir string) (map[string]*vehicle.Node, error) {
	names, err := fs.Glob(fsys, path.Join(dir, "rules", "*.yaml"))
	if err != nil {
		return nil, err
	}
	out := map[string]*vehicle.Node{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.yaml") {
			continue
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		n, ps := vehicle.ParseYAML(name, data)
		if err := ps.Err(); err != nil {
			return nil, err
		}
		list := n.Member("rules")
		if list == nil {
			continue
		}
		for _, r := range list.Items {
			if id := r.Member("id"); id != nil {
				out[id.Scalar.String()] = r
			}
		}
	}
	return out, nil
}
