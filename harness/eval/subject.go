// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"slices"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// subject says what a finding is about: a write where any of its calls is
// one, a read, or the reply.
func (sc *Scene) subject(st *Step, f *harness.Finding) string {
	if st.Speaks() {
		return onReply
	}
	kind := onRead
	for i := range st.Calls {
		c := &st.Calls[i]
		if len(f.Subjects) > 0 && !slices.Contains(f.Subjects, c.ID) {
			continue
		}
		if t := sc.Profile.Tool(c.Tool); t != nil && t.Access == vehicle.Write {
			kind = onWrite
		}
	}
	return kind
}

// readOK reports whether one of the finding's calls gave its result.
func readOK(st *Step, f *harness.Finding) bool {
	for i := range st.Calls {
		if slices.Contains(f.Subjects, st.Calls[i].ID) && st.Results[i].OK() {
			return true
		}
	}
	return false
}
