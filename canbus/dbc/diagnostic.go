// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Position is a place in a file, line and column from 1; columns count characters.
type Position struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Col  int    `json:"col"`
}

func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// Severity ranks diagnostics.
type Severity uint8

// The severities.
const (
	Note    Severity = iota // kept out of the model on purpose, nothing is wrong
	Warning                 // repaired or ignored; the meaning of no signal depends on it
	Error                   // a message or signal cannot be used, or a statement is lost
)

func (s Severity) String() string { return [...]string{"note", "warning", "error"}[min(s, Error)] }

// MarshalText writes the name of the severity.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Diagnostic is one finding in a DBC file.
type Diagnostic struct {
	Pos      Position `json:"pos"`
	Severity Severity `json:"severity"`
	Reason   string   `json:"reason"`
	Text     string   `json:"text,omitempty"` // the statement, shortened to one line
}

func (d Diagnostic) String() string {
	s := fmt.Sprintf("%v: %v: %s", d.Pos, d.Severity, d.Reason)
	if d.Text != "" {
		s += " (in: " + d.Text + ")"
	}
	return s
}

// Problems is the error of a strict load: every diagnostic from [Warning] on.
type Problems []Diagnostic

func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, d := range p {
		lines[i] = d.String()
	}
	return strings.Join(lines, "\n")
}

func sortDiagnostics(ds []Diagnostic) {
	slices.SortStableFunc(ds, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
}

const maxDiagnosticText = 100

// shorten turns a statement into one line for a diagnostic.
func shorten(s string) string {
	s = strings.Join(strings.Fields(s[:min(len(s), 4*maxDiagnosticText)]), " ")
	if r := []rune(s); len(r) > maxDiagnosticText {
		return string(r[:maxDiagnosticText]) + "…"
	}
	return s
}
