// SPDX-License-Identifier: Apache-2.0

package recorded

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
)

// Entry is one draft or failure of a recording.
type Entry struct {
	After string         `json:"after,omitempty"`
	Draft *harness.Draft `json:"draft,omitempty"`
	Error *Failure       `json:"error,omitempty"`
}

// Failure is a recorded failure.
type Failure struct {
	Kind student.Kind `json:"kind"`
	Text string       `json:"text,omitempty"`
}

// maxLine bounds a line of a recording, in bytes.
const maxLine = 4 << 20

// Read reads a recording. The name stands in errors.
func Read(r io.Reader, name string) ([]Entry, error) {
	var out []Entry
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	n := 0
	for lines.Scan() {
		n++
		b := bytes.TrimSpace(lines.Bytes())
		if len(b) == 0 || b[0] == '#' {
			continue
		}
		e, err := parse(b)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		out = append(out, e)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, n+1, err)
	}
	return out, nil
}

func parse(b []byte) (Entry, error) {
	var e Entry
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&e); err != nil {
		return e, fmt.Errorf("read recorded draft: %w", err)
	}
	if dec.More() {
		return e, errors.New("read recorded draft: more than one in a line")
	}
	switch {
	case (e.Draft == nil) == (e.Error == nil):
		return e, errors.New("read recorded draft: needs one of draft and error")
	case e.Error != nil && !known(e.Error.Kind):
		return e, fmt.Errorf("read recorded draft: no kind of failure is called %q", e.Error.Kind)
	}
	return e, nil
}

func known(k student.Kind) bool {
	switch k {
	case student.Unreachable, student.Refused, student.Timeout, student.Cancelled, student.Protocol, student.Incomplete,
		student.TooLarge, student.Empty, student.ModelMissing, student.Server:
		return true
	}
	return false
}

// after is what a prompt ends with.
func after(p *harness.Prompt) string {
	if p.Findings != "" {
		return "findings"
	}
	if len(p.Messages) == 0 {
		return ""
	}
	m := &p.Messages[len(p.Messages)-1]
	if m.Result != nil {
		return "result of " + m.Result.Tool
	}
	return m.Text
}
