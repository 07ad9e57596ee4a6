// SPDX-License-Identifier: Apache-2.0

package store

import (
	"encoding/binary"
	"hash/crc32"
)

// What an engine stores as a value is a seal in front of the value or of what
// the value was compressed to: a checksum of 4 bytes over the key and all that
// follows, and a byte that tells how the value is packed.
//
// The checksum is needed because bbolt has none on its pages, and Badger's
// iterators end without an error where a block fails its own; with the seal, a
// flipped bit is seen at the entry that has it. Encryption at rest will take its
// place here.
const (
	sealSum  = 4
	sealSize = sealSum + 1
)

// packing says what was done to a value before it was stored.
type packing byte

const (
	packedRaw     packing = 0
	packedDeflate packing = 1
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal returns value as it is stored under key.
func seal(key, value []byte) []byte {
	sealed := make([]byte, sealSize, sealSize+len(value))
	packed, how := pack(sealed, value)
	packed[sealSum] = byte(how)
	binary.LittleEndian.PutUint32(packed, sum(key, packed[sealSum:]))
	return packed
}

// unseal returns the value inside sealed, or a [*DamageError].
func unseal(key, sealed []byte) ([]byte, error) {
	if len(sealed) < sealSize {
		return nil, &DamageError{Reason: "an entry is too short to have a checksum"}
	}
	if sum(key, sealed[sealSum:]) != binary.LittleEndian.Uint32(sealed) {
		return nil, &DamageError{Reason: "an entry does not match its checksum"}
	}
	return unpack(sealed[sealSize:], packing(sealed[sealSum]))
}

func sum(key, value []byte) uint32 {
	return crc32.Update(crc32.Checksum(key, castagnoli), castagnoli, value)
}
