// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"fmt"
	"strconv"
)

const extendedBit = 1 << 31

// Key identifies a message on one bus: the identifier with bit 31 set for the
// extended format, as DBC files write it. Standard 0x100 and extended 0x100
// are different messages.
type Key uint32

// MakeKey joins identifier and format. It does not check the identifier.
func MakeKey(id uint32, extended bool) Key {
	if extended {
		return Key(id | extendedBit)
	}
	return Key(id)
}

// ID returns the identifier without the format bit.
func (k Key) ID() uint32 { return uint32(k) &^ extendedBit }

// Extended reports whether the identifier has 29 bits.
func (k Key) Extended() bool { return k&extendedBit != 0 }

// String prints three hexadecimal digits for the standard format, eight for
// the extended one.
func (k Key) String() string {
	if k.Extended() {
		return fmt.Sprintf("%08X", k.ID())
	}
	return fmt.Sprintf("%03X", k.ID())
}

// ParseKey reads what [Key.String] prints.
func ParseKey(s string) (Key, error) {
	id, err := strconv.ParseUint(s, 16, 32)
	if err != nil || (len(s) != 3 && len(s) != 8) {
		return 0, fmt.Errorf("identifier %q: want 3 (standard) or 8 (extended) hexadecimal digits", s)
	}
	k := MakeKey(uint32(id), len(s) == 8)
	if id > MaxExtendedID || (!k.Extended() && id > MaxStandardID) {
		return 0, fmt.Errorf("identifier %q is too large", s)
	}
	return k, nil
}

// WholeKey is the mask of a filter for one key: identifier and format.
const WholeKey = extendedBit | MaxExtendedID

// Filter lets a frame pass if its key equals Key in all bits of Mask.
type Filter struct {
	Key  Key
	Mask uint32
}

// Match reports whether the frame passes.
func (f Filter) Match(k Key) bool { return uint32(k)&f.Mask == uint32(f.Key)&f.Mask }

// matchAny reports whether one of the filters lets the key pass; no filters
// let everything pass.
func matchAny(filters []Filter, k Key) bool {
	for _, f := range filters {
		if f.Match(k) {
			return true
		}
	}
	return len(filters) == 0
}
