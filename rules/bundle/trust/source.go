// SPDX-License-Identifier: Apache-2.0

package trust

import (
	"context"
	"errors"
)

// Source is where the files of a repository come from: a server, a folder, a
// stick. It is not trusted.
type Source interface {
	// Fetch reads one file, such as metadata/timestamp.json. It must not return
	// more than max bytes: a file that is longer is [ErrTooLong]. A file that is
	// not there matches [ErrNotFound]; the walk over root versions ends by that
	// and by nothing else. It returns soon after ctx has ended.
	Fetch(ctx context.Context, name string, max int64) ([]byte, error)
	// String names the source for people, without secrets.
	String() string
}

// What a source answers.
var (
	ErrNotFound = errors.New("not found")
	ErrTooLong  = errors.New("longer than it may be")
)
