// SPDX-License-Identifier: Apache-2.0

package store

import (
	"crypto/cipher"
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// What an engine stores as a value is a seal in front of the value or of what
// the value was compressed to: a checksum of 4 bytes over the key and all that
// follows, and a byte that tells how the value is packed and whether it is
// encrypted.
//
// The checksum is needed because bbolt has none on its pages, and Badger's
// iterators end without an error where a block fails its own; with the seal, a
// flipped bit is seen at the entry that has it.
//
// An encrypted value is a nonce, the AES-256-GCM ciphertext and its tag; key and
// packing are authenticated with it, so that no value passes for another's. Keys
// are not encrypted.
const (
	sealSum  = 4
	sealSize = sealSum + 1
)

// packing says what was done to a value before it was stored.
type packing byte

const (
	packedRaw     packing = 0
	packedDeflate packing = 1
	// packedCipher is added where the value is encrypted.
	packedCipher packing = 0x80
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sealer seals values. The zero sealer does not encrypt.
type sealer struct{ aead cipher.AEAD }

// seal returns value as it is stored under key.
func (s sealer) seal(key, value []byte) []byte {
	sealed := make([]byte, sealSize, sealSize+len(value))
	packed, how := pack(sealed, value)
	if s.aead != nil {
		how |= packedCipher
		out := make([]byte, sealSize, len(packed)+s.aead.Overhead())
		packed = s.aead.Seal(out, nil, packed[sealSize:], authentic(key, how))
	}
	packed[sealSum] = byte(how)
	binary.LittleEndian.PutUint32(packed, sum(key, packed[sealSum:]))
	return packed
}

// unseal returns the value inside sealed, or a [*DamageError].
func (s sealer) unseal(key, sealed []byte) ([]byte, error) {
	if len(sealed) < sealSize {
		return nil, &DamageError{Reason: "an entry is too short to have a checksum"}
	}
	if sum(key, sealed[sealSum:]) != binary.LittleEndian.Uint32(sealed) {
		return nil, &DamageError{Reason: "an entry does not match its checksum"}
	}
	how, packed := packing(sealed[sealSum]), sealed[sealSize:]
	if encrypted := how&packedCipher != 0; encrypted != (s.aead != nil) {
		return nil, &DamageError{Reason: fmt.Sprintf("an entry is encrypted: %t, and the store: %t", encrypted, s.aead != nil)}
	}
	if s.aead != nil {
		var err error
		if packed, err = s.aead.Open(nil, nil, packed, authentic(key, how)); err != nil {
			return nil, &DamageError{Reason: "an entry was not encrypted with this key, or was changed", Err: err}
		}
	}
	return unpack(packed, how&^packedCipher)
}

// authentic is what an encrypted value is bound to.
func authentic(key []byte, how packing) []byte {
	return append(append(make([]byte, 0, len(key)+1), key...), byte(how))
}

func sum(key, value []byte) uint32 {
	return crc32.Update(crc32.Checksum(key, castagnoli), castagnoli, value)
}
