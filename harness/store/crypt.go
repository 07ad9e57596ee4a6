// SPDX-License-Identifier: Apache-2.0

package store

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// KeySize is the length of a store's encryption key, in bytes: AES-256.
const KeySize = 32

// ReadKey reads an encryption key from a file, such as a credential: [KeySize]
// bytes as they are, or written in hexadecimal or base64 with white space around
// them.
func ReadKey(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("read the store's key: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, 1<<10))
	if err != nil {
		return nil, fmt.Errorf("read the store's key: %w", err)
	}
	key, err := parseKey(data)
	if err != nil {
		return nil, fmt.Errorf("read the store's key from %s: %w", file, err)
	}
	return key, nil
}

func parseKey(data []byte) ([]byte, error) {
	if len(data) == KeySize {
		return data, nil
	}
	text := strings.TrimSpace(string(data))
	for _, decode := range []func(string) ([]byte, error){hex.DecodeString, base64.StdEncoding.DecodeString} {
		if key, err := decode(text); err == nil && len(key) == KeySize {
			return key, nil
		}
	}
	return nil, fmt.Errorf("it has %d bytes and is no key: want %d bytes, as they are, in hexadecimal or in base64", len(data), KeySize)
}

// newAEAD returns the cipher of a key, nil for none.
func newAEAD(key []byte) (cipher.AEAD, error) {
	if key == nil {
		return nil, nil
	}
	if len(key) != KeySize {
		return nil, fmt.Errorf("open store: an encryption key has %d bytes, not %d", KeySize, len(key))
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	// Nonces are drawn at random and stored with each value: good for 2^32 values
	// under one key, a century of driving.
	return cipher.NewGCMWithRandomNonce(block)
}

// cipherKey holds a text sealed with the encryption key of the store. It is there
// if and only if the store is encrypted.
var cipherKey = []byte{reserved, 'k'}

var cipherText = []byte("carguardd store 1")

// agreeOnKey compares the key that was given with the one that the store was
// written with; a new store takes the one that was given. written says that the
// store has been written to.
func (d *disk) agreeOnKey(written bool) error {
	var stored []byte
	err := d.call(func() (err error) {
		stored, err = d.engine.get(cipherKey)
		return err
	})
	encrypted := err == nil
	switch {
	case err != nil && !errors.Is(err, ErrNotFound):
		return fmt.Errorf("open store: %w", err)
	case encrypted && d.sealer.aead == nil:
		return fmt.Errorf("open store %s: %w", d.dir, ErrEncrypted)
	case encrypted:
		text, err := d.sealer.unseal(cipherKey, stored)
		if err != nil || string(text) != string(cipherText) {
			return fmt.Errorf("open store %s: %w", d.dir, ErrWrongKey)
		}
		return nil
	case d.sealer.aead == nil:
		return nil
	case written || d.readOnly:
		return fmt.Errorf("open store %s: %w", d.dir, ErrPlain)
	}
	err = d.call(func() error {
		return errors.Join(d.engine.batch([]Op{Set(cipherKey, d.sealer.seal(cipherKey, cipherText))}), d.engine.sync())
	})
	if err != nil {
		return fmt.Errorf("open store: %w", err)
	}
	return nil
}

// NewKey returns a fresh encryption key.
func NewKey() []byte {
	key := make([]byte, KeySize)
	_, _ = rand.Read(key) // it never fails
	return key
}
