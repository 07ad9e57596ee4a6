// SPDX-License-Identifier: Apache-2.0

package rulestest

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// mentions reports whether one of the texts holds one of the phrases as whole
// words, whatever the case.
func mentions(texts, phrases []string) bool {
	for _, t := range texts {
		for _, p := range phrases {
			if p != "" && hasWords(strings.ToLower(t), strings.ToLower(p)) {
				return true
			}
		}
	}
	return false
}

func hasWords(text, phrase string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], phrase)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(phrase)
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[end:])
		if !inWord(before) && !inWord(after) {
			return true
		}
		from = i + 1
	}
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
