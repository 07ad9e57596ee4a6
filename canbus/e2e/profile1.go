// SPDX-License-Identifier: Apache-2.0

package e2e

import "fmt"

// poly1 is that of SAE J1850. The profile begins with 0x00 and inverts nothing,
// unlike the plain checksum of that name.
const poly1 = 0x1D

// counters1 is how many values the counter has; 15 is invalid.
const counters1 = 15

// Ways in which the data id is part of the checksum.
const (
	modeBoth        = "both"        // low byte, then high byte
	modeAlternating = "alternating" // low byte under even counters, high byte under odd ones
	modeLow         = "low"         // the low byte alone
	modeNibble      = "nibble"      // low byte, then zero; the low nibble of the high byte is in the payload
)

// profile1 is profiles 1 and 11.
type profile1 struct {
	id      uint16
	mode    string
	crc     int // index of the checksum's byte
	counter int // bit
	nibble  int // bit, of modeNibble
	table   *table8
}

func newProfile1(c Config) (Algorithm, error) {
	return buildProfile1(c, modeBoth, modeAlternating, modeLow, modeNibble)
}

func newProfile11(c Config) (Algorithm, error) { return buildProfile1(c, modeBoth, modeNibble) }

func buildProfile1(c Config, modes ...string) (Algorithm, error) {
	if c.IDMode == "" {
		c.IDMode = modeBoth
	}
	known := false
	for _, m := range modes {
		known = known || m == c.IDMode
	}
	if !known {
		return nil, fmt.Errorf("unknown id mode %q (one of %v)", c.IDMode, modes)
	}
	p := &profile1{mode: c.IDMode, table: newTable8(poly1)}
	var err error
	if p.id, err = c.id(); err != nil {
		return nil, err
	}
	if p.crc, err = c.at(1); err != nil {
		return nil, err
	}
	if p.counter, err = c.nibble("counter offset", c.CounterOffset, 8); err != nil {
		return nil, err
	}
	if p.mode != modeNibble {
		return p, nil
	}
	if p.id>>12 != 0 {
		return nil, fmt.Errorf("data id 0x%04X has more than 12 bits, which the mode nibble cannot carry", p.id)
	}
	p.nibble, err = c.nibble("nibble offset", c.NibbleOffset, 12)
	if err == nil && p.nibble == p.counter {
		err = fmt.Errorf("nibble and counter are both at bit %d", p.nibble)
	}
	return p, err
}

func (p *profile1) Counters() int { return counters1 }

func (p *profile1) Protect(data []byte, counter uint8) {
	putNibble(data, p.counter, counter)
	if p.mode == modeNibble {
		putNibble(data, p.nibble, uint8(p.id>>8))
	}
	data[p.crc] = p.sum(data, counter)
}

func (p *profile1) Verify(data []byte) (counter uint8, ok bool) {
	counter = getNibble(data, p.counter)
	ok = counter < counters1 && data[p.crc] == p.sum(data, counter)
	return counter, ok && (p.mode != modeNibble || getNibble(data, p.nibble) == uint8(p.id>>8))
}

// sum is over the data id and then all bytes but the checksum's own.
func (p *profile1) sum(data []byte, counter uint8) byte {
	low, high := byte(p.id), byte(p.id>>8)
	var crc byte
	switch p.mode {
	case modeBoth:
		crc = p.table.add(crc, low, high)
	case modeNibble:
		crc = p.table.add(crc, low, 0)
	case modeLow:
		crc = p.table.add(crc, low)
	case modeAlternating:
		if counter%2 == 1 {
			low = high
		}
		crc = p.table.add(crc, low)
	}
	crc = p.table.add(crc, data[:p.crc]...)
	return p.table.add(crc, data[p.crc+1:]...)
}

func (p *profile1) Mask() uint64 {
	mask := uint64(0xFF)<<(8*p.crc) | 0xF<<p.counter
	if p.mode == modeNibble {
		mask |= 0xF << p.nibble
	}
	return mask
}
