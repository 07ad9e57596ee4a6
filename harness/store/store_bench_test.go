// SPDX-License-Identifier: Apache-2.0

package store_test

import (
	"fmt"
	"testing"

	"github.com/carguardd/carguardd/harness/store"
)

// openJournal opens a store and the log of it that journal makes.
func openJournal(b *testing.B, open openFunc, dir string) (store.Store, *store.Log) {
	b.Helper()
	s := mustOpen(b, open, dir, store.Options{})
	l, err := store.OpenLog(s, []byte("journal/"))
	if err != nil {
		b.Fatal(err)
	}
	return s, l
}

// journal makes a log of 10,000 turns, two records of 2 kB each, in dir.
func journal(b *testing.B, open openFunc, dir string) {
	b.Helper()
	s, l := openJournal(b, open, dir)
	record := noise(1, 2_000)
	for range 200 {
		var with []store.Op // many records per batch: bbolt syncs each
		for i := range 99 {
			key := fmt.Appendf(nil, "more/%08d/%02d", l.Next(), i)
			with = append(with, store.Set(key, record))
		}
		if _, err := l.Append(b.Context(), record, false, with...); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkOpen opens a store of 40 MB and its log, and closes it again.
func BenchmarkOpen(b *testing.B) {
	for name, open := range engines {
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			journal(b, open, dir)
			b.ReportAllocs()
			for b.Loop() {
				s, err := open(dir, store.Options{})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := store.OpenLog(s, []byte("journal/")); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				if err := s.Close(); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
		})
	}
}

// BenchmarkAppend appends records of 2 kB, as they come and each of them synced.
func BenchmarkAppend(b *testing.B) {
	for name, open := range engines {
		for mode, durable := range map[string]bool{"plain": false, "durable": true} {
			b.Run(name+"/"+mode, func(b *testing.B) {
				_, l := openJournal(b, open, b.TempDir())
				record := noise(1, 2_000)
				b.ReportAllocs()
				b.SetBytes(int64(len(record)))
				for b.Loop() {
					if _, err := l.Append(b.Context(), record, durable); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkLast reads the newest 20 records of a store of 40 MB.
func BenchmarkLast(b *testing.B) {
	for name, open := range engines {
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			journal(b, open, dir)
			_, l := openJournal(b, open, dir)
			b.ReportAllocs()
			for b.Loop() {
				if records, err := l.Last(20); err != nil || len(records) != 20 {
					b.Fatal(len(records), err)
				}
			}
		})
	}
}

// BenchmarkScan reads all of a store of 40 MB.
func BenchmarkScan(b *testing.B) {
	for name, open := range engines {
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			journal(b, open, dir)
			s := mustOpen(b, open, dir, store.Options{})
			b.ReportAllocs()
			b.SetBytes(20_000 * 2_000)
			for b.Loop() {
				n := 0
				for _, err := range s.Scan(store.Range{}) {
					if err != nil {
						b.Fatal(err)
					}
					n++
				}
				if n != 20_000 {
					b.Fatalf("%d records", n)
				}
			}
		})
	}
}
