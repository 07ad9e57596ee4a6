// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"fmt"
	"math"

	"github.com/carguardd/carguardd/canbus"
)

// bitField is where a signal is in the payload read as one number: the first
// byte lowest for little-endian signals, highest for big-endian ones.
type bitField struct {
	shift uint8
	bytes uint8 // the payload must have at least so many
	mask  uint64
}

// payload is the data of a frame in both orders.
type payload struct{ little, big uint64 }

func pack(d canbus.Data) payload { return payload{d.PackLittleEndian(), d.PackBigEndian()} }

// place computes the bit field and checks that it is inside the message.
func (s *Signal) place(messageLength int) error {
	switch {
	case s.Length < 1 || s.Length > 64:
		return fmt.Errorf("its length is %d bits, want 1 to 64", s.Length)
	case s.Factor == 0:
		return fmt.Errorf("its factor is 0")
	}
	first := s.Start // counted from the top for big-endian, from the bottom else
	if s.BigEndian {
		first = s.Start/8*8 + 7 - s.Start%8
	}
	if last := first + s.Length; last > messageLength*8 {
		order := "little-endian"
		if s.BigEndian {
			order = "big-endian"
		}
		return fmt.Errorf("its bits (start %d, length %d, %s) need %d bytes, the message has %d", s.Start, s.Length, order, (last+7)/8, messageLength)
	}
	s.bits = bitField{shift: uint8(first), bytes: uint8((first + s.Length + 7) / 8), mask: math.MaxUint64 >> (64 - s.Length)}
	if s.BigEndian {
		s.bits.shift = uint8(64 - first - s.Length)
	}
	return nil
}

// get returns the bits of the signal; negative values are extended to 64 bits.
func (s *Signal) get(p payload) uint64 {
	word := p.little
	if s.BigEndian {
		word = p.big
	}
	raw := word >> s.bits.shift & s.bits.mask
	if s.Kind == Signed && raw>>(s.Length-1) != 0 {
		raw |= ^s.bits.mask
	}
	return raw
}

// put replaces the bits of the signal and no other.
func (s *Signal) put(d *canbus.Data, raw uint64) {
	keep, set := ^(s.bits.mask << s.bits.shift), (raw&s.bits.mask)<<s.bits.shift
	if s.BigEndian {
		d.UnpackBigEndian(d.PackBigEndian()&keep | set)
	} else {
		d.UnpackLittleEndian(d.PackLittleEndian()&keep | set)
	}
}

// Mask returns the bits of the payload that the signal uses, in
// little-endian numbering.
func (s *Signal) Mask() uint64 {
	var d canbus.Data
	s.put(&d, math.MaxUint64)
	return d.PackLittleEndian()
}
