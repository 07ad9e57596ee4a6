// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"fmt"
	"slices"
	"strings"
)

// Unmet judges the need on an observation of its signal. It returns the gate
// at which it fails and what was seen, or an empty gate when it holds. What is
// unknown or stale fails at [GateFreshness].
func (n Need) Unmet(s *Signal, o Observation) (Gate, string) {
	own := n.Fresh <= 0
	switch {
	case o.Count == 0:
		return GateFreshness, s.Name + " was never observed"
	case o.Lost || (own && !o.Fresh) || (!own && o.Age > n.Fresh):
		return GateFreshness, fmt.Sprintf("%s = %s is stale: last observed %s", s.Name, s.Show(o.Value), o.ago())
	case !o.Value.Known():
		return GateFreshness, s.Name + " is unknown"
	}
	if len(n.Is) > 0 && !slices.ContainsFunc(n.Is, o.Value.Equal) {
		var want []string
		for _, v := range n.Is {
			want = append(want, v.String())
		}
		return GateInterlock, fmt.Sprintf("%s = %s, not %s", s.Name, s.Show(o.Value), strings.Join(want, " or "))
	}
	if n.Min == nil && n.Max == nil {
		return "", ""
	}
	f, ok := o.Value.Float()
	switch {
	case !ok:
		return GateInterlock, fmt.Sprintf("%s = %v is no number", s.Name, o.Value)
	case n.Max != nil && f > *n.Max:
		return GateInterlock, fmt.Sprintf("%s = %s > %g", s.Name, s.Show(o.Value), *n.Max)
	case n.Min != nil && f < *n.Min:
		return GateInterlock, fmt.Sprintf("%s = %s < %g", s.Name, s.Show(o.Value), *n.Min)
	}
	return "", ""
}

// Show prints a value of the signal with its unit, for people.
func (s *Signal) Show(v Value) string {
	if v.Kind() == Number {
		return v.String() + s.Unit.Suffix()
	}
	return v.String()
}
