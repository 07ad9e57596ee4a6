// SPDX-License-Identifier: Apache-2.0

package store

import (
	"encoding/binary"
	"hash/crc32"
)

// sealSize is what a seal adds to a value, in bytes.
const sealSize = 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal returns value with a checksum over key and value in front of it. bbolt
// has no checksums on its pages, and Badger's iterators end without an error
// where a block fails its own; with the seal, a flipped bit is seen at the
// entry that has it. (Encryption at rest will take this place.)
func seal(key, value []byte) []byte {
	sealed := make([]byte, sealSize, sealSize+len(value))
	binary.LittleEndian.PutUint32(sealed, sum(key, value))
	return append(sealed, value...)
}

// unseal returns the value inside sealed, or a [*DamageError].
func unseal(key, sealed []byte) ([]byte, error) {
	if len(sealed) < sealSize {
		return nil, &DamageError{Reason: "an entry is too short to have a checksum"}
	}
	value := sealed[sealSize:]
	if sum(key, value) != binary.LittleEndian.Uint32(sealed) {
		return nil, &DamageError{Reason: "an entry does not match its checksum"}
	}
	return value, nil
}

func sum(key, value []byte) uint32 {
	return crc32.Update(crc32.Checksum(key, castagnoli), castagnoli, value)
}
