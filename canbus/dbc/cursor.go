// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// cursor reads the parts of one statement. The first failure sticks: after it
// every method returns a zero value, and err tells what was wanted where.
type cursor struct {
	text   string
	i, end int
	err    error
	errAt  int
	// overflow is set when a number was too large and was clamped.
	overflow bool
	// unclosed is set when a string had no closing quote.
	unclosed bool
}

func (s *source) cursor(st statement) *cursor {
	return &cursor{text: s.text, i: st.start + len(st.keyword), end: st.end}
}

func (c *cursor) fail(format string, args ...any) {
	if c.err == nil {
		c.err, c.errAt = fmt.Errorf(format, args...), min(c.i, len(c.text))
	}
}

func (c *cursor) skip() {
	for c.i < c.end {
		if isSpace(c.text[c.i]) {
			c.i++
		} else if strings.HasPrefix(c.text[c.i:c.end], "//") {
			c.i = min(lineEnd(c.text, c.i), c.end)
		} else {
			return
		}
	}
}

// peek returns the next byte that is not blank, or 0 at the end.
func (c *cursor) peek() byte {
	c.skip()
	if c.err != nil || c.i >= c.end {
		return 0
	}
	return c.text[c.i]
}

// have takes the byte if it comes next.
func (c *cursor) have(b byte) bool {
	if c.peek() == b && b != 0 {
		c.i++
		return true
	}
	return false
}

func (c *cursor) want(b byte) {
	if !c.have(b) {
		c.fail("want %q, found %s", string(b), c.found())
	}
}

func (c *cursor) found() string {
	c.skip()
	if c.i >= c.end {
		return "the end of the statement"
	}
	return strconv.Quote(shorten(c.text[c.i:min(c.end, c.i+20)]))
}

// word takes everything up to a blank or a separator. Names are free: they may
// begin with a digit and contain letters of any language.
func (c *cursor) word(what string) string {
	c.skip()
	start := c.i
	for c.err == nil && c.i < c.end && !isSpace(c.text[c.i]) && strings.IndexByte(`:;,|@()[]"`, c.text[c.i]) < 0 {
		c.i++
	}
	if c.i == start {
		c.fail("want %s, found %s", what, c.found())
	}
	return c.text[start:c.i]
}

// str takes a quoted string.
func (c *cursor) str() string {
	if c.peek() != '"' {
		c.fail("want a string in quotes, found %s", c.found())
		return ""
	}
	q := scanString(c.text, c.i, c.end)
	s := c.text[c.i+1 : q.end]
	if q.closed {
		s = s[:len(s)-1]
	} else {
		c.unclosed = true
	}
	c.i = q.end
	return unquote(s)
}

// number takes a decimal number, with sign and exponent, or a hexadecimal one.
func (c *cursor) number() (v float64, text string) {
	c.skip()
	if c.err != nil {
		return 0, ""
	}
	n := numberLength(c.text[c.i:c.end])
	if n == 0 {
		c.fail("want a number, found %s", c.found())
		return 0, ""
	}
	text = strings.TrimPrefix(c.text[c.i:c.i+n], "+")
	c.i += n
	if isHex(text) {
		u, err := strconv.ParseUint(text[2:], 16, 64)
		if err != nil {
			c.fail("number %s is too large", text)
		}
		return float64(u), text
	}
	v, err := strconv.ParseFloat(text, 64)
	if math.IsInf(v, 0) {
		c.overflow = true
		v = math.Copysign(math.MaxFloat64, v)
	} else if err != nil {
		c.fail("%q is not a number", text)
	}
	return v, text
}

// integer takes a whole number; 08 is eight. Unsigned values above the range
// of int64 keep their bits.
func (c *cursor) integer(what string) int64 {
	_, text := c.number()
	if c.err != nil {
		return 0
	}
	if isHex(text) {
		u, _ := strconv.ParseUint(text[2:], 16, 64)
		return int64(u)
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i
	}
	if u, err := strconv.ParseUint(text, 10, 64); err == nil {
		return int64(u)
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<62 {
		return int64(f)
	}
	c.fail("%s %q is not a whole number", what, text)
	return 0
}

// bounded takes a whole number between lo and hi.
func (c *cursor) bounded(what string, lo, hi int64) int {
	v := c.integer(what)
	if c.err == nil && (v < lo || v > hi) {
		c.fail("%s %d is not between %d and %d", what, v, lo, hi)
		return 0
	}
	return int(v)
}

func isHex(s string) bool { return strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X") }

// numberLength returns how many bytes at the start of s form a number.
func numberLength(s string) int {
	digits := func(i int) int {
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i
	}
	if isHex(s) {
		i := 2
		for i < len(s) && strings.IndexByte("0123456789abcdefABCDEF", s[i]) >= 0 {
			i++
		}
		return i
	}
	i := 0
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	start := i
	i = digits(i)
	if i < len(s) && s[i] == '.' {
		i = digits(i + 1)
	}
	if i == start || s[start:i] == "." {
		return 0
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		j := i + 1
		if j < len(s) && (s[j] == '+' || s[j] == '-') {
			j++
		}
		if k := digits(j); k > j {
			i = k
		}
	}
	return i
}
