// SPDX-License-Identifier: Apache-2.0

package student

import (
	"errors"
	"io"
	"strings"
)

// Kind is a kind of failure. It is an error, to be used with [errors.Is].
type Kind string

// The kinds of failure.
const (
	Unreachable  Kind = "unreachable"   // nobody answers at the address
	Refused      Kind = "refused"       // the server turned the request down: key, rights, request
	Timeout      Kind = "timeout"       // no complete answer before the deadline
	Cancelled    Kind = "cancelled"     // the caller gave up
	Protocol     Kind = "protocol"      // the answer is not of the protocol
	Incomplete   Kind = "incomplete"    // the answer ended too early
	TooLarge     Kind = "too-large"     // the answer, or the prompt, is over a limit
	Empty        Kind = "empty"         // the answer holds neither text nor a call
	ModelMissing Kind = "model-missing" // the server does not have the model
	Server       Kind = "server"        // the server says that it failed
)

func (k Kind) Error() string { return string(k) }

// Error is a student's failure.
type Error struct {
	Kind    Kind
	Student string // its name; empty when not known yet
	Text    string // what failed and what to do about it, lower-case
	Err     error  // the cause, or nil
}

// Errorf makes an error of the kind from a text and its cause, which may be
// nil.
func Errorf(k Kind, cause error, text ...string) *Error {
	return &Error{Kind: k, Text: strings.Join(text, ""), Err: cause}
}

func (e *Error) Error() string {
	var b strings.Builder
	for _, s := range []string{e.Student, string(e.Kind), e.Text} {
		if s == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(": ")
		}
		b.WriteString(s)
	}
	if e.Err != nil {
		b.WriteString(": ")
		b.WriteString(e.Err.Error())
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the error's kind.
func (e *Error) Is(target error) bool { k, ok := target.(Kind); return ok && k == e.Kind }

// Useless reports whether there was an answer, and it is of no use: another one
// may be. An answer that is too large is not asked for again.
func (e *Error) Useless() bool {
	switch e.Kind {
	case Empty, Protocol, Incomplete:
		return !Down(e)
	}
	return false
}

// KindOf returns the kind of the failure, or empty when err is none of a
// student's.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return ""
}

// Named puts the student's name into an error that lacks one. Anything that
// is no student's error becomes one of kind Protocol.
func Named(name string, err error) error {
	var e *Error
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &e):
		return &Error{Kind: Protocol, Student: name, Err: err}
	case e.Student != "":
		return err
	}
	c := *e
	c.Student = name
	return &c
}

// Down reports whether err means that the student's server does not work, so
// that asking again makes no sense now: nobody there, no model, no rights, no
// answer in time, a connection that broke off. An answer that is merely no
// use is not down.
func Down(err error) bool {
	switch KindOf(err) {
	case Unreachable, Refused, Timeout, ModelMissing, Server:
		return true
	case Incomplete:
		return errors.Is(err, io.ErrUnexpectedEOF)
	}
	return false
}
