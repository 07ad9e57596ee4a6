// SPDX-License-Identifier: Apache-2.0

package e2e

// Field is a number in a payload, placed as a signal of a DBC file is. The zero
// Field has no bits, reads 0 and writes nothing.
type Field struct {
	Start     int // of the lowest bit, or of the highest one if BigEndian
	Length    int // bits
	BigEndian bool
}

// bit returns the position of the field's bit i, counted from its lowest.
func (f Field) bit(i int) int {
	if !f.BigEndian {
		return f.Start + i
	}
	at := f.Start/8*8 + 7 - f.Start%8 + f.Length - 1 - i // counted from the top of the first byte
	return at/8*8 + 7 - at%8
}

// first returns the position of the lowest bit.
func (f Field) first() int {
	if f.Length == 0 {
		return 0
	}
	return f.bit(0)
}

// Get returns the number in the payload.
func (f Field) Get(data []byte) (v uint64) {
	for i := range f.Length {
		p := f.bit(i)
		v |= uint64(data[p/8]>>(p%8)&1) << i
	}
	return v
}

// Put writes the number into the payload; bits that do not fit are left out.
func (f Field) Put(data []byte, v uint64) {
	for i := range f.Length {
		p := f.bit(i)
		data[p/8] = data[p/8]&^(1<<(p%8)) | byte(v>>i&1)<<(p%8)
	}
}

// Mask has a one for each bit of the field, the first byte lowest.
func (f Field) Mask() (mask uint64) {
	for i := range f.Length {
		mask |= 1 << f.bit(i)
	}
	return mask
}
