// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"fmt"
	"strconv"
	"strings"
)

// muxMark is the mark after the name of a signal, and what SG_MUL_VAL_ adds.
type muxMark struct {
	text     string // M, m3, m3M
	value    uint64
	muxed    bool
	parent   string // from SG_MUL_VAL_
	explicit []Selector
}

func (s *Signal) parseMuxMark() error {
	mark := s.mux.text
	if mark == "" {
		return nil
	}
	rest := mark
	if r, ok := strings.CutSuffix(rest, "M"); ok {
		s.Switch, rest = true, r
	}
	if rest == "" {
		return nil
	}
	digits, ok := strings.CutPrefix(rest, "m")
	if ok && digits == "" {
		s.mux.muxed = true
		return fmt.Errorf("multiplexer mark %q has no value", mark)
	}
	v, err := strconv.ParseUint(digits, 10, 64)
	if !ok || err != nil {
		return fmt.Errorf("multiplexer mark %q is not M, m and a number, or both", mark)
	}
	s.mux.muxed, s.mux.value = true, v
	return nil
}

// muxValues reads SG_MUL_VAL_ id signal switch from-to, from-to.
func (l *loader) muxValues(st statement, c *cursor) {
	signals := l.signalRef(st, c)
	parent := c.word("the name of a switch")
	var ranges []Selector
	for c.peek() != 0 {
		// "0-3" would be one word, and "3-5" must not become 3 and -5.
		from, to, ok := strings.Cut(c.word("a range"), "-")
		a, err1 := strconv.ParseUint(from, 10, 64)
		b := a
		var err2 error
		if ok {
			b, err2 = strconv.ParseUint(to, 10, 64)
		}
		if err1 != nil || err2 != nil || a > b {
			c.fail("want a range of switch values such as 2-5")
		} else {
			ranges = append(ranges, Selector{a, b})
		}
		c.have(',')
	}
	if c.err != nil || len(ranges) == 0 {
		c.fail("no range of switch values")
		l.bad(st, c, Error)
		for _, s := range signals {
			l.unusable(s, "its switch values cannot be read")
		}
		return
	}
	if len(signals) > 1 {
		l.report(st.start, Error, l.text[st.start:st.end], "several signals have this name")
		for _, s := range signals {
			l.unusable(s, "SG_MUL_VAL_ names it but its name is not unique")
		}
		return
	}
	for _, s := range signals {
		if s.mux.parent != "" && s.mux.parent != parent {
			l.unusable(s, "it has two switches, %s and %s", s.mux.parent, parent)
			return
		}
		s.mux.muxed, s.mux.parent, s.mux.explicit = true, parent, append(s.mux.explicit, ranges...)
	}
}

// linkMux ties every multiplexed signal of a message to its switch.
func (l *loader) linkMux(m *Message) {
	var top []*Signal // switches that are always there
	for _, s := range m.Signals {
		if s.Switch && !s.mux.muxed {
			top = append(top, s)
		}
	}
	for _, s := range m.Signals {
		if !s.mux.muxed || s.Unusable != "" {
			continue
		}
		s.Selectors = []Selector{{s.mux.value, s.mux.value}}
		switch {
		case s.mux.parent != "":
			s.Selectors = s.mux.explicit
			s.MuxedBy, _ = m.Signal(s.mux.parent)
			if s.MuxedBy == nil || s.MuxedBy == s {
				l.unusable(s, "its switch %s is not in the message", s.mux.parent)
			}
		case len(top) == 1 && top[0] != s:
			s.MuxedBy = top[0]
		case len(top) == 0:
			l.unusable(s, "it is multiplexed (%s) but the message has no switch", s.mux.text)
		default:
			l.unusable(s, "it is multiplexed (%s) and the message has %d switches: SG_MUL_VAL_ must name one", s.mux.text, len(top))
		}
	}
	l.checkMux(m)
}

// checkMux refuses signals whose switch cannot be read, and circles.
func (l *loader) checkMux(m *Message) {
	for _, s := range m.Signals {
		steps := 0
		for p := s.MuxedBy; p != nil && s.Unusable == ""; p = p.MuxedBy {
			if steps++; steps > len(m.Signals) {
				l.unusable(s, "its switches depend on each other in a circle")
			} else if p.Unusable != "" {
				l.unusable(s, "its switch %s cannot be used", p.Name)
			} else if p.Kind == Float32 || p.Kind == Float64 {
				l.unusable(s, "its switch %s is a floating-point signal", p.Name)
			} else if !p.Switch {
				l.reportAt(p.Pos, Warning, "", "signal %s is used as a switch but not marked M", p.Name)
				p.Switch = true
			} else if p == s.MuxedBy && s.Selectors[0].From > p.bits.mask {
				l.unusable(s, "its switch value %s does not fit the %d bits of %s", selectorText(s.Selectors), p.Length, p.Name)
			}
		}
	}
}

// selected reports whether the switches in the payload select the signal.
func (s *Signal) selected(p payload, length uint8) bool {
	for ; s.MuxedBy != nil; s = s.MuxedBy {
		if length < s.MuxedBy.bits.bytes {
			return false
		}
		if !s.selects(s.MuxedBy.get(p) & s.MuxedBy.bits.mask) {
			return false
		}
	}
	return true
}

// selects compares the bits of the switch: selectors have no sign.
func (s *Signal) selects(raw uint64) bool {
	for _, r := range s.Selectors {
		if raw >= r.From && raw <= r.To {
			return true
		}
	}
	return false
}
