// SPDX-License-Identifier: Apache-2.0

package words

import (
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// About leaves the clauses out of a text that are about other tools: a clause
// is about the tools that write and that it names, and one that names none goes
// on about those of the clause before. "Open the roof, and the shade all the
// way" says of the roof only that it is to be opened. What is said before any
// tool is named is about all.
func (x *Lexicon) About(text, tool string) string {
	var kept []string
	here := true
	for _, c := range x.Lang.Utterance(text).Clauses {
		named, own := false, false
		for _, h := range x.NamesIn(c.Text) {
			for _, t := range h.Tools {
				named = named || t.Access == vehicle.Write
				own = own || t.Name == tool
			}
		}
		if named || own {
			here = own
		}
		if here {
			kept = append(kept, c.Text)
		}
	}
	return strings.Join(kept, ". ")
}
