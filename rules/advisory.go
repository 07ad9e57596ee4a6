// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// Advisory is a sentence of the policy that no rule carries out: the model
// reads it, and that is all. Listing it says that somebody decided so.
type Advisory struct {
	Policy string // the sentence, word by word
	Why    string // why no rule carries it out
	Pos    vehicle.Pos
}

func (r *reader) advisories(n *vehicle.Node) []*Advisory {
	if n == nil {
		return nil
	}
	var out []*Advisory
	for _, it := range r.list(n, "advisory") {
		if !r.isMap(it, "an advisory sentence") {
			continue
		}
		r.keys(it, "policy", "why")
		a := &Advisory{Pos: it.Pos}
		for _, k := range []struct {
			name string
			to   *string
		}{{"policy", &a.Policy}, {"why", &a.Why}} {
			if v := it.Member(k.name); v != nil {
				*k.to = r.text(v, k.name)
			} else {
				r.bad(it.Pos, "add "+k.name, "an advisory sentence has no %s", k.name)
			}
		}
		out = append(out, a)
	}
	return out
}
