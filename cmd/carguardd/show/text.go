// SPDX-License-Identifier: Apache-2.0

package show

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The colours of labels.
const (
	bold   = "\x1b[1m"
	dim    = "\x1b[2m"
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	cyan   = "\x1b[36m"
	reset  = "\x1b[0m"
)

const (
	labelWidth = 12  // columns before the text
	textWidth  = 100 // columns of the text, before it is wrapped
)

// line writes a labelled text, wrapped, its further lines indented. A label
// like the one of the line before is left out.
func (p *page) line(label, color, text string) {
	shown := label
	if label == p.last {
		shown = ""
	}
	p.last = label
	for i, part := range strings.Split(text, "\n") {
		if part = Clean(part); i > 0 {
			part = "  " + part
		}
		for _, l := range wrap(part) {
			pad := strings.Repeat(" ", max(0, labelWidth-len(shown)))
			switch {
			case !p.Color || color == "":
			case label == "":
				l = color + l + reset
			case shown != "":
				shown = color + shown + reset
			}
			p.buf.WriteString(shown + pad + l + "\n")
			shown = ""
		}
	}
}

// wrap breaks a text between words. A word longer than a line stays whole.
func wrap(s string) []string {
	var lines []string
	s = strings.TrimRight(s, " ")
	for utf8.RuneCountInString(s) > textWidth {
		at := cutAt(s)
		if at <= 0 {
			break
		}
		lines = append(lines, strings.TrimRight(s[:at], " "))
		s = "  " + strings.TrimLeft(s[at:], " ")
	}
	return append(lines, s)
}

// cutAt is where the first line of a long text ends: behind the last space that
// fits, else behind the first one; 0 when there is none.
func cutAt(s string) int {
	indent := len(s) - len(strings.TrimLeft(s, " "))
	col, at := 0, 0
	for i, r := range s {
		if col > textWidth && at > 0 {
			break
		}
		if r == ' ' && i > indent && !unitAt(s[i+1:]) {
			at = i + 1
		}
		col++
	}
	return at
}

// unitAt reports whether the text goes on with the unit of a number, which
// stays on the number's line.
func unitAt(s string) bool { return strings.HasPrefix(s, "%") || strings.HasPrefix(s, "°") }

// Clean writes out what a terminal would obey or hide: control and format
// characters, and bytes that are no UTF-8.
func Clean(s string) string {
	if strings.IndexFunc(s, unsafe) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\t':
			b.WriteByte(' ')
		case r == utf8.RuneError && n == 1:
			b.WriteString(`\x` + strconv.FormatUint(uint64(s[i]), 16))
		case unsafe(r):
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

func unsafe(r rune) bool { return r == '\t' || !unicode.IsGraphic(r) }
