// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"fmt"
	"math"
	"strings"
)

// signal reads SG_ name mux : start|length@order sign (factor,offset) [min|max]
// "unit" receivers. A signal that cannot be read is kept as unusable.
func (l *loader) signal(st statement, c *cursor) {
	s := &Signal{Pos: l.pos(st.start), Attributes: Attributes{}, message: l.current}
	if l.current == nil {
		l.report(st.start, Error, l.text[st.start:st.end], "signal before the first message, ignored")
		return
	}
	l.current.Signals = append(l.current.Signals, s)
	s.Name = c.word("a signal name")
	if c.peek() != ':' {
		s.mux.text = c.word("a multiplexer mark or ':'")
	}
	c.want(':')
	l.layout(s, c)
	l.scaling(s, c)
	if c.err == nil && c.peek() == '"' {
		s.Unit = c.str()
	}
	s.readReceivers(c)
	if c.err != nil {
		s.Unusable = c.err.Error()
		l.bad(st, c, Error)
		return
	}
	if c.overflow {
		l.report(st.start, Warning, l.text[st.start:st.end], "a number is too large for a float64 and was clamped")
	}
	if err := s.parseMuxMark(); err != nil {
		l.unusable(s, "%v", err)
	}
}

func (l *loader) layout(s *Signal, c *cursor) {
	s.Start = c.bounded("start bit", 0, 1<<16)
	c.want('|')
	s.Length = c.bounded("length", 0, 1<<16)
	c.want('@')
	switch {
	case c.have('0'):
		s.BigEndian = true
	case c.have('1'):
	default:
		c.fail("byte order: want 0 or 1, found %s", c.found())
	}
	switch {
	case c.have('-'):
		s.Kind = Signed
	case c.have('+'):
	default:
		c.fail("sign: want + or -, found %s", c.found())
	}
}

func (l *loader) scaling(s *Signal, c *cursor) {
	c.want('(')
	var factor, offset string
	s.Factor, factor = c.number()
	c.want(',')
	s.Offset, offset = c.number()
	c.want(')')
	s.decimals = commonDecimals(factor, offset)
	if c.peek() != '[' {
		return
	}
	c.want('[')
	s.Min, _ = c.number()
	c.want('|')
	s.Max, _ = c.number()
	c.want(']')
	s.HasRange = s.Min < s.Max
	if s.Min > s.Max && c.err == nil {
		at := s.Pos
		l.reportAt(at, Warning, s.Name, "minimum %v is above maximum %v, range ignored", s.Min, s.Max)
	}
}

func (s *Signal) readReceivers(c *cursor) {
	for c.peek() != 0 {
		if c.have(',') {
			continue
		}
		if name := c.word("a receiver"); c.err == nil && name != noNode {
			s.Receivers = append(s.Receivers, name)
		}
	}
}

// commonDecimals returns the power of ten that turns both decimal numbers into
// whole ones, or 0 if that is more than 10^12 or an exponent is used.
func commonDecimals(numbers ...string) float64 {
	most := 0
	for _, n := range numbers {
		if strings.ContainsAny(n, "eExX") {
			return 0
		}
		if _, frac, ok := strings.Cut(n, "."); ok {
			most = max(most, len(strings.TrimRight(frac, "0")))
		}
	}
	if most > 12 {
		return 0
	}
	return math.Pow10(most)
}

// unusable sets a signal aside.
func (l *loader) unusable(s *Signal, format string, args ...any) {
	if s.Unusable != "" {
		return
	}
	s.Unusable = fmt.Sprintf(format, args...)
	l.reportAt(s.Pos, Error, "", "signal %s of message %s cannot be used: %s", s.Name, s.message.Name, s.Unusable)
}

// valueType reads SIG_VALTYPE_ id signal : 1 (float32) or 2 (float64).
func (l *loader) valueType(st statement, c *cursor) {
	signals := l.signalRef(st, c)
	c.have(':')
	kind := c.bounded("value type", 0, 3)
	if c.err != nil {
		l.bad(st, c, Error)
		for _, s := range signals {
			l.unusable(s, "its value type cannot be read")
		}
		return
	}
	for _, s := range signals {
		switch {
		case kind == 1 && s.Length == 32:
			s.Kind = Float32
		case kind == 2 && s.Length == 64:
			s.Kind = Float64
		case kind != 0:
			l.unusable(s, "value type %d (1: float of 32 bits, 2: of 64) does not fit its %d bits", kind, s.Length)
		}
	}
}
