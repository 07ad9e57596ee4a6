// SPDX-License-Identifier: Apache-2.0

package store

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestSeal(t *testing.T) {
	noise := make([]byte, 10_000)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	tests := []struct {
		name    string
		value   []byte
		smaller bool
	}{
		{"nothing", nil, false},
		{"short", []byte("25"), false},
		{"text", []byte(strings.Repeat(`{"signal":"window_driver_position","value":25},`, 100)), true},
		{"noise", noise, false},
		{"largest", make([]byte, MaxBatch), true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			key := []byte("key")
			sealed := (sealer{}).seal(key, test.value)
			if smaller := len(sealed) < len(test.value)/2; smaller != test.smaller {
				t.Errorf("%d bytes became %d", len(test.value), len(sealed))
			}
			value, err := (sealer{}).unseal(key, sealed)
			if err != nil || !bytes.Equal(value, test.value) || value == nil {
				t.Fatalf("came back as %d bytes, %v", len(value), err)
			}
			if _, err := (sealer{}).unseal([]byte("kex"), sealed); !errors.Is(err, ErrDamaged) {
				t.Errorf("under another key: %v", err)
			}
			for _, at := range []int{0, sealSum, len(sealed) - 1} {
				sealed[at] ^= 1
				if _, err := (sealer{}).unseal(key, sealed); !errors.Is(err, ErrDamaged) {
					t.Errorf("byte %d flipped: %v", at, err)
				}
				sealed[at] ^= 1
			}
			if _, err := (sealer{}).unseal(key, sealed[:len(sealed)-1]); !errors.Is(err, ErrDamaged) {
				t.Errorf("cut: %v", err)
			}
		})
	}
}

func FuzzUnpack(f *testing.F) {
	packed, how := pack(nil, []byte(strings.Repeat("turn", 200)))
	f.Add(packed, byte(how))
	f.Add([]byte("raw"), byte(packedRaw))
	f.Add([]byte{}, byte(7))
	f.Fuzz(func(t *testing.T, packed []byte, how byte) {
		value, err := unpack(packed, packing(how))
		if err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("the error is %v", err)
		}
		if len(value) > MaxBatch {
			t.Errorf("unpacked to %d bytes", len(value))
		}
	})
}
