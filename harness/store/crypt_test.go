// SPDX-License-Identifier: Apache-2.0

package store_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness/store"
	"github.com/carguardd/carguardd/harness/store/storetest"
)

var testKey = bytes.Repeat([]byte("k"), store.KeySize)

// encrypted opens with the test's key.
func encrypted(open openFunc) openFunc {
	return func(dir string, o store.Options) (store.Store, error) {
		o.Key = testKey
		return open(dir, o)
	}
}

func TestEncryptedConformance(t *testing.T) {
	each(t, func(t *testing.T, open openFunc) { storetest.Run(t, true, onDisk(encrypted(open))) })
}

func TestKeyMustFit(t *testing.T) {
	each(t, func(t *testing.T, open openFunc) {
		plain, secret := t.TempDir(), t.TempDir()
		for dir, o := range map[string]store.Options{plain: {}, secret: {Key: testKey}} {
			s := mustOpen(t, open, dir, o)
			set(t, s, "a", "1")
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		tests := []struct {
			name string
			dir  string
			key  []byte
			want error
		}{
			{"no key", secret, nil, store.ErrEncrypted},
			{"another key", secret, bytes.Repeat([]byte("x"), store.KeySize), store.ErrWrongKey},
			{"its key", secret, testKey, nil},
			{"a key for a plain store", plain, testKey, store.ErrPlain},
			{"none for a plain store", plain, nil, nil},
		}
		for _, test := range tests {
			for _, readOnly := range []bool{false, true} {
				s, err := open(test.dir, store.Options{Key: test.key, ReadOnly: readOnly})
				if !errors.Is(err, test.want) || errors.Is(err, store.ErrDamaged) {
					t.Errorf("%s, read-only %t: %v, want %v", test.name, readOnly, err, test.want)
				}
				if err == nil {
					value, err := s.Get([]byte("a"))
					if err != nil || string(value) != "1" {
						t.Errorf("%s: got %q, %v", test.name, value, err)
					}
					if err := s.Close(); err != nil {
						t.Error(err)
					}
				}
			}
		}
		if _, err := open(t.TempDir(), store.Options{Key: []byte("short")}); err == nil || !strings.Contains(err.Error(), "32 bytes, not 5") {
			t.Errorf("a short key gave %v", err)
		}
	})
}

// TestNothingIsReadable looks for a value in the files.
func TestNothingIsReadable(t *testing.T) {
	each(t, func(t *testing.T, open openFunc) {
		for _, key := range [][]byte{nil, testKey} {
			dir := t.TempDir()
			s := mustOpen(t, open, dir, store.Options{Key: key})
			set(t, s, "a", "open the window please")
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if found := grep(t, dir, "open the window"); found != (key == nil) {
				t.Errorf("with a key: %t, and the value is in the files: %t", key != nil, found)
			}
		}
	})
}

func grep(t *testing.T, dir, text string) (found bool) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		found = found || bytes.Contains(data, []byte(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestReadKey(t *testing.T) {
	tests := []struct {
		name, text string
		ok         bool
	}{
		{"as it is", string(testKey), true},
		{"hexadecimal", hex.EncodeToString(testKey) + "\n", true},
		{"base64", " " + base64.StdEncoding.EncodeToString(testKey) + "\r\n", true},
		{"nothing", "", false},
		{"a password", "correct horse battery staple", false},
		{"half a key", hex.EncodeToString(testKey[:16]), false},
		{"long", strings.Repeat("k", 5000), false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "key")
			if err := os.WriteFile(file, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			key, err := store.ReadKey(file)
			if test.ok != (err == nil && bytes.Equal(key, testKey)) {
				t.Errorf("got %q, %v", key, err)
			}
			if err != nil && (!strings.Contains(err.Error(), file) || test.text != "" && strings.Contains(err.Error(), test.text)) {
				t.Errorf("the error names no file, or the secret: %v", err)
			}
		})
	}
	if _, err := store.ReadKey(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file gave %v", err)
	}
}
