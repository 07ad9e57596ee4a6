// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"regexp"
	"strings"
)

// simple is a pattern made of literals, classes and groups that are not
// nested, each perhaps repeated a bounded number of times. Everything beyond,
// lookaheads and escapes above all, is read differently by every server, and
// fatally by some.
var simple = regexp.MustCompile(`^\^(?:(?:[\w \-:/@#%,]|\[[\w \-:/@#%,.+]+\]|\([\w \-:/@#%,]+(?:\|[\w \-:/@#%,]+)*\))(?:[*+?]|\{\d{1,2}(?:,\d{1,2})?\})?)+\$$`)

func safePattern(p string) bool {
	if len(p) > 128 || !simple.MatchString(p) {
		return false
	}
	_, err := regexp.Compile(p) // ranges in order, bounds in order
	return err == nil
}

// pointer splits a reference into the same document, as in "#/$defs/seat".
func pointer(ref string) ([]string, bool) {
	rest, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil, false
	}
	parts := strings.Split(rest, "/")
	for i, p := range parts {
		parts[i] = strings.ReplaceAll(strings.ReplaceAll(p, "~1", "/"), "~0", "~")
	}
	return parts, true
}
