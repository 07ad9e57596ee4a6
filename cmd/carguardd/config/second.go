// SPDX-License-Identifier: Apache-2.0

package config

import "github.com/carguardd/carguardd/harness"

// advisories are the names of the advisory gates.
func advisories() []string {
	var out []string
	for _, g := range harness.Gates() {
		if g.Tier == harness.Advisory {
			out = append(out, g.Name)
		}
	}
	return out
}

// checkSecond finds a key that asks for a model where there is none. A critic
// that nobody could be is none.
func (c *Config) checkSecond(r *reader) {
	if c.Student.Kind == Offline && c.Asks == AsksByModel {
		r.bad(c.at("harness.asks"), "student: {ollama: {}}", "harness.asks: the offline student is no model that could find them")
	}
}
