// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// maxLogLine holds the longest legal line: a CAN XL frame of 2048 bytes.
const maxLogLine = 8 << 10

// LogError is a line of a log that could not be read.
type LogError struct {
	File      string
	Line, Col int // from 1; Col in bytes
	Err       error
}

func (e *LogError) Error() string { return fmt.Sprintf("%s:%d:%d: %v", e.File, e.Line, e.Col, e.Err) }

// Unwrap returns the reason, for example one wrapping [ErrNotSupported].
func (e *LogError) Unwrap() error { return e.Err }

// LogReader reads a candump -L log line by line.
type LogReader struct {
	name string
	r    *bufio.Reader
	line int
}

// NewLogReader reads from r; name is the file name for errors.
func NewLogReader(name string, r io.Reader) *LogReader {
	return &LogReader{name: name, r: bufio.NewReaderSize(r, maxLogLine)}
}

// Line returns the number of the line that Next read last, from 1.
func (l *LogReader) Line() int { return l.line }

// Next returns the next entry, or [io.EOF] at the end. After a [LogError] the
// next call goes on with the following line; other errors are those of the
// reader and final. Empty lines are skipped.
func (l *LogReader) Next() (LogEntry, error) {
	for {
		text, err := l.readLine()
		if err != nil {
			return LogEntry{}, err
		}
		if text == "" {
			continue
		}
		e, err := ParseLogLine(text)
		if err != nil {
			out := &LogError{File: l.name, Line: l.line, Col: 1, Err: err}
			if ce := (*columnError)(nil); errors.As(err, &ce) {
				out.Col, out.Err = ce.col, ce.err
			}
			return LogEntry{}, out
		}
		return e, nil
	}
}

func (l *LogReader) readLine() (string, error) {
	b, err := l.r.ReadSlice('\n')
	if len(b) == 0 && err != nil {
		return "", err
	}
	l.line++
	if errors.Is(err, bufio.ErrBufferFull) {
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = l.r.ReadSlice('\n')
		}
		return "", &LogError{l.name, l.line, maxLogLine, fmt.Errorf("line is longer than %d bytes", maxLogLine)}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	for len(b) > 0 && (b[len(b)-1] == '\n' || b[len(b)-1] == '\r') {
		b = b[:len(b)-1]
	}
	return string(b), nil
}
