// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/carguardd/carguardd/harness/student"
)

func TestClientBounds(t *testing.T) {
	limits := Limits{Body: 100, Line: 10}
	for _, c := range []struct {
		name, typ, body string
		want            student.Kind
	}{
		{"fits", "application/json", strings.Repeat("x", 100), ""},
		{"too large", "application/json", strings.Repeat("x", 101), student.TooLarge},
		{"lines fit", "application/x-ndjson", strings.Repeat("0123456789\n", 9), ""},
		{"a line too long", "application/x-ndjson; charset=utf-8", "0123456789\n01234567890\n", student.TooLarge},
		{"a page", "text/html", "<html>", student.Protocol},
		{"no type", "", "hello", student.Protocol},
		{"nothing", "text/plain", "", student.Empty},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header()["Content-Type"] = []string{c.typ}
				_, _ = io.WriteString(w, c.body)
			}))
			defer s.Close()
			resp, err := NewClient(nil, limits).Get(s.URL)
			if err != nil {
				err = SendError(err)
			} else {
				_, err = io.ReadAll(resp.Body)
				resp.Body.Close()
			}
			if student.KindOf(err) != c.want {
				t.Errorf("error %v, want kind %q", err, c.want)
			}
		})
	}
}

// A redirect is not followed: the prompt and the key stay here.
func TestClientStays(t *testing.T) {
	reached := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer other.Close()
	s := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	defer s.Close()
	_, err := NewClient(nil, Limits{}).Post(s.URL, "application/json", strings.NewReader("{}"))
	if !errors.Is(SendError(err), student.Protocol) || reached {
		t.Errorf("%v, reached %v", err, reached)
	}
}

func TestErrors(t *testing.T) {
	dial := &url.Error{Op: "Post", URL: "http://user:secret@host", Err: &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}}
	read := &net.OpError{Op: "read", Err: syscall.ECONNRESET}
	named := student.Errorf(student.TooLarge, nil)
	for _, c := range []struct {
		name string
		err  error
		want student.Kind
	}{
		{"refused connection", SendError(dial), student.Unreachable},
		{"hung up", SendError(&url.Error{Err: io.EOF}), student.Unreachable},
		{"odd", SendError(errors.New("x")), student.Unreachable},
		{"deadline", SendError(&url.Error{Err: context.DeadlineExceeded}), student.Timeout},
		{"deadline while dialling", SendError(&url.Error{Err: &net.OpError{Op: "dial", Err: context.DeadlineExceeded}}), student.Unreachable},
		{"cancelled", SendError(&url.Error{Err: context.Canceled}), student.Cancelled},
		{"named already", SendError(&url.Error{Err: named}), student.TooLarge},
		{"cut", ReadError(io.ErrUnexpectedEOF), student.Incomplete},
		{"reset", ReadError(read), student.Incomplete},
		{"read deadline", ReadError(context.DeadlineExceeded), student.Timeout},
		{"read odd", ReadError(errors.New("x")), student.Protocol},
		{"read named already", ReadError(fmt.Errorf("x: %w", named)), student.TooLarge},
	} {
		if student.KindOf(c.err) != c.want || strings.Contains(c.err.Error(), "secret") {
			t.Errorf("%s: %v, want %s", c.name, c.err, c.want)
		}
	}
	if !student.Down(ReadError(read)) {
		t.Error("a reset connection is not down")
	}
}

func TestStatusError(t *testing.T) {
	for status, want := range map[int]student.Kind{401: student.Refused, 403: student.Refused, 408: student.Timeout, 413: student.TooLarge,
		418: student.Refused, 429: student.Refused, 500: student.Server, 504: student.Timeout, 101: student.Protocol} {
		if err := StatusError(status, "why\nnot"); student.KindOf(err) != want || !strings.Contains(err.Error(), "why not") {
			t.Errorf("%d: %v, want %s", status, err, want)
		}
	}
}

func FuzzExcerpt(f *testing.F) {
	f.Add([]byte("a\nb\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if s := Excerpt(b); !utf8.ValidString(s) || strings.ContainsAny(s, "\n\r") || len(s) > 170 {
			t.Fatalf("excerpt %q", s)
		}
	})
}
