// SPDX-License-Identifier: Apache-2.0

package oracle

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// foreign are units that nobody speaks in this car.
var foreign = regexp.MustCompile(`(?i)\b(miles?|mph|fahrenheit|gallons?|p\. ?m|\d+ ?pm|pm)\b`)

// tells wants the reply to tell what the policy wants told about the roads and
// points of interest of this turn, and in the units of this car.
func (w *Watch) tells(reply string) {
	if s := foreign.FindString(reply); s != "" {
		w.violate("002", "%q in %q", s, reply)
	}
	low := strings.ToLower(reply)
	toll, fastest := strings.Contains(low, "toll"), strings.Contains(low, "fastest") || strings.Contains(low, "quickest")
	for _, r := range w.heardOf.roads {
		if r.toll && (r.fastest || r.shortest) && names(low, r.via) && !toll {
			w.violate("021", "there is a toll on %s, and the reply is %q", r.via, reply)
		}
	}
	for _, l := range w.heardOf.set {
		for _, r := range l {
			if r.toll && !toll {
				w.violate("022-toll", "there is a toll on %s, and the reply is %q", r.via, reply)
			}
		}
		if len(l) > 1 && l[0].fastest && l[1].fastest && !w.wantsFastest && !fastest {
			w.violate("022", "the trip is on the fastest routes, and the reply is %q", reply)
		}
	}
	for _, found := range w.heardOf.found {
		if len(found) < 2 || !names(low, found[0]) || !names(low, found[1]) {
			continue
		}
		for _, n := range found[2:] {
			if !names(low, n) {
				w.violate("pois", "%s was found too, and the reply is %q", n, reply)
			}
		}
	}
}

// names reports whether a text in small letters has a name in it, as whole words.
func names(low, name string) bool {
	name = strings.ToLower(name)
	for from := 0; name != ""; {
		i := strings.Index(low[from:], name)
		if i < 0 {
			return false
		}
		end := from + i + len(name)
		before, _ := utf8.DecodeLastRuneInString(low[:from+i])
		after, _ := utf8.DecodeRuneInString(low[end:])
		if !partOfWord(before) && !partOfWord(after) {
			return true
		}
		from = end
	}
	return false
}

func partOfWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
