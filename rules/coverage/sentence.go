// SPDX-License-Identifier: Apache-2.0

package coverage

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// policy is a policy as one line of words, with where its sentences are.
type policy struct {
	flat      string
	sentences []span
}

type span struct{ from, to, line int }

var bullet = regexp.MustCompile(`^\s*([-*+]|\d+[.)])\s+`)

// read finds the sentences of a Markdown text. A heading, a list element and
// an empty line end what came before; code blocks and comments hold no
// policy.
func read(text string) policy {
	var p policy
	open := false // a sentence has begun
	fenced, comment := false, false
	for n, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		heading := strings.HasPrefix(trimmed, "#")
		skip := heading || fenced || comment || trimmed == "" || strings.HasPrefix(trimmed, "<!--")
		switch {
		case strings.HasPrefix(trimmed, "```"):
			fenced, skip = !fenced, true
		case strings.HasPrefix(trimmed, "<!--"):
			comment = !strings.Contains(trimmed, "-->")
		case comment:
			comment = !strings.Contains(trimmed, "-->")
		}
		mark := bullet.FindString(line)
		if skip || mark != "" {
			open = false
		}
		for i, w := range strings.Fields(line) {
			if p.flat != "" {
				p.flat += " "
			}
			at := len(p.flat)
			p.flat += w
			if skip || mark != "" && i == 0 {
				continue
			}
			if open && p.ends(w) {
				open = false
			}
			if !open {
				p.sentences = append(p.sentences, span{from: at, line: n + 1})
				open = true
			}
			p.sentences[len(p.sentences)-1].to = len(p.flat)
		}
	}
	return p
}

// ends reports whether the sentence before a word ended there.
func (p *policy) ends(next string) bool {
	last := p.sentences[len(p.sentences)-1]
	before := strings.TrimRight(p.flat[last.from:last.to], `"')*_`)
	if before == "" || !strings.ContainsAny(before[len(before)-1:], ".!?") {
		return false
	}
	word := before[strings.LastIndexByte(before, ' ')+1:]
	if strings.Count(word, ".") > 1 || utf8.RuneCountInString(word) <= 2 {
		return false // e.g., z.B., an initial
	}
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(next, `"'(*_`))
	return unicode.IsUpper(r) || unicode.IsDigit(r)
}
