// SPDX-License-Identifier: Apache-2.0

package explain

import "github.com/carguardd/carguardd/vehicle"

// looks collects the judgements of one turn. A draft is judged again after
// every repair; of a rule and a trigger those two are kept that say most.
type looks struct {
	order []string
	by    map[string][]Rule
}

func (l *looks) add(trigger *vehicle.Call, r Rule) {
	key := r.ID + " "
	if trigger != nil {
		key += trigger.ID
	}
	if l.by == nil {
		l.by = map[string][]Rule{}
	}
	have, ok := l.by[key]
	if !ok {
		l.order = append(l.order, key)
	}
	if len(have) > 0 && have[0].found() && have[0].Why != r.Why {
		l.by[key] = []Rule{have[0], r}
		return
	}
	l.by[key] = []Rule{r}
}

func (l *looks) list() []Rule {
	out := []Rule{}
	for _, key := range l.order {
		out = append(out, l.by[key]...)
	}
	return out
}

// found reports whether the judgement is one that leads to something.
func (r *Rule) found() bool {
	for _, m := range r.Matches {
		if m.Truth == "true" && (len(m.Demands) > 0 || m.Kept == "false") {
			return true
		}
	}
	return false
}
