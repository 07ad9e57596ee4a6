// SPDX-License-Identifier: Apache-2.0

package config

import "slices"

// Changed returns the keys whose values differ, in the order of the table. A
// key with names of the user's own below it, such as buses, counts as one.
func (c *Config) Changed(to *Config) []string { return changed("", c.table(), to.table()) }

func changed(path string, a, b group) []string {
	var out []string
	for i, m := range a {
		at := join(path, m.key)
		if g, ok := m.item.(group); ok {
			out = append(out, changed(at, g, b[i].item.(group))...)
		} else if !slices.Equal(m.item.value().AppendJSON(nil), b[i].item.value().AppendJSON(nil)) {
			out = append(out, at)
		}
	}
	return out
}
