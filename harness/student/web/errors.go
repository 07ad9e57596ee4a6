// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"syscall"

	"github.com/carguardd/carguardd/harness/student"
)

// SendError names what failed before an answer began.
func SendError(err error) error {
	if e := known(err); e != nil {
		return e
	}
	err = bare(err)
	var dial *net.OpError
	switch {
	case errors.As(err, &dial) && dial.Op == "dial":
		return student.Errorf(student.Unreachable, err, "is the server running, and is its address right?")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return student.Errorf(student.Unreachable, err, "the server hung up before it answered")
	}
	return student.Errorf(student.Unreachable, err)
}

// ReadError names what failed after an answer began. A connection that broke
// off becomes Incomplete with [io.ErrUnexpectedEOF] as its cause.
func ReadError(err error) error {
	if e := known(err); e != nil {
		return e
	}
	err = bare(err)
	var op *net.OpError
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &op) {
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			err = fmt.Errorf("%w: %w", io.ErrUnexpectedEOF, err)
		}
		return student.Errorf(student.Incomplete, err, "the connection broke off in the middle of the answer")
	}
	return student.Errorf(student.Protocol, err)
}

// known returns err as it is when a cause of it is named already, or what a
// context's end is called.
func known(err error) error {
	var e *student.Error
	var timeout net.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled):
		return student.Errorf(student.Cancelled, context.Canceled)
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		var dial *net.OpError
		if errors.As(err, &dial) && dial.Op == "dial" {
			return student.Errorf(student.Unreachable, bare(err), "is the server running, and is its address right?")
		}
		return student.Errorf(student.Timeout, context.DeadlineExceeded, "no complete answer in time")
	}
	return nil
}

// bare takes the address off an error: it is part of the configuration, and
// may hold a password.
func bare(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// StatusError names what an error status means; text is what the server said.
func StatusError(status int, text string) error {
	said := fmt.Sprintf("%d %s", status, http.StatusText(status))
	if text = Excerpt([]byte(text)); text != "" {
		said += ": " + text
	}
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return student.Errorf(student.Refused, nil, said, "; check the key")
	case status == http.StatusRequestTimeout, status == http.StatusGatewayTimeout:
		return student.Errorf(student.Timeout, nil, said)
	case status == http.StatusRequestEntityTooLarge:
		return student.Errorf(student.TooLarge, nil, said)
	case status/100 == 4:
		return student.Errorf(student.Refused, nil, said)
	case status/100 == 5:
		return student.Errorf(student.Server, nil, said)
	}
	return student.Errorf(student.Protocol, nil, said)
}
