// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"errors"
	"fmt"

	"github.com/carguardd/carguardd/rules/bundle/proof"
	"github.com/carguardd/carguardd/rules/bundle/trust"
)

// Why a bundle was rejected, beside the reasons of package trust.
const (
	WhyArchive   = "archive"   // no archive, or not in its one form
	WhyManifest  = "manifest"  // not what was signed about it
	WhyRevision  = "revision"  // not higher than what was active before
	WhyPinned    = "pinned"    // higher than the pin
	WhyDaemon    = "daemon"    // for a newer or an older daemon
	WhyHardware  = "hardware"  // for other units
	WhyCatalogue = "catalogue" // for a car with other tools
	WhyRules     = "rules"     // it does not load
	WhyTests     = "tests"     // its own tests fail
	WhyFloor     = "floor"     // it breaks the car's floor
	WhyDeadline  = "deadline"  // its tests do not end in time
	WhyTrust     = "trust"     // no root to trust was given to this unit
)

// RejectedError says that a bundle, or a repository, was refused. Nothing has
// changed then.
type RejectedError struct {
	Code     string // of this package or of trust
	Revision int    // 0: it did not come to a bundle
	Err      error
}

func (e *RejectedError) Error() string {
	if e.Revision == 0 {
		return e.Err.Error()
	}
	return fmt.Sprintf("revision %d rejected: %v", e.Revision, e.Err)
}

func (e *RejectedError) Unwrap() error { return e.Err }

// Content reports whether the rules themselves are what is wrong, not where
// they come from or what they are for.
func (e *RejectedError) Content() bool {
	switch e.Code {
	case WhyRules, WhyTests, WhyFloor, WhyDeadline:
		return true
	}
	return false
}

func reject(code string, revision int, format string, args ...any) error {
	return &RejectedError{code, revision, fmt.Errorf(format, args...)}
}

// classify makes refusals of the packages below rejections of a revision; other
// errors stay what they are.
func classify(err error, revision int) error {
	var known *RejectedError
	var refused *trust.RefusedError
	var failed *proof.FailedError
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.As(err, &refused):
		return &RejectedError{refused.Why, revision, err}
	case errors.Is(err, proof.ErrDeadline):
		return &RejectedError{WhyDeadline, revision, err}
	case errors.As(err, &failed) && failed.What == proof.OwnTests:
		return &RejectedError{WhyTests, revision, err}
	case errors.As(err, &failed):
		return &RejectedError{WhyFloor, revision, err}
	}
	return err
}

// ErrBusy says that a bundle is being installed already.
var ErrBusy = errors.New("another bundle is being installed")
