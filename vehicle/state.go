// SPDX-License-Identifier: Apache-2.0

package vehicle

import "slices"

// State is one value per signal, by its ID; unknown where nothing is known.
type State []Value

// NewState returns a state of n signals, all unknown.
func NewState(n int) State { return make(State, n) }

// Clone returns a copy that can be changed without changing s.
func (s State) Clone() State { return slices.Clone(s) }

// Apply carries out the assignments in order. This is the whole of
// projection: what actuation sends, Apply does to a copy.
func (s State) Apply(as []Assignment) {
	for _, a := range as {
		switch a.Op {
		case Set:
			s[a.Signal] = a.Value
		case Append:
			s[a.Signal] = s[a.Signal].Append(a.Value)
		case Forget:
			s[a.Signal] = Value{}
		}
	}
}
