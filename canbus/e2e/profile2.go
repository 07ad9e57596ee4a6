// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"errors"
	"fmt"
)

// poly2 is that of CRC-8H2F, which begins with 0xFF and is inverted.
const poly2 = 0x2F

const counters2 = 16

// profile2 is profiles 2 and 22: the data id changes with the counter.
type profile2 struct {
	ids   [counters2]byte
	at    int // index of the checksum's byte; the counter is in the next
	table *table8
}

func newProfile2(c Config) (Algorithm, error) {
	if c.Offset != 0 {
		return nil, errors.New("its header is at offset 0 (e2e-22 has an offset)")
	}
	return newProfile22(c)
}

func newProfile22(c Config) (Algorithm, error) {
	if len(c.DataIDs) != counters2 {
		return nil, fmt.Errorf("want %d data ids, have %d", counters2, len(c.DataIDs))
	}
	p := &profile2{table: newTable8(poly2)}
	for i, id := range c.DataIDs {
		if id > 0xFF {
			return nil, fmt.Errorf("data id 0x%X has more than 8 bits", id)
		}
		p.ids[i] = byte(id)
	}
	var err error
	p.at, err = c.at(2)
	return p, err
}

func (p *profile2) Counters() int { return counters2 }

func (p *profile2) Protect(data []byte, counter uint8) {
	putNibble(data, 8*p.at+8, counter)
	data[p.at] = p.sum(data, counter)
}

func (p *profile2) Verify(data []byte) (counter uint8, ok bool) {
	counter = getNibble(data, 8*p.at+8)
	return counter, data[p.at] == p.sum(data, counter)
}

// sum is over all bytes but the checksum's own, and then the data id.
func (p *profile2) sum(data []byte, counter uint8) byte {
	crc := p.table.add(0xFF, data[:p.at]...)
	crc = p.table.add(crc, data[p.at+1:]...)
	return p.table.add(crc, p.ids[counter]) ^ 0xFF
}

func (p *profile2) Mask() uint64 { return 0xFFF << (8 * p.at) }
