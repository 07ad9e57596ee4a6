// SPDX-License-Identifier: Apache-2.0

package repo

import (
	"crypto"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sigstore/sigstore/pkg/signature"
	"github.com/theupdateframework/go-tuf/v2/metadata"
)

// key is a private key with its name in metadata.
type key struct {
	id     string
	public *metadata.Key
	signer signature.Signer
	file   string
}

// newKey makes a key and writes it to a file that only its owner may read. An
// existing file is never overwritten.
func newKey(random io.Reader, file string) (*key, error) {
	_, private, err := ed25519.GenerateKey(random)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("write key: %w", err)
	}
	err = pem.Encode(f, &pem.Block{Type: "PRIVATE KEY", Bytes: der})
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return nil, fmt.Errorf("write key: %w", errors.Join(err, os.Remove(file))) // half a key keeps all from being read
	}
	return keyOf(private, file)
}

func keyOf(private crypto.PrivateKey, file string) (*key, error) {
	ed, ok := private.(ed25519.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("%s: it is no ed25519 key", file)
	}
	signer, err := signature.LoadED25519Signer(ed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	public, err := metadata.KeyFromPublicKey(ed.Public())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	id, err := public.ID()
	return &key{id, public, signer, file}, err
}

// readKeys reads every key of a folder, by id. A folder that is not there has
// none.
func readKeys(dir string) (map[string]*key, error) {
	out := map[string]*key{}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if e.IsDir() || !strings.HasSuffix(e.Name(), ".pem") {
			continue
		}
		file := filepath.Join(dir, e.Name())
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		block, _ := pem.Decode(data)
		if block == nil {
			return nil, fmt.Errorf("%s: it is no PEM file", file)
		}
		private, err := x509.ParsePKCS8PrivateKey(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		k, err := keyOf(private, file)
		if err != nil {
			return nil, err
		}
		out[k.id] = k
	}
	return out, nil
}
