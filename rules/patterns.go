// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"slices"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// Patterns lists the names of a profile's signals, then the patterns with *
// that fit several of them.
func Patterns(p *vehicle.Profile) []string {
	var out []string
	for _, s := range p.Signals {
		out = append(out, s.Name)
	}
	seen := map[string]bool{}
	for _, s := range p.Signals {
		parts := strings.Split(s.Name, "_")
		for from := 1; from < len(parts); from++ {
			for to := from + 1; to <= len(parts); to++ {
				pattern := strings.Join(slices.Concat(parts[:from], []string{"*"}, parts[to:]), "_")
				if !seen[pattern] && len(p.Match(pattern)) > 1 {
					out = append(out, pattern)
				}
				seen[pattern] = true
			}
		}
	}
	return out
}
