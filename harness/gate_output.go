// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"strings"
	"unicode"
)

// outputIntegrity looks at what would be spoken: a reply without any text, one
// that was cut off in mid-sentence, or one that holds a tool call, JSON or
// code instead of speech must be written again. A sentence that ends in a
// symbol, a bare value or other languages' punctuation is whole.
func outputIntegrity(v *View) []Finding {
	if !v.speaks() || v.Draft.Report {
		return nil
	}
	text := strings.TrimSpace(v.Draft.Text)
	switch {
	case text == "" || strings.ContainsAny(text, markup) && !says(text) && strings.TrimSpace(v.lang.Speakable(text)) == "":
		return []Finding{{Action: Say, Note: "the reply is empty: say something or call a tool"}}
	case v.lang.LooksLikeCall(text):
		return []Finding{{Action: Say, Note: "the reply holds a tool call or code as text: make the call, or speak"}}
	case v.lang.CutOff(text):
		return []Finding{{Action: Say, Note: "the reply breaks off in mid-sentence: finish it"}}
	}
	return nil
}

// says reports whether a text is certain to leave something to speak: it has a
// plain letter, and nothing of what may be taken out with what it contains, code and
// addresses.
func says(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r < unicode.MaxASCII && unicode.IsLetter(r) }) && !strings.Contains(text, "`") && !strings.Contains(text, "](") &&
		!strings.Contains(text, "://")
}

// markup are the characters without which a text has nothing but speech in it.
const markup = "`#*_<>[]|~^\\"
