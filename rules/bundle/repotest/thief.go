// SPDX-License-Identifier: Apache-2.0

package repotest

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"testing"

	"github.com/sigstore/sigstore/pkg/signature"
	"github.com/theupdateframework/go-tuf/v2/metadata"
)

// Forge rewrites a metadata file and signs it with the keys of the named
// files, which need not be those of its role.
func Forge[T metadata.Roles](t testing.TB, file string, change func(*metadata.Metadata[T]), keys ...string) {
	t.Helper()
	var doc metadata.Metadata[T]
	if _, err := doc.FromFile(file); err != nil {
		t.Fatal(err)
	}
	change(&doc)
	doc.ClearSignatures()
	for _, k := range keys {
		if _, err := doc.Sign(signer(t, k)); err != nil {
			t.Fatal(err)
		}
	}
	data, err := doc.ToBytes(true)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func signer(t testing.TB, file string) signature.Signer {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(data)
	private, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	s, err := signature.LoadED25519Signer(private.(ed25519.PrivateKey))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Key is the file of a key that the vendor uses, such as timestamp-1.
func (v *Vendor) Key(name string) string { return filepath.Join(v.Dir, "keys", name+".pem") }
