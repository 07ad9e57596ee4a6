// SPDX-License-Identifier: Apache-2.0

package harness

// Repairs names the kinds of repair, each of which can be switched off. What
// code then does not mend goes back to the student; what is still wrong after
// the last revision is withheld.
type Repairs struct {
	Owed       bool // calls that rules owe are added, or moved
	Reads      bool // reads that are demanded are made
	Coercion   bool // arguments and names of tools are corrected without loss
	Preference bool // a value that a stored preference wants takes the place of another
	Filter     bool // a filter by this moment is left away where a later one is meant
	Excess     bool // companion calls beyond what rules owe are cut down
	Order      bool // calls wait for the next draft
	Telling    bool // what the driver must be told is added to a reply
	Prefetch   bool // reads are made before the first draft
}

// covers reports whether the repair of a finding is switched off.
func (o *Repairs) covers(f *Finding) bool {
	switch f.Action {
	case DemandRead:
		return o.Reads
	case Repair:
		switch {
		case len(f.Remedy.Defer) > 0:
			return o.Order
		case f.Remedy.Text != "":
			return o.Telling
		}
	}
	switch f.Gate {
	case "obligation", "owed-on-reply", "precondition":
		return o.Owed
	case "schema", "argument-format", "tool-exists":
		return o.Coercion
	case "preference-conflict":
		return o.Preference
	case "future-condition":
		return o.Filter
	case "excess":
		return o.Excess
	}
	return false
}

// unmended are the findings that only a repair that is switched off would
// answer, as what they then are: a call that must not go, a reply that must
// not be spoken.
func (o *Repairs) unmended(found []Finding) []Finding {
	var out []Finding
	for _, f := range found {
		if f.Action != Repair && f.Action != DemandRead || !o.covers(&f) {
			continue
		}
		if f.Action = Say; len(f.Subjects) > 0 {
			f.Action = Block
		}
		out = append(out, f)
	}
	return out
}
