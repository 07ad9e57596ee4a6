// SPDX-License-Identifier: Apache-2.0

package e2e

// poly5 is that of CRC-16-CCITT-FALSE, which begins with 0xFFFF.
const poly5 = 0x1021

// profile5 is profile 5: two bytes of checksum, the lower one first, and one of
// counter.
type profile5 struct {
	id    uint16
	at    int // index of the checksum's first byte
	table *table16
}

func newProfile5(c Config) (Algorithm, error) {
	p := &profile5{table: newTable16(poly5)}
	var err error
	if p.id, err = c.id(); err != nil {
		return nil, err
	}
	p.at, err = c.at(3)
	return p, err
}

func (p *profile5) Counters() int { return 256 }

func (p *profile5) Protect(data []byte, counter uint8) {
	data[p.at+2] = counter
	crc := p.sum(data)
	data[p.at], data[p.at+1] = byte(crc), byte(crc>>8)
}

func (p *profile5) Verify(data []byte) (counter uint8, ok bool) {
	return data[p.at+2], p.sum(data) == uint16(data[p.at])|uint16(data[p.at+1])<<8
}

// sum is over all bytes but the checksum's own, and then the data id.
func (p *profile5) sum(data []byte) uint16 {
	crc := p.table.add(0xFFFF, data[:p.at]...)
	crc = p.table.add(crc, data[p.at+2:]...)
	return p.table.add(crc, byte(p.id), byte(p.id>>8))
}

func (p *profile5) Mask() uint64 { return 0xFFFFFF << (8 * p.at) }
