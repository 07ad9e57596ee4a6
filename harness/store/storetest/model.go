// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/carguardd/carguardd/harness/store"
)

// testModel holds random batches and scans against a plain map.
func testModel(t *testing.T, open Opener) {
	s := opened(t, open)
	model := map[string]string{}
	key := rapid.StringMatching(`[ab]{1,3}|[ab]{1,2}\xff`)
	rapid.Check(t, func(t *rapid.T) {
		for range rapid.IntRange(1, 4).Draw(t, "batches") {
			var ops []store.Op
			for range rapid.IntRange(0, 5).Draw(t, "ops") {
				k := key.Draw(t, "key")
				if rapid.Bool().Draw(t, "delete") {
					ops = append(ops, store.Delete([]byte(k)))
					delete(model, k)
					continue
				}
				v := rapid.String().Draw(t, "value")
				ops = append(ops, store.Set([]byte(k), []byte(v)))
				model[k] = v
			}
			if err := s.Batch(ops...); err != nil {
				t.Fatalf("batch: %v", err)
			}
		}
		r := store.Range{
			Prefix:  []byte(rapid.StringMatching(`[ab]{0,2}`).Draw(t, "prefix")),
			Reverse: rapid.Bool().Draw(t, "reverse"),
			Limit:   rapid.IntRange(0, 4).Draw(t, "limit"),
		}
		if rapid.Bool().Draw(t, "has from") {
			r.From = []byte(key.Draw(t, "from"))
		}
		var got []string
		for entry, err := range s.Scan(r) {
			if err != nil {
				t.Fatalf("scan: %v", err)
			}
			got = append(got, string(entry.Key))
			if string(entry.Value) != model[string(entry.Key)] {
				t.Fatalf("%q is %q, want %q", entry.Key, entry.Value, model[string(entry.Key)])
			}
		}
		if expected := modelScan(model, r); !slices.Equal(got, expected) {
			t.Fatalf("scan %+v gave %q, want %q", r, got, expected)
		}
	})
}

func modelScan(model map[string]string, r store.Range) []string {
	var keys []string
	for key := range model {
		from := string(r.From)
		if strings.HasPrefix(key, string(r.Prefix)) && (r.From == nil || !r.Reverse && key >= from || r.Reverse && key <= from) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	if r.Reverse {
		slices.Reverse(keys)
	}
	if r.Limit > 0 && len(keys) > r.Limit {
		keys = keys[:r.Limit]
	}
	return keys
}
