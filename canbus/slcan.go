// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"bytes"
	"strconv"
)

// The ASCII protocol of serial CAN adapters: lines of a letter and hexadecimal
// digits that end with a carriage return. The adapter answers each with a
// carriage return, or with a bell when it refuses.
const (
	slcanEnd  = '\r'
	slcanBell = '\a'
	// slcanLine is more than the longest line has: T, eight digits, a length,
	// sixteen digits, a time stamp.
	slcanLine = 40
)

// slcanKind is what a line says.
type slcanKind uint8

const (
	slcanBad   slcanKind = iota // malformed, CAN FD, or none of these
	slcanOK                     // nothing but the end
	slcanNo                     // a bell
	slcanFrame                  // a frame received by the adapter, or to be sent by it
	slcanState                  // the state of the controller, with counters
	slcanFlags                  // status flags, an answer to F
	slcanError                  // errors on the bus
	slcanOther                  // anything else that begins with a letter
)

// slcanMessage is one line.
type slcanMessage struct {
	kind  slcanKind
	frame Frame
	link  Link   // of slcanState
	flags uint8  // of slcanFlags
	text  string // of slcanError and slcanOther
}

// Flags of the answer to F.
const (
	slcanRxFull  = 0x01
	slcanWarning = 0x04
	slcanOverrun = 0x08
	slcanPassive = 0x20
)

// slcanScanner cuts bytes into lines; they may come in any portions.
type slcanScanner struct {
	line []byte
	skip bool // of a line that was too long, until its end
}

// scan calls h for every line that ends in b, until h fails.
func (s *slcanScanner) scan(b []byte, h func(slcanMessage) error) error {
	return s.cut(b, func(line []byte, end byte) error {
		switch {
		case end == slcanBell:
			return h(slcanMessage{kind: slcanNo})
		case line == nil:
			return h(slcanMessage{})
		}
		return h(parseSlcan(line))
	})
}

// cut calls h with every line that ends in b, without its end, until h fails.
// The line is nil for one that was too long, and valid during the call only.
func (s *slcanScanner) cut(b []byte, h func(line []byte, end byte) error) error {
	if s.line == nil {
		s.line = make([]byte, 0, slcanLine+1)
	}
	for _, c := range b {
		if c != slcanEnd && c != slcanBell {
			if c == '\n' {
				continue
			}
			if s.line = append(s.line, c); len(s.line) > slcanLine {
				s.line, s.skip = s.line[:0], true
			}
			continue
		}
		line := s.line
		if s.skip {
			line = nil
		}
		s.line, s.skip = s.line[:0], false
		if err := h(line, c); err != nil {
			return err
		}
	}
	return nil
}

// parseSlcan reads a line without its end.
func parseSlcan(line []byte) slcanMessage {
	if len(line) == 0 {
		return slcanMessage{kind: slcanOK}
	}
	rest := line[1:]
	switch line[0] {
	case 't', 'T', 'r', 'R':
		return parseSlcanFrame(line)
	case 's':
		if l, ok := parseSlcanState(rest); ok {
			return slcanMessage{kind: slcanState, link: l}
		}
		return slcanMessage{}
	case 'F':
		if v, ok := parseHex(string(rest)); ok && len(rest) == 2 {
			return slcanMessage{kind: slcanFlags, flags: uint8(v)}
		}
		return slcanMessage{}
	case 'e': // a digit, and as many letters
		if len(rest) > 1 && int(rest[0]-'0') == len(rest)-1 {
			return slcanMessage{kind: slcanError, text: string(rest[1:])}
		}
		return slcanMessage{}
	case 'd', 'D', 'b', 'B': // CAN FD
		return slcanMessage{}
	}
	if c := line[0] | 0x20; c < 'a' || c > 'z' {
		return slcanMessage{}
	}
	return slcanMessage{kind: slcanOther, text: string(line)}
}

// parseSlcanFrame reads t, T, r and R lines: three or eight digits of
// identifier, one of length, the bytes, and perhaps four digits of time stamp.
func parseSlcanFrame(line []byte) slcanMessage {
	f := Frame{IsExtended: line[0]&0x20 == 0, IsRemote: line[0]|0x20 == 'r'}
	digits := 3
	if f.IsExtended {
		digits = 8
	}
	if len(line) < digits+2 {
		return slcanMessage{}
	}
	id, ok := parseHex(string(line[1 : digits+1]))
	n := line[digits+1] - '0'
	if !ok || n > MaxLength {
		return slcanMessage{}
	}
	f.ID, f.Length = id, n
	rest := line[digits+2:]
	if !f.IsRemote {
		if len(rest) < int(2*n) {
			return slcanMessage{}
		}
		for i := range n {
			v, ok := parseHex(string(rest[2*i : 2*i+2]))
			if !ok {
				return slcanMessage{}
			}
			f.Data[i] = byte(v)
		}
		rest = rest[2*n:]
	}
	if _, ok := parseHex(string(rest)); len(rest) != 0 && (len(rest) != 4 || !ok) {
		return slcanMessage{}
	}
	if f.Validate() != nil {
		return slcanMessage{}
	}
	return slcanMessage{kind: slcanFrame, frame: f}
}

var slcanStates = []struct {
	letter byte
	link   Link
}{
	{'a', Link{State: LinkUp}},
	{'w', Link{State: LinkWarning, Cause: causeWarning}},
	{'p', Link{State: LinkPassive, Cause: causePassive}},
	{'b', Link{State: LinkBusOff, Cause: causeBusOff}},
}

// parseSlcanState reads a letter and two decimal counters of three digits, of
// received and of sent frames. A counter above 255 is one of a controller that
// is bus-off.
func parseSlcanState(b []byte) (Link, bool) {
	if len(b) != 7 {
		return Link{}, false
	}
	rx, err1 := strconv.ParseUint(string(b[1:4]), 10, 16)
	tx, err2 := strconv.ParseUint(string(b[4:]), 10, 16)
	for _, s := range slcanStates {
		if s.letter == b[0] && err1 == nil && err2 == nil {
			l := s.link
			l.RxErrors, l.TxErrors = uint8(min(rx, 255)), uint8(min(tx, 255))
			return l, true
		}
	}
	return Link{}, false
}

// appendSlcanState appends the line of a state, or nothing for one that a
// controller does not report.
func appendSlcanState(b []byte, l Link) []byte {
	for _, s := range slcanStates {
		if s.link.State == l.State {
			b = append(b, 's', s.letter)
			b = appendThree(b, l.RxErrors)
			return append(appendThree(b, l.TxErrors), slcanEnd)
		}
	}
	return b
}

func appendThree(b []byte, n uint8) []byte { return append(b, '0'+n/100, '0'+n/10%10, '0'+n%10) }

// appendSlcan appends the line of a valid frame.
func appendSlcan(b []byte, f Frame) []byte {
	letter, digits := byte('t'), 3
	if f.IsRemote {
		letter = 'r'
	}
	if f.IsExtended {
		letter, digits = letter&^0x20, 8
	}
	b = append(b, letter)
	b = append(appendHexID(b, f.ID, digits), '0'+f.Length)
	return append(appendHexBytes(b, f.Payload()), slcanEnd)
}

// slcanBitRates are those of S0 to S8, in bit/s.
var slcanBitRates = []int{10_000, 20_000, 50_000, 100_000, 125_000, 250_000, 500_000, 800_000, 1_000_000}

// slcanLosses reports whether the letters of an error line say that frames were lost.
func slcanLosses(letters string) bool { return bytes.ContainsAny([]byte(letters), "oO") }
