// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"fmt"
	"testing"

	"github.com/carguardd/carguardd/harness/store"
)

func testScan(t *testing.T, open Opener) {
	s := opened(t, open)
	for _, key := range []string{"a", "b/1", "b/2", "b/3", "b0", "c"} {
		must(t, s.Batch(store.Set([]byte(key), []byte(key))))
	}
	b := []byte("b/")
	tests := []struct {
		name string
		r    store.Range
		want []string
	}{
		{"everything", store.Range{}, []string{"a", "b/1", "b/2", "b/3", "b0", "c"}},
		{"everything in reverse", store.Range{Reverse: true}, []string{"c", "b0", "b/3", "b/2", "b/1", "a"}},
		{"a prefix", store.Range{Prefix: b}, []string{"b/1", "b/2", "b/3"}},
		{"a prefix in reverse", store.Range{Prefix: b, Reverse: true}, []string{"b/3", "b/2", "b/1"}},
		{"a prefix that is a key", store.Range{Prefix: []byte("a")}, []string{"a"}},
		{"a prefix of nothing", store.Range{Prefix: []byte("bb")}, nil},
		{"limit", store.Range{Prefix: b, Limit: 2}, []string{"b/1", "b/2"}},
		{"limit in reverse", store.Range{Prefix: b, Limit: 2, Reverse: true}, []string{"b/3", "b/2"}},
		{"limit beyond the end", store.Range{Prefix: b, Limit: 9}, []string{"b/1", "b/2", "b/3"}},
		{"from a key", store.Range{Prefix: b, From: []byte("b/2")}, []string{"b/2", "b/3"}},
		{"from a key in reverse", store.Range{Prefix: b, From: []byte("b/2"), Reverse: true}, []string{"b/2", "b/1"}},
		{"from between keys", store.Range{Prefix: b, From: []byte("b/11")}, []string{"b/2", "b/3"}},
		{"from between keys in reverse", store.Range{Prefix: b, From: []byte("b/29"), Reverse: true}, []string{"b/2", "b/1"}},
		{"from before the prefix", store.Range{Prefix: b, From: []byte("a")}, []string{"b/1", "b/2", "b/3"}},
		{"from after the prefix", store.Range{Prefix: b, From: []byte("c")}, nil},
		{"from before the prefix in reverse", store.Range{Prefix: b, From: []byte("a"), Reverse: true}, nil},
		{"from after the prefix in reverse", store.Range{Prefix: b, From: []byte("c"), Reverse: true}, []string{"b/3", "b/2", "b/1"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { want(t, s, test.r, test.want...) })
	}
}

func testScanPages(t *testing.T, open Opener) {
	s := opened(t, open)
	const n = 1000
	var ops []store.Op
	for i := range n {
		ops = append(ops, store.Set(fmt.Appendf(nil, "k%05d", i), nil))
	}
	must(t, s.Batch(ops...))
	for _, limit := range []int{0, 1, 127, 128, 129, 256, n, n + 1} {
		expected := n
		if limit > 0 {
			expected = min(n, limit)
		}
		for _, reverse := range []bool{false, true} {
			i := 0
			for entry, err := range s.Scan(store.Range{Prefix: []byte("k"), Limit: limit, Reverse: reverse}) {
				must(t, err)
				number := i
				if reverse {
					number = n - 1 - i
				}
				if string(entry.Key) != fmt.Sprintf("k%05d", number) {
					t.Fatalf("limit %d, reverse %v: entry %d is %q", limit, reverse, i, entry.Key)
				}
				i++
			}
			if i != expected {
				t.Errorf("limit %d, reverse %v: %d entries of %d", limit, reverse, i, expected)
			}
		}
	}
	for range s.Scan(store.Range{}) {
		break // leaving early leaves nothing behind
	}
	must(t, s.Batch(store.Set([]byte("k"), nil)))
}

func testScanLarge(t *testing.T, open Opener) {
	s := opened(t, open)
	for i := range 12 {
		must(t, s.Batch(store.Set(fmt.Appendf(nil, "%02d", i), noise(i, store.MaxBatch/4))))
	}
	for _, reverse := range []bool{false, true} {
		if n := count(t, s, store.Range{Reverse: reverse}); n != 12 {
			t.Errorf("reverse %v: %d of 12 values are there", reverse, n)
		}
	}
}

// A body that writes must neither wait for its own scan nor see keys twice.
func testScanWrite(t *testing.T, open Opener) {
	s := opened(t, open)
	value := noise(1, 4<<10)
	for i := range 300 {
		must(t, s.Batch(store.Set(fmt.Appendf(nil, "old/%03d", i), value)))
	}
	seen := map[string]bool{}
	for entry, err := range s.Scan(store.Range{Prefix: []byte("old/")}) {
		must(t, err)
		if seen[string(entry.Key)] {
			t.Fatalf("%q is yielded twice", entry.Key)
		}
		seen[string(entry.Key)] = true
		must(t, s.Batch(
			store.Set(append([]byte("new/"), entry.Key...), noise(2, 16<<10)),
			store.Set(entry.Key, []byte("changed")),
		))
	}
	if len(seen) != 300 {
		t.Errorf("%d of 300 keys were yielded", len(seen))
	}
	for entry, err := range s.Scan(store.Range{Prefix: []byte("old/")}) {
		must(t, err)
		must(t, s.Batch(store.Delete(entry.Key)))
	}
	want(t, s, store.Range{Prefix: []byte("old/")})
}
