// SPDX-License-Identifier: Apache-2.0

package vehicle

import "fmt"

// Pos is a place in a file, for people: line and column count from 1.
type Pos struct {
	File      string
	Line, Col int
}

func (p Pos) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Problem is one thing wrong with a file: where, what, and what to do.
type Problem struct {
	Pos  Pos
	Text string // lower case, what is wrong
	Hint string // what to do, or empty
}

func (p Problem) Error() string {
	s := p.Pos.String() + ": " + p.Text
	if p.Hint != "" {
		s += " (" + p.Hint + ")"
	}
	return s
}

// Problems are all things wrong with a set of files, in their order.
type Problems []Problem

func (ps Problems) Error() string {
	var s string
	for i, p := range ps {
		if i > 0 {
			s += "\n"
		}
		s += p.Error()
	}
	return s
}

// Err returns the problems as an error, or nil when there are none.
func (ps Problems) Err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}
