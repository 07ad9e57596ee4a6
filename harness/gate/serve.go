// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Limits bound what a foreign agent may send. The zero value of a field stands
// for its default.
type Limits struct {
	Line   int // bytes of a line; 1 MiB
	Events int // events of a conversation; 10,000
}

func (l Limits) withDefaults() Limits {
	if l.Line == 0 {
		l.Line = 1 << 20
	}
	if l.Events == 0 {
		l.Events = 10_000
	}
	return l
}

// Counts is what became of the lines.
type Counts struct {
	Lines, Bad, Allowed, Rejected int
	FailedGates                   int // gates that broke off, in all judgements
}

// Serve answers events, one JSON document a line, until the input ends or ctx
// does. Every line that is not blank gets exactly one line, in order, at once:
// a line that is wrong gets an error with its number, and the conversation goes
// on. The error is that reading or writing failed.
//
// When ctx ends before the input does, a goroutine may be left waiting for the
// input: nothing can end a read of a terminal.
func Serve(ctx context.Context, c *Conversation, in io.Reader, out io.Writer, l Limits) (Counts, error) {
	l = l.withDefaults()
	s := &server{c: c, limits: l, enc: json.NewEncoder(out)}
	s.enc.SetEscapeHTML(false)
	lines, failed := make(chan line), make(chan error, 1)
	end, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		failed <- readLines(end, in, l.Line, lines)
		close(lines)
	}()
	for {
		select {
		case <-ctx.Done():
			return s.counts, nil
		case next, ok := <-lines:
			if !ok {
				return s.counts, <-failed
			}
			if err := s.answer(next); err != nil {
				return s.counts, fmt.Errorf("write answer: %w", err)
			}
		}
	}
}

// line is one line of the input.
type line struct {
	number int
	text   []byte
	long   bool // longer than allowed; text is missing
}

// readLines hands on every line that is not blank.
func readLines(ctx context.Context, in io.Reader, most int, lines chan<- line) error {
	r := bufio.NewReader(in)
	for n := 1; ; n++ {
		text, long, err := readLine(r, most)
		if long || len(bytes.TrimSpace(text)) > 0 {
			select {
			case lines <- line{n, text, long}:
			case <-ctx.Done():
				return nil
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read line %d: %w", n, err)
		}
	}
}

// readLine reads one line; of one that is too long nothing is kept.
func readLine(r *bufio.Reader, most int) (text []byte, long bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(text)+len(part) > most+1; long {
			text = nil
		} else {
			text = append(text, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, long, err
		}
	}
}

// server answers lines.
type server struct {
	c      *Conversation
	limits Limits
	enc    *json.Encoder
	counts Counts
	events int // of this conversation
}

func (s *server) answer(l line) error {
	s.counts.Lines++
	a := s.judge(l)
	a.Line = l.number
	if a.Error != "" {
		s.counts.Bad++
	}
	s.counts.FailedGates += len(a.Failed)
	for _, v := range a.Verdicts {
		if v.Decision == Allow {
			s.counts.Allowed++
		} else {
			s.counts.Rejected++
		}
	}
	return s.enc.Encode(a)
}

func (s *server) judge(l line) Answer {
	if l.long {
		return Answer{Error: fmt.Sprintf("the line is longer than %d bytes", s.limits.Line)}
	}
	e, err := Parse(l.text)
	if err != nil {
		return Answer{Error: oneLine(err)}
	}
	if s.events++; e.Kind == Begin {
		s.events = 1
	}
	if s.events > s.limits.Events {
		return Answer{Error: fmt.Sprintf("the conversation has had %d events: begin another with a session event", s.limits.Events)}
	}
	a := s.c.Take(e)
	a.Error = strings.ReplaceAll(a.Error, "\n", "; ")
	return a
}

func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }
