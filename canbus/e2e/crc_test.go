// SPDX-License-Identifier: Apache-2.0

package e2e

import "testing"

// The check values of the catalogues: the checksum of "123456789".
func TestCheckValues(t *testing.T) {
	text := []byte("123456789")
	if got := newTable8(poly1).add(0xFF, text...) ^ 0xFF; got != 0x4B {
		t.Errorf("CRC-8 SAE J1850: %02X", got)
	}
	if got := newTable8(poly1).add(0, text...); got != 0x37 {
		t.Errorf("0x1D from 0x00: %02X", got)
	}
	if got := newTable8(poly2).add(0xFF, text...) ^ 0xFF; got != 0xDF {
		t.Errorf("CRC-8H2F: %02X", got)
	}
	if got := newTable16(poly5).add(0xFFFF, text...); got != 0x29B1 {
		t.Errorf("CRC-16-CCITT-FALSE: %04X", got)
	}
}
