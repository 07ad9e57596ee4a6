// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
	// exitFindings is for rules that are not as they should be: findings, or
	// failing tests.
	exitFindings = 3
	exitConfig   = 78 // EX_CONFIG of sysexits.h
)

// exitError is an error with an exit code and what to do about it.
type exitError struct {
	code  int
	err   error
	hints []string
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// usageError says that the command line is wrong.
func usageError(format string, args ...any) error {
	return &exitError{code: exitUsage, err: fmt.Errorf(format, args...)}
}

// unknownName says that the command line names what is not there: which one
// was meant, or else where all are listed.
func unknownName(what, suggestion, list string) error {
	if suggestion == "" {
		suggestion = list
	}
	return usageError("there is no %s: %s", what, suggestion)
}

// configError says that a file somebody wrote is wrong.
func configError(err error) error { return &exitError{code: exitConfig, err: err} }

// withHint adds what to do about an error.
func withHint(err error, hints ...string) error {
	return &exitError{code: code(err), err: err, hints: hints}
}

// code is the exit code of an error.
func code(err error) int {
	var e *exitError
	var p vehicle.Problems
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &e):
		return e.code
	case errors.As(err, &p):
		return exitConfig
	}
	return exitFailed
}

// report prints an error for people and returns its exit code.
func report(w io.Writer, err error) int {
	if err == nil {
		return exitOK
	}
	for _, line := range strings.Split(err.Error(), "\n") {
		fmt.Fprintf(w, "carguardd: %s\n", line)
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		if x, ok := e.(*exitError); ok {
			for _, h := range x.hints {
				fmt.Fprintf(w, "hint: %s\n", h)
			}
		}
	}
	return code(err)
}
