// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"strings"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// provenance blocks a call with an identifier that no result, no driver's
// word and no policy text contained whole. An identifier is a single token of
// letters, digits and joints with at least three digits, or one that begins
// like an identifier that was observed, up to the first joint; an e-mail
// address, or a telephone number. Members of an enumeration are none, and
// neither is anything inside a sentence. What only the assistant wrote was not
// observed.
func provenance(v *View) []Finding {
	var out []Finding
	for i := range v.Draft.Calls {
		c, t := &v.Draft.Calls[i], v.p.tools[i]
		if t == nil || t.Access == vehicle.Noop {
			continue
		}
		c.Args.Walk(func(p vehicle.Path, leaf vehicle.Value) {
			id, ok := leaf.Text()
			if !ok || !isIdentifier(id) && !v.facts.idents.kin(id) || v.facts.idents.has(id) || v.facts.idents.hasFolded(id) {
				return
			}
			if s := t.Input.At(p); s != nil && (len(s.Enum) > 0 || s.Default.Equal(leaf)) {
				return
			}
			out = append(out, Finding{Action: Block, Subjects: []string{c.ID},
				Note:   fmt.Sprintf("%s: %s = %q was in no result; look it up first", c.Tool, p, id),
				Driver: words.Sentence(v.lang.Phrase(words.WhyInvalid, id))})
		})
	}
	return out
}

// isIdentifier reports whether an argument is one identifier as a whole.
func isIdentifier(s string) bool {
	if s == "" || strings.TrimSpace(s) != s {
		return false
	}
	if strings.Count(s, "@") == 1 && !strings.ContainsAny(s, " \t\n") {
		return true
	}
	if isPhone(s) {
		return true
	}
	return !strings.ContainsFunc(s, notIdent) && looksIdent(s)
}

// isPhone reports whether s is a telephone number: digits with blanks, a plus
// in front or dashes, at least six digits.
func isPhone(s string) bool {
	digits := 0
	for i, r := range s {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r == '+' && i == 0, r == ' ', r == '-' && i > 0, r == '/' && i > 0:
		default:
			return false
		}
	}
	return digits >= 6
}

// hasFolded compares telephone numbers and addresses as people write them:
// without blanks, in any case.
func (s identSet) hasFolded(id string) bool {
	if !strings.Contains(id, "@") && !isPhone(id) {
		return false
	}
	_, ok := s[fold(id)]
	return ok
}

func fold(id string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' || r == '/' {
			return -1
		}
		return r
	}, id))
}
