// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"regexp"
	"strings"
)

// statementLike matches a line that can hardly be prose.
var statementLike = regexp.MustCompile(`(?m)^[ \t]*(BO_[ \t]+\d+[ \t]+\S+[ \t]*:|SG_[ \t].*:[ \t]*\d+\|\d+@|VAL_[ \t]+\d+[ \t]|BA_[ \t]+"|BA_DEF|CM_[ \t]+("|BU_|BO_|SG_|EV_)|BO_TX_BU_[ \t]+\d|SIG_VALTYPE_[ \t]+\d|SG_MUL_VAL_[ \t]+\d)`)

// hiddenMessage matches a message or signal inside a longer text.
var hiddenMessage = regexp.MustCompile(`(?m)^[ \t]*(BO_[ \t]+\d+[ \t]+\S+[ \t]*:|SG_[ \t].*:[ \t]*\d+\|\d+@)`)

// quoted is a string found in the source.
type quoted struct {
	end    int // after the closing quote, or where an open string was given up
	closed bool
	hides  bool // contains something that looks like a message or signal
}

// scanString finds the end of the string whose opening quote is at i. A string
// may run over lines. One that swallows statements and is not followed by what
// can follow a string was not closed: it ends with the line before them.
func scanString(text string, i, end int) quoted {
	j := closingQuote(text, i+1, end)
	body := text[i+1 : j]
	if strings.IndexByte(body, '\n') < 0 {
		if j < end {
			return quoted{end: j + 1, closed: true}
		}
		return quoted{end: min(lineEnd(text, i), end)}
	}
	swallowed := statementLike.FindStringIndex(body[strings.IndexByte(body, '\n')+1:])
	if j < end && (swallowed == nil || canFollowString(text[j+1:end])) {
		return quoted{end: j + 1, closed: true, hides: swallowed != nil && hiddenMessage.MatchString(body)}
	}
	if swallowed == nil {
		return quoted{end: lineEnd(text, i)}
	}
	return quoted{end: i + 1 + strings.IndexByte(body, '\n') + swallowed[0]}
}

// closingQuote returns the offset of the quote that ends a string, or end. A
// backslash escapes a quote, unless a semicolon follows: "C:\dir\";
func closingQuote(text string, i, end int) int {
	for ; i < end; i++ {
		if text[i] != '"' {
			continue
		}
		rest := strings.TrimLeft(text[i+1:end], " \t")
		if text[i-1] != '\\' || rest == "" || rest[0] == ';' {
			return i
		}
	}
	return end
}

// canFollowString tells whether s may come after a closed string: the end, a
// separator, a number, or a new statement on a new line.
func canFollowString(s string) bool {
	t := strings.TrimLeft(s, " \t\n")
	if t == "" || strings.IndexByte(`;,+-0123456789`, t[0]) >= 0 {
		return true
	}
	return strings.HasPrefix(strings.TrimLeft(s, " \t"), "\n") && startsStatement(t)
}

// unquote resolves the escaped quotes of a string and nothing else: DBC has no
// other escapes, and a path keeps its backslashes.
func unquote(s string) string { return strings.ReplaceAll(s, `\"`, `"`) }
