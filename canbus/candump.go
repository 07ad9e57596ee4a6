// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// LogEntry is one line of a candump -L log: a frame or an error frame.
type LogEntry struct {
	Time    time.Time
	Channel string // interface name, without blanks
	Frame   Frame
	Error   *ErrorFrame // if set, Frame is zero
	Sent    bool        // the line ends in T: sent by the recorder itself
}

// AppendText appends the line without a newline, with microseconds:
// "(1436509052.249713) vcan0 044#2A366C2BBA", and " T" for a sent frame.
func (e LogEntry) AppendText(b []byte) []byte {
	micros := e.Time.UnixMicro()
	b = append(b, '(')
	b = strconv.AppendInt(b, micros/1e6, 10)
	b = append(b, '.')
	frac := strconv.AppendInt(nil, 1e6+micros%1e6, 10)
	b = append(b, frac[1:]...)
	b = append(b, ") "...)
	b = append(b, e.Channel...)
	b = append(b, ' ')
	if e.Error != nil {
		b = e.Error.AppendText(b)
	} else {
		b = e.Frame.AppendText(b)
	}
	if e.Sent {
		b = append(b, " T"...)
	}
	return b
}

func (e LogEntry) String() string { return string(e.AppendText(nil)) }

// columnError is an error at a column of a line, counted in bytes from 1.
type columnError struct {
	col int
	err error
}

func (e *columnError) Error() string { return fmt.Sprintf("column %d: %v", e.col, e.err) }
func (e *columnError) Unwrap() error { return e.err }

// ParseLogLine reads one line of a candump -L log, in all variants of
// can-utils; an optional trailing R or T is the direction. A CAN FD or XL line
// gives an error wrapping [ErrNotSupported].
func ParseLogLine(line string) (LogEntry, error) {
	var e LogEntry
	rest := line
	next := func() (field string, col int) {
		rest = strings.TrimLeft(rest, " \t\r")
		col = len(line) - len(rest) + 1
		if i := strings.IndexAny(rest, " \t\r"); i >= 0 {
			field, rest = rest[:i], rest[i:]
			return field, col
		}
		field, rest = rest, ""
		return field, col
	}

	stamp, col := next()
	if len(stamp) > 0 && stamp[0] != '(' {
		return e, &columnError{col, errors.New("want a time stamp in parentheses, as candump -L writes it")}
	}
	t, err := parseStamp(stamp)
	if err != nil {
		return e, &columnError{col, err}
	}
	e.Time = t
	if e.Channel, col = next(); e.Channel == "" {
		return e, &columnError{col, errors.New("no interface name")}
	}
	text, col := next()
	raw, err := parseRawFrame(text)
	if err != nil {
		return e, &columnError{col, err}
	}
	if raw.isError {
		e.Error = &ErrorFrame{Class: raw.frame.ID, Data: raw.frame.Data}
	} else {
		e.Frame = raw.frame
	}
	direction, col := next()
	switch direction {
	case "", "R":
	case "T":
		e.Sent = true
	default:
		return e, &columnError{col, fmt.Errorf("unexpected %q after the frame", direction)}
	}
	if extra, col := next(); extra != "" {
		return e, &columnError{col, fmt.Errorf("unexpected %q after the direction", extra)}
	}
	return e, nil
}

// parseStamp reads "(seconds.fraction)" with up to nine digits of fraction.
func parseStamp(s string) (time.Time, error) {
	body, ok := strings.CutPrefix(s, "(")
	body, ok2 := strings.CutSuffix(body, ")")
	secText, fracText, ok3 := strings.Cut(body, ".")
	if ok && ok2 && ok3 && len(secText) <= 11 && len(fracText) >= 1 && len(fracText) <= 9 {
		sec, err1 := strconv.ParseUint(secText, 10, 63)
		nano, err2 := strconv.ParseUint(fracText+"00000000"[:9-len(fracText)], 10, 32)
		if err1 == nil && err2 == nil {
			return time.Unix(int64(sec), int64(nano)), nil
		}
	}
	return time.Time{}, fmt.Errorf("time stamp %q: want (seconds.fraction)", s)
}
