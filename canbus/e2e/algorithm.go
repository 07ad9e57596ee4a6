// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/canbus"
)

// Algorithm protects the payloads of one message. It has no state of its own
// and may be used concurrently. The payloads it is given have the length of the
// message.
type Algorithm interface {
	// Counters is how many values the counter has: 0 to Counters()-1.
	Counters() int
	// Protect writes the counter and then the checksum into the payload.
	Protect(data []byte, counter uint8)
	// Verify returns the counter in the payload, and whether checksum and
	// counter are valid.
	Verify(data []byte) (counter uint8, ok bool)
	// Mask has a one for each bit that Protect writes, the first byte of the
	// payload lowest.
	Mask() uint64
}

// Config says how one message is protected. Which fields count depends on the
// algorithm.
type Config struct {
	Key    canbus.Key // of the message
	Length int        // of the payload, 1 to 8 bytes

	DataIDs []uint16 // one; sixteen, each a byte, of e2e-2 and e2e-22
	IDMode  string   // of e2e-1 and e2e-11: both, alternating, low or nibble; empty: both

	// Offset is the first bit of the checksum, a multiple of 8; bits are counted
	// from the lowest of the first byte.
	Offset int
	// CounterOffset is the first bit of the counter, a multiple of 4; nil: it
	// follows the checksum. Of e2e-1 and e2e-11.
	CounterOffset *int
	// NibbleOffset is the first bit of the data id's nibble, a multiple of 4;
	// nil: it follows a counter in that place. Of the mode nibble.
	NibbleOffset *int

	// Counter and Check are where sum8, xor8 and checksums of manufacturers have
	// theirs. A zero Counter means that there is none.
	Counter, Check Field
}

// Registry makes algorithms by name. A maker fails when the configuration does
// not suit its algorithm.
type Registry map[string]func(Config) (Algorithm, error)

// Standard returns a new registry with the algorithms that this package has.
func Standard() Registry {
	return Registry{
		"e2e-1": newProfile1, "e2e-11": newProfile11,
		"e2e-2": newProfile2, "e2e-22": newProfile22,
		"e2e-5": newProfile5,
		"sum8":  newSum8, "xor8": newXor8,
	}
}

// Names returns the names of the algorithms, sorted.
func (r Registry) Names() []string { return slices.Sorted(maps.Keys(r)) }

// New makes the named algorithm.
func (r Registry) New(name string, c Config) (Algorithm, error) {
	build, ok := r[name]
	if !ok {
		return nil, fmt.Errorf("unknown algorithm %q (known: %s)", name, strings.Join(r.Names(), ", "))
	}
	if c.Length < 1 || c.Length > canbus.MaxLength {
		return nil, fmt.Errorf("%s: a payload of %d bytes cannot be protected, want 1 to %d", name, c.Length, canbus.MaxLength)
	}
	a, err := build(c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return a, nil
}

// id returns the one data id.
func (c Config) id() (uint16, error) {
	if len(c.DataIDs) != 1 {
		return 0, fmt.Errorf("want one data id, have %d", len(c.DataIDs))
	}
	return c.DataIDs[0], nil
}

// at returns the index of the byte in which a header of so many bytes begins.
func (c Config) at(bytes int) (int, error) {
	if c.Offset < 0 || c.Offset%8 != 0 {
		return 0, fmt.Errorf("offset %d is no multiple of 8", c.Offset)
	}
	if at := c.Offset / 8; at+bytes <= c.Length {
		return at, nil
	}
	return 0, fmt.Errorf("offset %d: the header of %d bytes does not fit a payload of %d", c.Offset, bytes, c.Length)
}

// nibble returns where four bits are, by default those behind so many bits of
// the header.
func (c Config) nibble(name string, given *int, behind int) (int, error) {
	at := c.Offset + behind
	if given != nil {
		at = *given
	}
	if at < 0 || at%4 != 0 || at+4 > 8*c.Length {
		return 0, fmt.Errorf("%s %d is no multiple of 4 within a payload of %d bytes", name, at, c.Length)
	}
	if at/8 == c.Offset/8 {
		return 0, fmt.Errorf("%s %d lies in the checksum", name, at)
	}
	return at, nil
}

func getNibble(data []byte, at int) uint8 { return data[at/8] >> (at % 8) & 0xF }

func putNibble(data []byte, at int, v uint8) {
	data[at/8] = data[at/8]&^(0xF<<(at%8)) | v<<(at%8)
}
