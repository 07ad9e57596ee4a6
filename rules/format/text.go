// SPDX-License-Identifier: Apache-2.0

package format

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// doubtful are texts that some reader of YAML takes for something else.
var (
	truthy    = regexp.MustCompile(`(?i)^(y|n|yes|no|on|off|true|false|null|~)$`)
	numeric   = regexp.MustCompile(`^[-+.0-9][0-9a-fA-FxXoOeE_.:+]*$`)
	dateLike  = regexp.MustCompile(`^\d+-\d+(-\d+)?`)
	indicator = "-?:,[]{}#&*!|>'\"%@`=~"
)

// write is a text as YAML writes it, without quotes where that is plain to
// every reader; inside brackets less is.
func write(s string, flow bool) string {
	if plain(s, flow) {
		return s
	}
	return quoted(s)
}

func plain(s string, flow bool) bool {
	switch {
	case s == "" || strings.TrimSpace(s) != s || truthy.MatchString(s) || numeric.MatchString(s) || dateLike.MatchString(s):
		return false
	case strings.ContainsRune(indicator, rune(s[0])):
		return false
	case strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.HasSuffix(s, ":"):
		return false
	case flow && strings.ContainsAny(s, ",[]{}"):
		return false
	case !strings.Contains(s, " ") && strings.ContainsAny(s, "*[]{}\""):
		return false
	}
	for _, c := range s {
		if !unicode.IsPrint(c) {
			return false
		}
	}
	return true
}

func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\r':
			b.WriteString(`\r`)
		case unicode.IsPrint(c):
			b.WriteRune(c)
		case c < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			fmt.Fprintf(&b, `\U%08x`, c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
