// SPDX-License-Identifier: Apache-2.0

package gate

// Members are the keys of all events.
func Members() []string {
	out := []string{"at"}
	for kind, keys := range members {
		out = append(append(out, string(kind)), keys...)
	}
	return out
}
