// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// Manifest says what a bundle is. The archive that a bundle is shipped in
// adds digests to it; these are its author's keys.
type Manifest struct {
	Name        string   // letters, digits, - _ .
	Revision    int      // grows strictly with each release, from 1
	Version     string   // for people
	Description string   // one sentence
	Languages   []string // the languages that every word and sentence must have
	MinDaemon   string   // oldest daemon version that can run it, or empty
	MaxDaemon   string   // newest, or empty
	Hardware    []string // kinds of unit it is for; empty: all
}

// ManifestKeys lists the keys that manifest.yaml may have.
func ManifestKeys() []string {
	return []string{"name", "revision", "version", "description", "languages", "min_daemon", "max_daemon", "hardware"}
}

func (r *reader) manifest(n *vehicle.Node) Manifest {
	var m Manifest
	if !r.isMap(n, "a manifest") {
		return m
	}
	r.keys(n, ManifestKeys()...)
	for _, key := range []string{"name", "revision", "languages"} {
		if n.Member(key) == nil {
			r.bad(n.Pos, "add "+key, "manifest has no %s", key)
		}
	}
	if v := n.Member("name"); v != nil {
		if m.Name = r.text(v, "name"); m.Name != "" && !IsID(m.Name) {
			r.bad(v.Pos, "letters, digits, - _ and . only", "%q is no bundle name", m.Name)
		}
	}
	if v := n.Member("revision"); v != nil {
		m.Revision = r.whole(v, "revision", 1)
	}
	m.Version, m.Description = r.text(n.Member("version"), "version"), r.text(n.Member("description"), "description")
	m.MinDaemon, m.MaxDaemon = r.text(n.Member("min_daemon"), "min_daemon"), r.text(n.Member("max_daemon"), "max_daemon")
	m.Hardware = r.names(n.Member("hardware"), "a kind of unit")
	if v := n.Member("languages"); v != nil {
		m.Languages = r.names(v, "a language")
		for _, l := range m.Languages {
			if !isLanguage(l) {
				r.bad(v.Pos, "such as en or de", "%q is no language", l)
			}
		}
	}
	return m
}
