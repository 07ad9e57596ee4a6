// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/carguardd/carguardd/rules"
)

// name is an id for a rule from a sentence: the label that the sentence begins
// with, as in "011: …", else its first words. It stays the same when other
// sentences come and go.
func (c *compiler) name(r *Result, sentence string) string {
	stem := ""
	if label, _, ok := strings.Cut(sentence, ":"); ok && rules.IsID(label) && len(label) <= 24 {
		stem = "c-" + label
	} else {
		stem = "c-" + slug(sentence)
	}
	id := stem
	for n := 2; c.taken(r, id); n++ {
		id = fmt.Sprintf("%s-%d", stem, n)
	}
	return id
}

func (c *compiler) taken(r *Result, id string) bool {
	for _, x := range r.Rules {
		if strings.EqualFold(x.ID, id) {
			return true
		}
	}
	for _, x := range c.base.Rules {
		if strings.EqualFold(x.ID, id) {
			return true
		}
	}
	return false
}

// slugWords and slugLength bound an id made of a sentence's words.
const slugWords, slugLength = 4, 32

func slug(sentence string) string {
	words := strings.FieldsFunc(strings.ToLower(sentence), func(c rune) bool { return c > unicode.MaxASCII || !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	var out []string
	length := 0
	for _, w := range words {
		if len(out) == slugWords || length+len(w) > slugLength {
			break
		}
		out, length = append(out, w), length+len(w)+1
	}
	if out == nil {
		return "rule"
	}
	return strings.Join(out, "-")
}
