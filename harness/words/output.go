// SPDX-License-Identifier: Apache-2.0

package words

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

var (
	fence     = regexp.MustCompile("(?s)```.*?(```|$)")
	toolTag   = regexp.MustCompile(`(?is)<\s*/?\s*(tool_call|tool|function|function_call|function_calls|invoke|parameter)\b|<\|?(python_tag|tool_calls?_begin|channel)`)
	snakeCall = regexp.MustCompile(`\b[a-z]+(_[a-z0-9]+)+\s*\(`)
	jsonStart = regexp.MustCompile(`(?s)^\s*[\[{]\s*(["{\[]|[\]}])`)
	jsonCall  = regexp.MustCompile(`(?s)\{\s*"(name|tool|function|arguments|parameters|tool_calls?|action|type|input)"\s*:`)
	jsonField = regexp.MustCompile(`"[A-Za-z_][A-Za-z0-9_]*"\s*:\s*["\d\[{tfn]`)

	heading  = regexp.MustCompile(`(?m)^\s{0,3}#{1,6}\s+`)
	bullet   = regexp.MustCompile(`(?m)^\s*([-*+•‣▪◦]|\d{1,2}[.)])\s+`)
	quoteBar = regexp.MustCompile(`(?m)^\s*>\s?`)
	rule     = regexp.MustCompile(`(?m)^\s*([-*_]\s*){3,}$`)
	image    = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	address  = regexp.MustCompile(`\bhttps?://\S+`)
	strong   = regexp.MustCompile(`(\*\*\*|\*\*|__|~~)(\S(?:.*?\S)?)(\*\*\*|\*\*|__|~~)`)
	slanted  = regexp.MustCompile(`(^|[\s(])[*_](\S(?:[^*_\n]*\S)?)[*_]([\s).,;:!?]|$)`)
	cells    = regexp.MustCompile(`\s*\|\s*`)
	ruling   = regexp.MustCompile(`^[\s|:-]*--[\s|:-]*$`) // between the head and the rows of a table
	tag      = regexp.MustCompile(`</?[A-Za-z][^<>\n]{0,200}>`)
)

// LooksLikeCall reports whether a text is, or contains, a tool call or data
// meant for a machine: JSON, a call tag, a function call by its name. Such a
// text is never spoken.
func (l *Language) LooksLikeCall(text string) bool {
	if strings.Contains(text, "<") && toolTag.MatchString(text) ||
		strings.Contains(text, "(") && strings.Contains(text, "_") && snakeCall.MatchString(text) {
		return true
	}
	return strings.ContainsAny(text, "{[") && (jsonCall.MatchString(text) || jsonStart.MatchString(text) || jsonField.MatchString(text))
}

// Speakable takes off what cannot be spoken: markup, list marks, links, code,
// emoji. Items of a list become sentences. Words and numbers stay as they are.
func (l *Language) Speakable(text string) string {
	text = norm.NFC.String(strings.ToValidUTF8(text, ""))
	text = fence.ReplaceAllString(text, " ")
	text = rule.ReplaceAllString(text, "")
	text = heading.ReplaceAllString(text, "")
	text = quoteBar.ReplaceAllString(text, "")
	text = closeItems(text)
	text = tag.ReplaceAllString(text, " ")
	text = html.UnescapeString(text)
	text = image.ReplaceAllString(text, "$1")
	text = address.ReplaceAllString(text, "")
	text = strings.ReplaceAll(text, "`", "")
	text = strong.ReplaceAllString(text, "$2")
	text = slanted.ReplaceAllString(text, "$1$2$3")
	text = cells.ReplaceAllString(text, " ")
	text = strings.Map(sayable, text)
	text = strings.Join(strings.Fields(text), " ")
	for _, r := range [][2]string{{" .", "."}, {" ,", ","}, {" !", "!"}, {" ?", "?"}, {"()", ""}} {
		text = strings.ReplaceAll(text, r[0], r[1])
	}
	return strings.TrimSpace(text)
}

// closeItems takes the marks off list items and rows of tables, and ends each
// as a sentence.
func closeItems(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		bare := bullet.ReplaceAllString(line, "")
		if strings.Contains(line, "|") {
			bare = row(line)
		}
		if bare == line {
			continue
		}
		bare = strings.TrimRight(bare, " \t")
		if last, _ := utf8.DecodeLastRuneInString(bare); unicode.IsLetter(last) || unicode.IsDigit(last) {
			bare += "."
		}
		lines[i] = bare
	}
	return strings.Join(lines, "\n")
}

// row is a row of a table as it is read out: its cells, one after the other.
func row(line string) string {
	if ruling.MatchString(line) {
		return ""
	}
	return cells.ReplaceAllString(strings.Trim(line, " \t|"), ", ")
}

// sayable drops emoji, pictographs, arrows, control characters and what else
// has no sound.
func sayable(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return ' '
	case r == '°' || r == '%' || r == '€' || r == '$' || r == '£' || r == '+' || r == '=' || r == '&' || r == '/':
		return r
	case r == '*' || r == '#' || r == '~' || r == '^' || r == '|' || r == '\\' || r == '_' || r == '<' || r == '>':
		return ' '
	case unicode.Is(unicode.So, r), unicode.Is(unicode.Sk, r), unicode.Is(unicode.Cf, r), unicode.IsControl(r), unicode.Is(unicode.Co, r),
		unicode.Is(unicode.Sm, r), r >= 0xFE00 && r <= 0xFE0F, r >= 0x1F000:
		return -1
	}
	return r
}

// CutOff reports whether a text breaks off in mid-sentence. A text that ends
// in a mark of any script, a symbol, a number, a unit or the bare value of a
// state is whole; so is a short one.
func (l *Language) CutOff(text string) bool {
	text = strings.TrimRightFunc(l.Normal(text), unicode.IsSpace)
	if text == "" {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(text)
	if strings.ContainsRune(",([{„“‚-–—:", last) && !strings.HasSuffix(text, "“") {
		return true
	}
	if !unicode.IsLetter(last) {
		return false
	}
	line := text[strings.LastIndexByte(text, '\n')+1:]
	words := l.read(text).words()
	if len(words) == 0 {
		return false
	}
	end := words[len(words)-1]
	switch {
	case l.trails(words):
		return true
	case len(words) < 4, bullet.MatchString(line), l.valueEnds(words, end), !usesStops(text):
		return false
	}
	return true
}

// trails reports whether the last word cannot end a sentence: and, the, of.
func (l *Language) trails(words []Token) bool {
	s := &speech{toks: words[len(words)-1:]}
	for _, name := range []string{"and", "or", "but", "article"} {
		if l.list(name).has(s) {
			return true
		}
	}
	return false
}

// valueEnds reports whether the text ends in a value: a unit, a state, or a
// word in capital letters.
func (l *Language) valueEnds(words []Token, end Token) bool {
	s := &speech{toks: words[max(0, len(words)-3):]}
	for i := range s.toks {
		if _, n := l.unitAt(s, i); n > 0 && i+n == len(s.toks) {
			return true
		}
		if e, ok := l.list("state").ends(s, i); ok && e == len(s.toks) {
			return true
		}
	}
	return utf8.RuneCountInString(end.Text) > 1 && strings.ToUpper(end.Text) == end.Text
}

// usesStops reports whether the script of the text's last letter ends
// sentences with marks, as the alphabets do; Thai or Lao do not.
func usesStops(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	return unicode.In(last, unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Georgian)
}
