// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/carguardd/carguardd/canbus"
)

// BenchmarkLoadLargest loads the largest public file.
func BenchmarkLoadLargest(b *testing.B) {
	dir, files := sharedFiles(b)
	var largest []byte
	for _, name := range files {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			b.Fatal(err)
		}
		if len(data) > len(largest) {
			largest = data
		}
	}
	b.SetBytes(int64(len(largest)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse("largest.dbc", largest, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	for name, m := range map[string]*Message{"plain": codecMessage(b, "Plain"), "mux": muxMessage(b)} {
		b.Run(name, func(b *testing.B) {
			f := m.Blank()
			f.Data = canbus.Data{2, 1, 3, 4, 5, 6, 7, 8}
			dst := make([]Value, 0, len(m.Signals))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.Decode(f, dst[:0]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	m := codecMessage(b, "Plain")
	base := m.Blank()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Encode(base, Set("Volt", 52.8), SetText("Gear", "D")); err != nil {
			b.Fatal(err)
		}
	}
}
