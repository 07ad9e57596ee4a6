// SPDX-License-Identifier: Apache-2.0

package harness

// valve keeps a demand from going to and fro. A demand that the student was
// told, and answered with another draft, is dropped when it is made again
// later in the turn, and then reads that no rule needs are not forced any more
// either. It holds in every verification of the turn, the last one included.
//
// Only demands about conduct yield: to look before asking or refusing, not to
// ask twice. What a rule, a value, a consent or the truth of a reply demands
// is not weighed against a student's insistence. Nor are the reads that rules
// need: code makes them, and it costs nobody a revision.
type valve struct {
	told    map[string]bool // demands that were answered with another draft
	dropped map[string]bool // those of them that were made again
}

// yields reports whether the valve may drop what a finding demands.
func yields(f *Finding) bool {
	if f.Rule != "" || f.Tier != Hard {
		return false
	}
	switch f.Gate {
	case "preferences-first", "ask-before-reading", "refusal-read", "asked-twice":
		return true
	case "future-condition":
		return f.Action == Say
	}
	return false
}

// answered notes that the student answered demands with another draft.
func (r *run) answeredDemands(d *Draft, left []Finding) {
	for i := range left {
		if f := &left[i]; yields(f) && f.Action != Reconsider {
			if r.valve.told == nil {
				r.valve.told, r.valve.dropped = map[string]bool{}, map[string]bool{}
			}
			r.valve.told[r.demandKey(d, f)] = true
		}
	}
}

// relax leaves out of the findings what the valve drops.
func (r *run) relax(d *Draft, found []Finding) []Finding {
	if r.s.Config.NoValve || len(r.valve.told) == 0 {
		return found
	}
	var out []Finding
	for _, f := range found {
		key := r.demandKey(d, &f)
		switch {
		case !yields(&f):
		case r.valve.told[key] && !r.valve.dropped[key]:
			r.valve.dropped[key] = true
			r.turn.note("valve: dropped what " + f.Gate + " demands, since the student answered it before: " + f.Note)
			continue
		case r.valve.told[key], f.Action == DemandRead && len(r.valve.dropped) > 0:
			continue
		}
		out = append(out, f)
	}
	return out
}
