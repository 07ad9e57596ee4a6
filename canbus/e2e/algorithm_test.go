// SPDX-License-Identifier: Apache-2.0

package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/e2e"
)

func upTo(first, last uint16) (ids []uint16) {
	for id := first; id <= last; id++ {
		ids = append(ids, id)
	}
	return ids
}

func protected(t *testing.T, name string, c e2e.Config, counter uint8) string {
	t.Helper()
	if c.Length == 0 {
		c.Length = 8
	}
	a, err := e2e.Standard().New(name, c)
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, c.Length)
	a.Protect(data, counter)
	if got, ok := a.Verify(data); !ok || got != counter {
		t.Errorf("does not verify its own %X: counter %d, %v", data, got, ok)
	}
	return fmt.Sprintf("% X", data)
}

// The vectors were computed independently of this code.
func TestVectors(t *testing.T) {
	for _, c := range []struct {
		name, algorithm string
		config          e2e.Config
		counter         uint8
		want            string
	}{
		{"profile 1, both", "e2e-1", e2e.Config{DataIDs: []uint16{0x0123}}, 0, "CC 00 00 00 00 00 00 00"},
		{"profile 11, both", "e2e-11", e2e.Config{DataIDs: []uint16{0x0123}, IDMode: "both"}, 0, "CC 00 00 00 00 00 00 00"},
		{"profile 1, nibble", "e2e-1", e2e.Config{DataIDs: []uint16{0x0123}, IDMode: "nibble"}, 0, "2A 10 00 00 00 00 00 00"},
		{"profile 11, nibble", "e2e-11", e2e.Config{DataIDs: []uint16{0x0123}, IDMode: "nibble"}, 0, "2A 10 00 00 00 00 00 00"},
		{"profile 2", "e2e-2", e2e.Config{DataIDs: upTo(1, 16)}, 1, "1B 01 00 00 00 00 00 00"},
		{"profile 22", "e2e-22", e2e.Config{DataIDs: upTo(1, 16)}, 1, "1B 01 00 00 00 00 00 00"},
		{"profile 5", "e2e-5", e2e.Config{DataIDs: []uint16{0x1234}}, 0, "1C CA 00 00 00 00 00 00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := protected(t, c.algorithm, c.config, c.counter); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// Places and modes that the vectors do not reach: what is written where.
func TestPlaces(t *testing.T) {
	at := func(bit int) *int { return &bit }
	for _, c := range []struct {
		name, algorithm string
		config          e2e.Config
		counter         uint8
		want            string // with ?? for a checksum
	}{
		{"checksum last", "e2e-1", e2e.Config{DataIDs: []uint16{0x0123}, Offset: 56, CounterOffset: at(48)}, 5, "00 00 00 00 00 00 05 ??"},
		{"counter in a high nibble", "e2e-11", e2e.Config{DataIDs: []uint16{0x0123}, CounterOffset: at(12)}, 14, "?? E0 00 00 00 00 00 00"},
		{"nibble elsewhere", "e2e-1", e2e.Config{DataIDs: []uint16{0x0123}, IDMode: "nibble", NibbleOffset: at(60)}, 3, "?? 03 00 00 00 00 00 10"},
		{"profile 22 in the middle", "e2e-22", e2e.Config{DataIDs: upTo(1, 16), Offset: 16}, 15, "00 00 ?? 0F 00 00 00 00"},
		{"profile 5 in four bytes", "e2e-5", e2e.Config{DataIDs: []uint16{7}, Offset: 8, Length: 4}, 255, "00 ?? ?? FF"},
		{"a sum", "sum8", e2e.Config{Check: e2e.Field{Start: 56, Length: 8}, Counter: e2e.Field{Start: 8, Length: 4}}, 9, "00 09 00 00 00 00 00 09"},
		{"an exclusive or", "xor8", e2e.Config{Check: e2e.Field{Start: 7, Length: 8, BigEndian: true}, Counter: e2e.Field{Start: 15, Length: 4, BigEndian: true}}, 9, "90 90 00 00 00 00 00 00"},
		{"a sum without counter", "sum8", e2e.Config{Check: e2e.Field{Start: 56, Length: 8}}, 0, "00 00 00 00 00 00 00 00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, want := strings.Fields(protected(t, c.algorithm, c.config, c.counter)), strings.Fields(c.want)
			for i := range want {
				if want[i] != "??" && want[i] != got[i] {
					t.Fatalf("got %v, want %v", got, want)
				}
			}
		})
	}
}

// The id of the mode alternating is its low byte first, then its high one.
func TestAlternatingIDs(t *testing.T) {
	alt := e2e.Config{DataIDs: []uint16{0x0123}, IDMode: "alternating"}
	low := e2e.Config{DataIDs: []uint16{0x23}, IDMode: "low"}
	high := e2e.Config{DataIDs: []uint16{0x01}, IDMode: "low"}
	if got, want := protected(t, "e2e-1", alt, 2), protected(t, "e2e-1", low, 2); got != want {
		t.Errorf("even: %s, want %s", got, want)
	}
	if got, want := protected(t, "e2e-1", alt, 3), protected(t, "e2e-1", high, 3); got != want {
		t.Errorf("odd: %s, want %s", got, want)
	}
}

func TestConfigurationsThatDoNotSuit(t *testing.T) {
	at := func(bit int) *int { return &bit }
	for _, c := range []struct {
		name, algorithm string
		config          e2e.Config
		want            string
	}{
		{"no such algorithm", "crc32", e2e.Config{Length: 8}, `unknown algorithm "crc32" (known: e2e-1, e2e-11, e2e-2, e2e-22, e2e-5, sum8, xor8)`},
		{"no payload", "e2e-1", e2e.Config{}, "a payload of 0 bytes"},
		{"no id", "e2e-1", e2e.Config{Length: 8}, "want one data id, have 0"},
		{"too few ids", "e2e-2", e2e.Config{Length: 8, DataIDs: upTo(1, 15)}, "want 16 data ids, have 15"},
		{"a wide id", "e2e-22", e2e.Config{Length: 8, DataIDs: upTo(0xF1, 0x100)}, "0x100 has more than 8 bits"},
		{"an offset that is none", "e2e-5", e2e.Config{Length: 8, DataIDs: []uint16{1}, Offset: 4}, "no multiple of 8"},
		{"beyond the payload", "e2e-5", e2e.Config{Length: 4, DataIDs: []uint16{1}, Offset: 16}, "does not fit a payload of 4"},
		{"an offset of profile 2", "e2e-2", e2e.Config{Length: 8, DataIDs: upTo(1, 16), Offset: 8}, "offset 0"},
		{"a mode of profile 1 only", "e2e-11", e2e.Config{Length: 8, DataIDs: []uint16{1}, IDMode: "low"}, `unknown id mode "low"`},
		{"an id that no nibble carries", "e2e-11", e2e.Config{Length: 8, DataIDs: []uint16{0x1123}, IDMode: "nibble"}, "more than 12 bits"},
		{"a counter in the checksum", "e2e-1", e2e.Config{Length: 8, DataIDs: []uint16{1}, CounterOffset: at(4)}, "lies in the checksum"},
		{"counter on nibble", "e2e-1", e2e.Config{Length: 8, DataIDs: []uint16{1}, IDMode: "nibble", NibbleOffset: at(8)}, "both at bit 8"},
		{"a counter beyond the payload", "e2e-1", e2e.Config{Length: 1, DataIDs: []uint16{1}}, "counter offset 8"},
		{"no place of a sum", "sum8", e2e.Config{Length: 8}, "one whole byte"},
		{"a sum across bytes", "xor8", e2e.Config{Length: 8, Check: e2e.Field{Start: 4, Length: 8}}, "one whole byte"},
		{"a counter on the sum", "xor8", e2e.Config{Length: 8, Check: e2e.Field{Start: 0, Length: 8}, Counter: e2e.Field{Start: 4, Length: 4}}, "share bits"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := e2e.Standard().New(c.algorithm, c.config)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// Whatever the payload and whichever bit is turned, it is noticed; and nothing
// but the bits of the mask is written.
func TestEveryTurnedBitIsNoticed(t *testing.T) {
	configs := map[string]e2e.Config{
		"e2e-1": {DataIDs: []uint16{0xBEEF}}, "e2e-11": {DataIDs: []uint16{0x123}, IDMode: "nibble"},
		"e2e-2": {DataIDs: upTo(1, 16)}, "e2e-22": {DataIDs: upTo(1, 16), Offset: 48}, "e2e-5": {DataIDs: []uint16{0xBEEF}, Offset: 8},
		"sum8": {Check: e2e.Field{Start: 0, Length: 8}, Counter: e2e.Field{Start: 8, Length: 2}},
		"xor8": {Check: e2e.Field{Start: 56, Length: 8}, Counter: e2e.Field{Start: 55, Length: 8, BigEndian: true}},
	}
	for name, c := range configs {
		t.Run(name, func(t *testing.T) {
			c.Length = 8
			a, err := e2e.Standard().New(name, c)
			if err != nil {
				t.Fatal(err)
			}
			rapid.Check(t, func(t *rapid.T) {
				var before, d canbus.Data
				before.UnpackLittleEndian(rapid.Uint64().Draw(t, "payload"))
				d = before
				counter := uint8(rapid.IntRange(0, a.Counters()-1).Draw(t, "counter"))
				a.Protect(d[:], counter)
				if changed := (d.PackLittleEndian() ^ before.PackLittleEndian()) &^ a.Mask(); changed != 0 {
					t.Fatalf("wrote the bits %X, the mask is %X", changed, a.Mask())
				}
				if got, ok := a.Verify(d[:]); !ok || got != counter {
					t.Fatalf("%X: counter %d, %v", d, got, ok)
				}
				bit := rapid.IntRange(0, 63).Draw(t, "bit")
				d[bit/8] ^= 1 << (bit % 8)
				if _, ok := a.Verify(d[:]); ok {
					t.Fatalf("bit %d turned and nobody noticed", bit)
				}
			})
		})
	}
}

// parity is the checksum of a manufacturer that this package does not know.
type parity struct{ id uint32 }

func (parity) Counters() int { return 4 }
func (p parity) Protect(data []byte, counter uint8) {
	data[0] = counter<<6 | byte(p.id)&0x3F
}
func (p parity) Verify(data []byte) (uint8, bool) {
	return data[0] >> 6, data[0]&0x3F == byte(p.id)&0x3F
}
func (parity) Mask() uint64 { return 0xFF }

func TestAlgorithmOfAManufacturer(t *testing.T) {
	r := e2e.Standard()
	r["acme"] = func(c e2e.Config) (e2e.Algorithm, error) { return parity{c.Key.ID()}, nil }
	a, err := r.New("acme", e2e.Config{Key: canbus.MakeKey(0x21, false), Length: 2})
	if err != nil {
		t.Fatal(err)
	}
	s := e2e.NewSender(a)
	f, _ := s.Protect(canbus.Frame{ID: 0x21, Length: 2})
	f, _ = s.Protect(f)
	if f.String() != "021#6100" {
		t.Errorf("protected %v", f)
	}
	if _, known := e2e.Standard()["acme"]; known {
		t.Error("the package remembers what was passed in")
	}
}
