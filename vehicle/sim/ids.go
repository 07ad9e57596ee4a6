// SPDX-License-Identifier: Apache-2.0

package sim

import "strings"

// Identifiers are checked by form before anything is looked up: loc_abc_1,
// poi_abc_1, rll_abc_def_1, con_1, plg_abc_1. The letters between may be of
// any script.

func isPlace(id string) bool { return hasForm(id, 3, "loc") }
func isPOI(id string) bool   { return hasForm(id, 3, "poi") }
func isStop(id string) bool  { return isPlace(id) || isPOI(id) }
func isPlug(id string) bool  { return hasForm(id, 3, "plg") }
func isRoute(id string) bool { return hasForm(id, 4, "rll", "rlp", "rpl", "rpp") }
func isContact(id string) bool {
	return hasForm(id, 2, "con")
}

// hasForm reports whether the id has so many parts, begins with one of the
// kinds and ends in digits.
func hasForm(id string, parts int, kinds ...string) bool {
	p := strings.Split(id, "_")
	if len(p) != parts {
		return false
	}
	ok := false
	for _, k := range kinds {
		ok = ok || p[0] == k
	}
	last := p[parts-1]
	if !ok || last == "" || strings.Trim(last, "0123456789") != "" {
		return false
	}
	for _, mid := range p[1 : parts-1] {
		if len([]rune(mid)) != 3 {
			return false
		}
	}
	return true
}
