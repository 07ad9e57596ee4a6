// SPDX-License-Identifier: Apache-2.0

package trust

import (
	"errors"
	"fmt"

	"github.com/theupdateframework/go-tuf/v2/metadata"
)

// Why metadata or a bundle was refused.
const (
	BadSignature = "signature" // missing, wrong, or too few
	BadVersion   = "version"   // older than what was seen, or not the one promised
	Expired      = "expired"
	BadContent   = "content" // not the length or hash that was signed
	TooLong      = "length"
	Malformed    = "format" // no such document
)

// RefusedError says that a file was there and must not be believed.
type RefusedError struct {
	Why  string // one of the constants above
	File string // root, timestamp, snapshot, targets, or a bundle's path
	Err  error
}

func (e *RefusedError) Error() string {
	what := map[string]string{
		BadSignature: "it is not signed as it must be",
		BadVersion:   "its version is wrong",
		Expired:      "it has expired",
		BadContent:   "it is not what was signed",
		TooLong:      "it is longer than it may be",
		Malformed:    "it cannot be read",
	}[e.Why]
	return fmt.Sprintf("%s refused: %s: %v", e.File, what, e.Err)
}

func (e *RefusedError) Unwrap() error { return e.Err }

// refused names the reason of an error of go-tuf.
func refused(file string, err error) error {
	if err == nil {
		return nil
	}
	why := Malformed
	switch {
	case errors.Is(err, &metadata.ErrUnsignedMetadata{}):
		why = BadSignature
	case errors.Is(err, &metadata.ErrBadVersionNumber{}):
		why = BadVersion
	case errors.Is(err, &metadata.ErrExpiredMetadata{}):
		why = Expired
	case errors.Is(err, &metadata.ErrLengthOrHashMismatch{}):
		why = BadContent
	}
	return &RefusedError{why, file, plain(err)}
}

// plain is an error of go-tuf without what stands in front of its message.
func plain(err error) error {
	for _, e := range []interface {
		error
		Is(error) bool
	}{&metadata.ErrUnsignedMetadata{}, &metadata.ErrBadVersionNumber{}, &metadata.ErrExpiredMetadata{}, &metadata.ErrLengthOrHashMismatch{}} {
		if !errors.Is(err, e) {
			continue
		}
		switch e := err.(type) {
		case *metadata.ErrUnsignedMetadata:
			return errors.New(e.Msg)
		case *metadata.ErrBadVersionNumber:
			return errors.New(e.Msg)
		case *metadata.ErrExpiredMetadata:
			return errors.New(e.Msg)
		case *metadata.ErrLengthOrHashMismatch:
			return errors.New(e.Msg)
		}
	}
	return err
}

// got is the error of a fetch.
func got(file string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrTooLong):
		return &RefusedError{TooLong, file, err}
	}
	return fmt.Errorf("fetch %s: %w", file, err)
}
