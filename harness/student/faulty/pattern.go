// SPDX-License-Identifier: Apache-2.0

package faulty

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"
)

// matching makes a string that matches the pattern, and reports false for a
// pattern that it cannot read.
func matching(r *rand.Rand, pattern string) (string, bool) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	var b strings.Builder
	ok := expand(r, &b, re)
	return b.String(), ok
}

func expand(r *rand.Rand, b *strings.Builder, re *syntax.Regexp) bool {
	repeat := func(lo, hi int) bool {
		for range lo + r.IntN(hi-lo+1) {
			if !expand(r, b, re.Sub[0]) {
				return false
			}
		}
		return true
	}
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginText, syntax.OpEndText, syntax.OpBeginLine, syntax.OpEndLine:
		return true
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
		return true
	case syntax.OpCharClass:
		if len(re.Rune) == 0 {
			return false
		}
		n := r.IntN(len(re.Rune)/2) * 2
		b.WriteRune(re.Rune[n] + rune(r.IntN(int(re.Rune[n+1]-re.Rune[n])+1)))
		return true
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('a' + byte(r.IntN(26)))
		return true
	case syntax.OpCapture:
		return expand(r, b, re.Sub[0])
	case syntax.OpStar:
		return repeat(0, 3)
	case syntax.OpPlus:
		return repeat(1, 3)
	case syntax.OpQuest:
		return repeat(0, 1)
	case syntax.OpRepeat:
		hi := re.Max
		if hi < 0 {
			hi = re.Min + 3
		}
		return repeat(re.Min, hi)
	case syntax.OpConcat:
		for _, s := range re.Sub {
			if !expand(r, b, s) {
				return false
			}
		}
		return true
	case syntax.OpAlternate:
		return expand(r, b, pick(r, re.Sub))
	}
	return false
}
