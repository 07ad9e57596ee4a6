// SPDX-License-Identifier: Apache-2.0

package store

import (
	"bytes"
	"iter"
)

// pageEntries is how many entries a scan copies out of an engine at a time. The
// engine's read transaction ends before the first of them is yielded, so the
// body of a scan can write without waiting for itself (bbolt cannot grow its
// file under an open read) and a slow reader keeps no old versions alive.
const pageEntries = 128

// pages yields the entries of r, read page by page. A page is up to n entries of
// the half-open interval [low, high), from its low end or, in reverse, from its
// high end; one with fewer than n entries may still be followed by more, an
// empty one ends the scan.
func pages(r Range, page func(low, high []byte, reverse bool, n int) ([]Entry, error)) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		low, high := r.bounds()
		left := r.Limit
		for {
			n := pageEntries
			if r.Limit > 0 {
				n = min(n, left)
			}
			entries, err := page(low, high, r.Reverse, n)
			if err != nil {
				yield(Entry{}, err)
				return
			}
			if len(entries) == 0 {
				return
			}
			// The body may keep or change what it is given.
			edge := bytes.Clone(entries[len(entries)-1].Key)
			for _, entry := range entries {
				if !yield(entry, nil) {
					return
				}
			}
			if left -= len(entries); r.Limit > 0 && left <= 0 {
				return
			}
			if r.Reverse {
				high = edge
			} else {
				low = append(edge, 0)
			}
		}
	}
}
