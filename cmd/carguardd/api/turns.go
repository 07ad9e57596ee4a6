// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"
)

// Request is the body of POST /v1/turns.
type Request struct {
	Text    string `json:"text"`
	Session string `json:"session,omitempty"` // "default" when empty
}

// DefaultSession is the session of an utterance that names none.
const DefaultSession = "default"

func (h *handler) turn(w http.ResponseWriter, r *http.Request) {
	req, err := readRequest(w, r)
	if err != nil {
		code := http.StatusBadRequest
		if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
			code, err = http.StatusRequestEntityTooLarge, fmt.Errorf("the request has more than %d bytes", large.Limit)
		}
		fail(w, code, err)
		return
	}
	// A client that goes away does not leave a window half open.
	t, err := h.d.Turn(context.WithoutCancel(r.Context()), req.Session, req.Text)
	if err != nil {
		fail(w, http.StatusServiceUnavailable, err)
		return
	}
	reply(w, http.StatusOK, t)
}

func readRequest(w http.ResponseWriter, r *http.Request) (Request, error) {
	dec := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	dec.DisallowUnknownFields()
	var req Request
	if err := dec.Decode(&req); err != nil {
		return req, fmt.Errorf("read request: %w; send {\"text\": \"…\"}", plain(err))
	}
	if _, err := dec.Token(); err != io.EOF {
		return req, errors.New("read request: text after the document")
	}
	return req, req.check()
}

// plain is an error of the JSON decoder without what only a reader of this
// program's source can know.
func plain(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("the body is empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the document ends too early")
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("%s must be a text, it is of kind %s", kind.Field, kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("want an object, have a document of kind %s", kind.Value)
	}
	return err
}

// check fills in what may be left out and says what must not.
func (r *Request) check() error {
	r.Text = strings.TrimSpace(r.Text)
	if r.Session == "" {
		r.Session = DefaultSession
	}
	switch {
	case r.Text == "":
		return errors.New("text is empty")
	case !utf8.ValidString(r.Text):
		return errors.New("text is not utf-8")
	case len(r.Session) > 64 || strings.ContainsFunc(r.Session, notName):
		return errors.New("session must be at most 64 letters, digits, - or _")
	}
	return nil
}

func notName(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_')
}

func (h *handler) stop(w http.ResponseWriter, r *http.Request) {
	if err := h.d.Stop(r.Context()); err != nil {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func reply(w http.ResponseWriter, code int, doc any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(doc) // the client went away; there is nobody to tell
}

// fail answers with {"error": "…"}.
func fail(w http.ResponseWriter, code int, err error) {
	reply(w, code, map[string]string{"error": err.Error()})
}
