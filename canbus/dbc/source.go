// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"bytes"
	"errors"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// maxFile is more than ten times the largest public file, in bytes.
const maxFile = 16 << 20

// source is a file as text, and its diagnostics.
type source struct {
	name  string
	text  string
	lines []int // offset of each line
	diags []Diagnostic
}

// newSource decodes a file: UTF-8 with or without byte order mark, else
// Windows-1252; all line ends become \n.
func newSource(name string, data []byte) (*source, error) {
	switch {
	case len(data) > maxFile:
		return nil, fmt.Errorf("%s: %d bytes, at most %d", name, len(data), maxFile)
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}) || bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		return nil, fmt.Errorf("%s: the file is UTF-16: save it as UTF-8", name)
	}
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	s := &source{name: name, text: string(data)}
	firstBad := -1
	if !utf8.Valid(data) {
		firstBad = firstInvalid(data)
		decoded, err := charmap.Windows1252.NewDecoder().Bytes(data)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%s: neither UTF-8 nor Windows-1252", name), err)
		}
		s.text = string(decoded)
	}
	nul := strings.IndexByte(s.text, 0)
	s.text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", " ").Replace(s.text)
	s.lines = []int{0}
	for i := range len(s.text) {
		if s.text[i] == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	if firstBad >= 0 {
		line := bytes.Count(data[:firstBad], []byte("\n")) + 1
		s.diags = append(s.diags, Diagnostic{
			Pos: Position{name, line, firstBad - bytes.LastIndexByte(data[:firstBad], '\n')}, Severity: Note,
			Reason: "not UTF-8, read as Windows-1252",
		})
	}
	if nul >= 0 {
		s.report(min(nul, len(s.text)), Warning, "", "NUL byte, read as a blank")
	}
	return s, nil
}

func firstInvalid(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(b)
}

// pos turns an offset into line and column.
func (s *source) pos(offset int) Position {
	line := sort.SearchInts(s.lines, offset+1) - 1
	return Position{s.name, line + 1, utf8.RuneCountInString(s.text[s.lines[line]:offset]) + 1}
}

func (s *source) report(offset int, sev Severity, text, format string, args ...any) {
	s.reportAt(s.pos(offset), sev, text, format, args...)
}

func (s *source) reportAt(pos Position, sev Severity, text, format string, args ...any) {
	s.diags = append(s.diags, Diagnostic{Pos: pos, Severity: sev, Reason: fmt.Sprintf(format, args...), Text: shorten(text)})
}
