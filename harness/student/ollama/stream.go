// SPDX-License-Identifier: Apache-2.0

package ollama

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/reply"
	"github.com/carguardd/carguardd/harness/student/web"
	"github.com/carguardd/carguardd/vehicle"
)

// maxLine bounds a line even where no transport does, in bytes.
const maxLine = 64 << 10

// answer is a whole answer.
type answer struct {
	text          strings.Builder
	calls         []vehicle.Call
	input, output int // tokens
}

// line is one line of the stream. Arguments stay as they were written.
type line struct {
	Message struct {
		Content   string `json:"content"`
		ToolCalls []struct {
			ID       string `json:"id"`
			Function struct {
				Name      string          `json:"name"`
				Arguments json.RawMessage `json:"arguments"`
			} `json:"function"`
		} `json:"tool_calls"`
	} `json:"message"`
	Done       bool            `json:"done"`
	DoneReason string          `json:"done_reason"`
	Input      int             `json:"prompt_eval_count"`
	Output     int             `json:"eval_count"`
	Error      json.RawMessage `json:"error"`
	ParseError json.RawMessage `json:"error parsing tool call"`
}

// readStream reads an answer to its end. It returns an error unless the last
// line says that the answer is done and complete.
func readStream(r io.Reader) (*answer, error) {
	a := &answer{}
	src := &source{r: r}
	lines := bufio.NewScanner(src)
	lines.Buffer(make([]byte, 0, 4<<10), maxLine)
	done, some := false, false
	for lines.Scan() {
		b := bytes.TrimSpace(lines.Bytes())
		if len(b) == 0 {
			continue
		}
		if some = true; done {
			return nil, student.Errorf(student.Protocol, nil, "something follows the end of the answer: ", web.Excerpt(b))
		}
		var err error
		if done, err = a.add(b); err != nil {
			return nil, src.blame(err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, student.Errorf(student.TooLarge, nil, fmt.Sprintf("the answer has a line of more than %d bytes", maxLine))
	case err != nil:
		return nil, web.ReadError(err)
	case !some:
		return nil, student.Errorf(student.Empty, nil, "the server answers with nothing")
	case !done:
		return nil, student.Errorf(student.Incomplete, io.ErrUnexpectedEOF, "the answer ends without saying done")
	}
	return a, nil
}

// source remembers how the body ended: the scanner gives out the beginning of
// a line before it tells of the error that cut it.
type source struct {
	r   io.Reader
	err error
}

func (s *source) Read(p []byte) (n int, err error) {
	n, err = s.r.Read(p)
	s.err = err
	return n, err
}

// blame returns the error to report when a line cannot be read: that of the
// body, when it ended there.
func (s *source) blame(err error) error {
	var syntax *json.SyntaxError
	switch {
	case !errors.As(err, &syntax) || s.err == nil:
		return err
	case s.err != io.EOF:
		return web.ReadError(s.err)
	case syntax.Error() == "unexpected end of JSON input":
		return student.Errorf(student.Incomplete, io.ErrUnexpectedEOF, "the answer ends in the middle of a line")
	}
	return err
}

// add takes in one line and reports whether it is the last.
func (a *answer) add(b []byte) (bool, error) {
	var l line
	if err := json.Unmarshal(b, &l); err != nil {
		return false, student.Errorf(student.Protocol, err, "a line of the answer is no message: ", web.Excerpt(b))
	}
	switch {
	case said(l.Error):
		return false, student.Errorf(student.Server, nil, "the server reports ", web.Excerpt(l.Error))
	case said(l.ParseError):
		return false, student.Errorf(student.Protocol, nil, "the server could not parse a tool call: ", web.Excerpt(l.ParseError))
	case l.Done && l.DoneReason == "length":
		return false, student.Errorf(student.Incomplete, nil, "the answer reached the most tokens allowed, num_predict, or the end of the context")
	}
	a.text.WriteString(l.Message.Content)
	for _, c := range l.Message.ToolCalls {
		if len(a.calls) > reply.MaxCalls {
			return false, student.Errorf(student.TooLarge, nil, fmt.Sprintf("an answer of more than %d calls", reply.MaxCalls))
		}
		a.calls = append(a.calls, reply.New(c.ID, c.Function.Name, c.Function.Arguments))
	}
	if l.Done {
		a.input, a.output = max(l.Input, 0), max(l.Output, 0)
	}
	return l.Done, nil
}

// said reports whether an error member holds anything.
func said(m json.RawMessage) bool {
	s := string(m)
	return s != "" && s != "null" && s != `""`
}
