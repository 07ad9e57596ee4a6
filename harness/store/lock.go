// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

const lockFile = "lock"

// lock takes the store's directory, for this process alone or, for reading,
// together with other readers. Closing the file gives it back, and so does the
// death of the process.
func lock(dir string, shared bool) (*os.File, error) {
	name := filepath.Join(dir, lockFile)
	flags, how := os.O_RDWR|os.O_CREATE, unix.LOCK_EX
	if shared {
		flags, how = os.O_RDONLY, unix.LOCK_SH // nothing is created on a disk that may be read-only
	}
	f, err := os.OpenFile(name, flags, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	if err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB); err != nil {
		defer f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, fmt.Errorf("open store %s: %w%s: stop that process, or ask the running daemon instead", dir, ErrLocked, holder(f))
		}
		return nil, fmt.Errorf("lock store %s: %w", name, err)
	}
	if !shared {
		if err := sign(f); err != nil {
			return nil, errors.Join(fmt.Errorf("lock store: %w", err), f.Close())
		}
	}
	return f, nil
}

// sign leaves our process id for the message that the next one gets.
func sign(f *os.File) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(fmt.Sprintln(os.Getpid())), 0)
	return err
}

// holder says who has signed the lock file, as far as that can be read.
func holder(f *os.File) string {
	text, err := io.ReadAll(io.LimitReader(f, 20))
	if err != nil || len(text) == 0 {
		return ""
	}
	return " by process " + strings.TrimSpace(string(text))
}
