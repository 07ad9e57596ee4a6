// SPDX-License-Identifier: Apache-2.0

package region

import (
	"maps"
	"slices"
)

// Conj is what is left for each value when some conditions hold together, by
// the name of the value; a value that is not in it can be anything.
type Conj map[string]Set

// And adds a condition on one value. It returns a conjunction of its own.
func (c Conj) And(name string, s Set) Conj {
	out := maps.Clone(c)
	if out == nil {
		out = Conj{}
	}
	if have, ok := out[name]; ok {
		s = have.And(s)
	}
	out[name] = s
	return out
}

// With is the conjunction of both.
func (c Conj) With(o Conj) Conj {
	out := maps.Clone(c)
	if out == nil {
		out = Conj{}
	}
	for name, s := range o {
		if have, ok := out[name]; ok {
			s = have.And(s)
		}
		out[name] = s
	}
	return out
}

// Holds reports whether there are values for which it holds.
func (c Conj) Holds() bool {
	for _, s := range c {
		if s.Empty() {
			return false
		}
	}
	return true
}

// Clash names a value for which nothing is left, or is empty.
func (c Conj) Clash() string {
	for _, name := range slices.Sorted(maps.Keys(c)) {
		if c[name].Empty() {
			return name
		}
	}
	return ""
}

// Implies reports whether o holds wherever c does.
func (c Conj) Implies(o Conj) bool {
	for name, s := range o {
		have, ok := c[name]
		if !ok {
			have = Everything()
		}
		if !have.Within(s) {
			return false
		}
	}
	return true
}

// Limit bounds the alternatives of a rule that are looked at.
const Limit = 512

// product joins each alternative of a with each of b; ok is false when there
// would be too many.
func product(a, b []Conj) (out []Conj, ok bool) {
	if len(a)*len(b) > Limit {
		return nil, false
	}
	for _, x := range a {
		for _, y := range b {
			out = append(out, x.With(y))
		}
	}
	return out, true
}
