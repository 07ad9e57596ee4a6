// SPDX-License-Identifier: Apache-2.0

package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

const openingFile = "opening"

// maxDeaths is how many openings in a row may kill the process before the store
// is called damaged. Engines panic in goroutines of their own on some damage; a
// power cut in the 50 ms of an opening looks the same, hence not one.
const maxDeaths = 3

// opening is the mark of an opening that is under way.
type opening struct{ dir string }

// beginOpening leaves the mark, or returns a [*DamageError] if too many openings
// before this one left theirs.
func beginOpening(dir string) (opening, error) {
	name := filepath.Join(dir, openingFile)
	deaths := 0
	text, err := os.ReadFile(name)
	switch {
	case err == nil:
		// A mark cut short by a power cut is a mark all the same.
		deaths, _ = strconv.Atoi(string(bytes.TrimSpace(text)))
		deaths = max(deaths, 1)
	case !errors.Is(err, fs.ErrNotExist):
		return opening{}, fmt.Errorf("open store: %w", err)
	}
	if deaths >= maxDeaths {
		return opening{}, &DamageError{Dir: dir, Reason: fmt.Sprintf("the last %d attempts to open it ended the process", deaths)}
	}
	if err := writeSynced(name, strconv.Itoa(deaths+1)+"\n"); err != nil {
		return opening{}, fmt.Errorf("open store: %w", err)
	}
	return opening{dir: dir}, nil
}

// done takes the mark away, for good: marks that come back after a power cut
// would add up.
func (o opening) done() error {
	if err := os.Remove(filepath.Join(o.dir, openingFile)); err != nil {
		return fmt.Errorf("open store: %w", err)
	}
	return syncDir(o.dir)
}

// writeSynced writes a small file that is whole on the disk when it returns.
func writeSynced(name, text string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return syncDir(filepath.Dir(name))
}

// syncDir makes the names in dir survive a power cut.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
