// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/carguardd/carguardd/rules/fields"
)

// Version of the passes. It grows with every change that lets the same policy
// come to other rules.
const Version = 1

// volatile is what changes from day to day in a policy with its surroundings
// filled in: what a name in capitals is set to.
var volatile = regexp.MustCompile(`\b([A-Z][A-Z0-9_]{2,})\s*=\s*(\{[^{}]*(\{[^{}]*\}[^{}]*)*\}|"[^"]*"|[^\s,;]+)`)

// Key is the hash of all that a result depends on. It is the same whatever is
// changed in headings, comments and line breaks of the policy, in sentences
// that are decided, and in what a name in capitals is set to.
func Key(o Options) (key string, open int, err error) {
	base, sentences, err := o.open()
	if err != nil {
		return "", 0, err
	}
	h := sha256.New()
	fmt.Fprintf(h, "carguardd compile %d\n", Version)
	for _, s := range sentences {
		fmt.Fprintf(h, "sentence %q\n", volatile.ReplaceAllString(s.Text, "$1 = …"))
	}
	names, err := json.Marshal(fields.Of(o.Catalog, base))
	if err != nil {
		return "", 0, err
	}
	fmt.Fprintf(h, "languages %q\nnames %s\n", base.Manifest.Languages, names)
	for _, t := range o.Catalog.Tools {
		if t.Input != nil {
			fmt.Fprintf(h, "tool %q %s\n", t.Name, t.Input.Raw.Canonical())
		}
	}
	return hex.EncodeToString(h.Sum(nil)), len(sentences), nil
}

// Cache keeps results as files of a folder, by key.
type Cache struct {
	Dir string
}

// ErrNotCached says that there is no result of that key.
var ErrNotCached = errors.New("not compiled before")

// Get returns the result of the key. A file that cannot be read is as good as
// none.
func (c Cache) Get(key string) (*Result, error) {
	data, err := os.ReadFile(c.file(key))
	if err != nil {
		return nil, ErrNotCached
	}
	r := &Result{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("%w: %s is damaged", ErrNotCached, c.file(key))
	}
	return r, nil
}

// Put keeps the result of the key, as a whole or not at all.
func (c Cache) Put(key string, r *Result) error {
	data, err := json.Marshal(r)
	if err == nil {
		if err = os.MkdirAll(c.Dir, 0o755); err == nil {
			err = Replace(c.file(key), data)
		}
	}
	if err != nil {
		return fmt.Errorf("keep compiled rules: %w", err)
	}
	return nil
}

func (c Cache) file(key string) string { return filepath.Join(c.Dir, key+".json") }

// Replace writes a file so that at every moment the old content or the new is
// there as a whole.
func Replace(file string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(file), "."+strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if _, err = f.Write(data); err == nil {
		err = f.Chmod(0o644)
	}
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	return err
}
