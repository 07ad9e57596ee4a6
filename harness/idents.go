// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/carguardd/carguardd/vehicle"
)

// identSet holds the identifiers somebody other than the assistant gave: a
// result, the driver, the policy text. Whole tokens only, since a prefix of a
// real identifier is another identifier.
type identSet map[string]struct{}

func (s identSet) has(id string) bool { _, ok := s[id]; return ok }

// kin reports whether a token is made like an identifier that somebody gave: it
// has two joints or more, no blank, and the same letters before the first one.
func (s identSet) kin(tok string) bool {
	i := strings.IndexAny(tok, "_-")
	if i < 1 || strings.Count(tok, "_")+strings.Count(tok, "-") < 2 || strings.ContainsFunc(tok, notIdent) {
		return false
	}
	for id := range s {
		if strings.HasPrefix(id, tok[:i+1]) && looksIdent(id) {
			return true
		}
	}
	return false
}

// addText adds every identifier-like token of a text.
func (s identSet) addText(text string) {
	for _, tok := range strings.FieldsFunc(text, notIdent) {
		tok = strings.Trim(tok, "-_.")
		if looksIdent(tok) {
			s[tok] = struct{}{}
		}
	}
}

// addSaid adds what a person said: its identifiers, and the addresses and
// telephone numbers that stand in it.
func (s identSet) addSaid(text string) {
	s.addText(text)
	for _, tok := range strings.Fields(text) {
		if tok = strings.Trim(tok, ".,;:!?()<>\"'"); strings.Count(tok, "@") == 1 {
			s[fold(tok)] = struct{}{}
		}
	}
	for _, number := range numbers.FindAllString(text, -1) {
		if isPhone(number) {
			s[fold(number)] = struct{}{}
		}
	}
}

// numbers finds what may be a telephone number in a text.
var numbers = regexp.MustCompile(`\+?[0-9][0-9 /-]*[0-9]`)

// addResult adds the identifiers of a result, but not those that the call's
// own arguments already named: an echo is no observation.
func (s identSet) addResult(v, args vehicle.Value) {
	echo := identSet{}
	args.Walk(func(_ vehicle.Path, leaf vehicle.Value) {
		if t, ok := leaf.Text(); ok {
			echo[t] = struct{}{}
		}
	})
	s.addValue(v, echo)
}

func (s identSet) addValue(v vehicle.Value, echo identSet) {
	switch v.Kind() {
	case vehicle.Object:
		for i := range v.Len() {
			if n := v.NameAt(i); looksIdent(n) && !echo.has(n) {
				s[n] = struct{}{} // results keyed by identifier
			}
			s.addValue(v.At(i), echo)
		}
	case vehicle.List:
		for _, it := range v.Items() {
			s.addValue(it, echo)
		}
	case vehicle.String:
		t, _ := v.Text()
		if echo.has(t) {
			return
		}
		s[t] = struct{}{}
		if strings.Contains(t, "@") || isPhone(t) {
			s[fold(t)] = struct{}{}
		}
		s.addText(t)
	}
}

func notIdent(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' && r != '.'
}

// looksIdent reports whether a token has the shape of an identifier that only
// a system hands out: letters and digits joined by _ or -, a digit among
// them, no blank. Words, numbers, times and enumeration members have not.
func looksIdent(tok string) bool {
	var letters, digits, joints int
	for _, r := range tok {
		switch {
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		case r == '_' || r == '-':
			joints++
		default:
			return false
		}
	}
	return letters > 0 && digits >= 3 && joints > 0
}
