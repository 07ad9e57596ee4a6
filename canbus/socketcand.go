// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The socketcand protocol is a stream of elements "< word argument … >". They
// may be glued together, separated by white space, and split anywhere.

// maxElement is longer than any element of the protocol, in bytes.
const maxElement = 512

// elementScanner cuts a stream into elements. Bytes between elements are
// ignored; a '<' inside an element begins it anew.
type elementScanner struct {
	buf    []byte
	inside bool
}

var errElementTooLong = errors.New("socketcand: element is too long")

// scan consumes data and calls yield with the text of each element that is
// complete, without its brackets. The text is valid during the call only.
func (s *elementScanner) scan(data []byte, yield func(element []byte) error) error {
	for _, c := range data {
		switch {
		case c == '<':
			s.buf, s.inside = s.buf[:0], true
		case !s.inside:
		case c == '>':
			s.inside = false
			if err := yield(s.buf); err != nil {
				return err
			}
		case len(s.buf) == maxElement:
			return errElementTooLong
		default:
			s.buf = append(s.buf, c)
		}
	}
	return nil
}

// message is a frame, an error frame, or a word with arguments.
type message struct {
	word  string // frame, send, error, ok, hi, echo, open, …
	arg   string // the rest, for words other than frame and send
	frame Frame
	errf  *ErrorFrame
	stamp time.Time
}

// parseElement reads one element. The word is set even if the rest is wrong.
func parseElement(element []byte) (message, error) {
	fields := strings.Fields(string(element))
	if len(fields) == 0 {
		return message{}, errors.New("socketcand: empty element")
	}
	m := message{word: fields[0], arg: strings.Join(fields[1:], " ")}
	var err error
	switch args := fields[1:]; {
	case m.word == "frame" && len(args) < 2, m.word == "send" && len(args) < 2:
		err = errors.New("want an identifier and another argument")
	case m.word == "frame":
		if m.frame, err = parseSocketcandID(args[0]); err == nil {
			m.stamp, err = parseSeconds(args[1])
		}
		if err == nil {
			err = socketcandBytes(&m.frame, args[2:])
		}
	case m.word == "send":
		m.frame, err = parseSend(args)
	case m.word == "error":
		m.errf, m.stamp = parseErrorElement(args)
	}
	if err != nil {
		err = fmt.Errorf("socketcand: element %q: %w", string(element), err)
	}
	return m, err
}

// parseSocketcandID takes eight digits, or a value that needs more than eleven
// bits, as extended: some clients do not pad identifiers.
func parseSocketcandID(s string) (Frame, error) {
	id, ok := parseHex(s)
	if !ok {
		return Frame{}, fmt.Errorf("identifier %q is not hexadecimal", s)
	}
	f := Frame{ID: id, IsExtended: len(s) == 8 || id > MaxStandardID}
	return f, f.Validate()
}

// parseSend reads "ID LENGTH BYTE …".
func parseSend(args []string) (Frame, error) {
	f, err := parseSocketcandID(args[0])
	if err != nil {
		return Frame{}, err
	}
	n, ok := parseHex(args[1])
	if !ok || n > MaxLength || len(args)-2 != int(n) {
		return Frame{}, fmt.Errorf("length %q with %d bytes", args[1], len(args)-2)
	}
	for i, s := range args[2:] {
		v, ok := parseHex(s)
		if !ok || v > 0xFF {
			return Frame{}, fmt.Errorf("byte %q", s)
		}
		f.Data[i] = byte(v)
	}
	f.Length = uint8(n)
	return f, nil
}

// socketcandBytes reads "09AA" (raw mode) or "09 AA" (bcm mode).
func socketcandBytes(f *Frame, args []string) error {
	if len(args) == 1 && len(args[0]) > 2 {
		return parseBytes(f, args[0])
	}
	if len(args) > MaxLength {
		return fmt.Errorf("%d bytes of data", len(args))
	}
	for i, s := range args {
		v, ok := parseHex(s)
		if !ok || v > 0xFF {
			return fmt.Errorf("byte %q", s)
		}
		f.Data[i], f.Length = byte(v), uint8(i+1)
	}
	return nil
}

// parseErrorElement tells an error frame "CLASS SECONDS [BYTES]" from an error
// text, for which it returns nil.
func parseErrorElement(args []string) (*ErrorFrame, time.Time) {
	if len(args) < 2 {
		return nil, time.Time{}
	}
	class, ok := parseHex(args[0])
	stamp, err := parseSeconds(args[1])
	if !ok || err != nil {
		return nil, time.Time{}
	}
	var f Frame
	if socketcandBytes(&f, args[2:]) != nil {
		return nil, time.Time{}
	}
	return &ErrorFrame{Class: class &^ errorFlag, Data: f.Data}, stamp
}

func parseSeconds(s string) (time.Time, error) { return parseStamp("(" + s + ")") }

// appendSend appends the element of a client that sends a frame.
func appendSend(b []byte, f Frame) []byte {
	b = appendID(append(b, "< send "...), f)
	b = append(b, ' ', '0'+f.Length)
	for _, d := range f.Payload() {
		b = append(b, ' ')
		b = strconv.AppendUint(b, uint64(d), 16)
	}
	return append(b, " >"...)
}

// appendFrame appends the element of a server that passes on a frame.
func appendFrame(b []byte, f Frame, stamp time.Time) []byte {
	b = appendID(append(b, "< frame "...), f)
	b = append(b, ' ')
	b = strconv.AppendInt(b, stamp.Unix(), 10)
	frac := strconv.AppendInt(nil, 1e6+int64(stamp.Nanosecond()/1e3), 10)
	b = append(append(b, '.'), frac[1:]...)
	b = appendHexBytes(append(b, ' '), f.Payload())
	return append(b, " >"...)
}

func appendID(b []byte, f Frame) []byte {
	if f.IsExtended {
		return appendHexID(b, f.ID, 8)
	}
	return appendHexID(b, f.ID, 3)
}
