// SPDX-License-Identifier: Apache-2.0

package e2e

// table8 is the table of a checksum of eight bits, highest bit first.
type table8 [256]byte

func newTable8(poly byte) *table8 {
	var t table8
	for i := range t {
		c := byte(i)
		for range 8 {
			if c&0x80 != 0 {
				c = c<<1 ^ poly
			} else {
				c <<= 1
			}
		}
		t[i] = c
	}
	return &t
}

// add continues the checksum over the bytes.
func (t *table8) add(crc byte, data ...byte) byte {
	for _, b := range data {
		crc = t[crc^b]
	}
	return crc
}

// table16 is the table of a checksum of sixteen bits, highest bit first.
type table16 [256]uint16

func newTable16(poly uint16) *table16 {
	var t table16
	for i := range t {
		c := uint16(i) << 8
		for range 8 {
			if c&0x8000 != 0 {
				c = c<<1 ^ poly
			} else {
				c <<= 1
			}
		}
		t[i] = c
	}
	return &t
}

// add continues the checksum over the bytes.
func (t *table16) add(crc uint16, data ...byte) uint16 {
	for _, b := range data {
		crc = crc<<8 ^ t[byte(crc>>8)^b]
	}
	return crc
}
