// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/carguardd/carguardd/harness/store"
)

// Opener opens the store under test. Every call with the same t opens the same
// store, so a test can close and open it again; what it had is there if keeps is
// set in [Run].
type Opener func(t *testing.T) store.Store

// Run runs the conformance tests. fresh is called once per test and returns an
// opener of a store that is empty at first. keeps says that the contents survive
// a Close.
func Run(t *testing.T, keeps bool, fresh func(t *testing.T) Opener) {
	tests := []struct {
		name string
		run  func(t *testing.T, open Opener)
	}{
		{"get what was set", testSetGet},
		{"values are copies", testCopies},
		{"batch is ordered", testBatchOrder},
		{"batch is atomic", testBatchAtomic},
		{"keys and sizes are checked", testLimits},
		{"largest batch", testLargest},
		{"scan", testScan},
		{"scan pages", testScanPages},
		{"scan of large values", testScanLarge},
		{"write inside a scan", testScanWrite},
		{"strange bytes", testStrangeBytes},
		{"concurrent use", testConcurrent},
		{"size", testSize},
		{"closed", testClosed},
		{"random operations", testModel},
	}
	if keeps {
		tests = append(tests, []struct {
			name string
			run  func(t *testing.T, open Opener)
		}{
			{"survives a close", testReopen},
			{"many records survive", testManyReopen},
		}...)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, fresh(t)) })
	}
}

func testSetGet(t *testing.T, open Opener) {
	s := opened(t, open)
	wantMissing(t, s, "a")
	must(t, s.Batch(store.Set([]byte("a"), []byte("1"))))
	wantValue(t, s, "a", "1")
	must(t, s.Batch(store.Set([]byte("a"), []byte("2"))))
	wantValue(t, s, "a", "2")
	must(t, s.Batch(store.Delete([]byte("a"))))
	wantMissing(t, s, "a")
	must(t, s.Batch(store.Delete([]byte("a"))))
	must(t, s.Batch())
	must(t, s.Batch(store.Set([]byte("empty"), nil)))
	value, err := s.Get([]byte("empty"))
	if err != nil || value == nil || len(value) != 0 {
		t.Errorf("empty value came back as %#v, %v", value, err)
	}
	must(t, s.Sync())
}

func testCopies(t *testing.T, open Opener) {
	s := opened(t, open)
	key, value := []byte("key"), []byte("value")
	must(t, s.Batch(store.Set(key, value)))
	copy(key, "xxx")
	copy(value, "xxxxx")
	got, err := s.Get([]byte("key"))
	must(t, err)
	copy(got, "yyyyy")
	wantValue(t, s, "key", "value")
	for entry, err := range s.Scan(store.Range{}) {
		must(t, err)
		copy(entry.Key, "zzz")
		copy(entry.Value, "zzzzz")
		_ = append(entry.Value, "more"...)
	}
	wantValue(t, s, "key", "value")
}

func testBatchOrder(t *testing.T, open Opener) {
	s := opened(t, open)
	a := []byte("a")
	must(t, s.Batch(store.Set(a, []byte("1")), store.Delete(a), store.Set(a, []byte("2"))))
	wantValue(t, s, "a", "2")
	must(t, s.Batch(store.Set(a, []byte("3")), store.Delete(a)))
	wantMissing(t, s, "a")
}

func testBatchAtomic(t *testing.T, open Opener) {
	s := opened(t, open)
	must(t, s.Batch(store.Set([]byte("kept"), []byte("1"))))
	err := s.Batch(store.Set([]byte("new"), []byte("1")), store.Delete([]byte("kept")), store.Set(nil, []byte("1")))
	if !errors.Is(err, store.ErrKey) {
		t.Fatalf("a batch with an empty key gave %v", err)
	}
	wantMissing(t, s, "new")
	wantValue(t, s, "kept", "1")
}

func testLimits(t *testing.T, open Opener) {
	s := opened(t, open)
	long := bytes.Repeat([]byte("k"), store.MaxKey)
	must(t, s.Batch(store.Set(long, []byte("1"))))
	wantValue(t, s, string(long), "1")
	for name, key := range map[string][]byte{"empty": nil, "too long": append(long, 'k'), "reserved": {0, 'g'}} {
		for op, do := range map[string]func() error{
			"set":    func() error { return s.Batch(store.Set(key, nil)) },
			"delete": func() error { return s.Batch(store.Delete(key)) },
			"get":    func() error { _, err := s.Get(key); return err },
		} {
			if err := do(); !errors.Is(err, store.ErrKey) {
				t.Errorf("%s of a key that is %s gave %v", op, name, err)
			}
		}
	}
	if err := s.Batch(store.Set([]byte("a"), make([]byte, store.MaxBatch))); !errors.Is(err, store.ErrTooLarge) {
		t.Errorf("a batch of one byte too many gave %v", err)
	}
	if err := s.Batch(make([]store.Op, store.MaxOps+1)...); !errors.Is(err, store.ErrTooLarge) {
		t.Errorf("a batch of one operation too many gave %v", err)
	}
	for entry, err := range s.Scan(store.Range{Prefix: []byte{0}}) {
		t.Errorf("a scan of the reserved keys yields %q, %v", entry.Key, err)
	}
	want(t, s, store.Range{}, string(long))
}

func testLargest(t *testing.T, open Opener) {
	s := opened(t, open)
	big := noise(1, store.MaxBatch-1)
	must(t, s.Batch(store.Set([]byte("b"), big)))
	wantValue(t, s, "b", string(big))
	var ops []store.Op
	for i := range store.MaxOps {
		ops = append(ops, store.Set(fmt.Appendf(nil, "many/%06d", i), []byte("v")))
	}
	must(t, s.Batch(ops...))
	for i := range ops {
		ops[i].Value = noise(i, store.MaxBatch/store.MaxOps-len(ops[i].Key))
	}
	must(t, s.Batch(ops...)) // both limits at once
	if n := count(t, s, store.Range{Prefix: []byte("many/")}); n != store.MaxOps {
		t.Errorf("%d of %d keys are there", n, store.MaxOps)
	}
}

func testStrangeBytes(t *testing.T, open Opener) {
	s := opened(t, open)
	keys := []string{"\x01", "!badger!txn", "\xff", "\xff\xff", "\xff\xff\x00", "a\x00b", "a\x00", "Ä", strings.Repeat("\xff", 40)}
	for _, key := range keys {
		must(t, s.Batch(store.Set([]byte(key), []byte(key))))
	}
	for _, key := range keys {
		wantValue(t, s, key, key)
	}
	want(t, s, store.Range{Prefix: []byte("\xff\xff")}, "\xff\xff", "\xff\xff\x00", strings.Repeat("\xff", 40))
	want(t, s, store.Range{Prefix: []byte("a\x00")}, "a\x00", "a\x00b")
	if n := count(t, s, store.Range{}); n != len(keys) {
		t.Errorf("%d of %d keys are there", n, len(keys))
	}
}

func testConcurrent(t *testing.T, open Opener) {
	s := opened(t, open)
	const writers, each = 4, 50
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			for i := range each {
				key := fmt.Appendf(nil, "w%d/%03d", w, i)
				if err := s.Batch(store.Set(key, key), store.Set([]byte("last"), key)); err != nil {
					t.Errorf("batch: %v", err)
				}
				if value, err := s.Get(key); err != nil || !bytes.Equal(value, key) {
					t.Errorf("own write came back as %q, %v", value, err)
				}
				if i%10 == 0 {
					if err := s.Sync(); err != nil {
						t.Errorf("sync: %v", err)
					}
				}
			}
		})
		group.Go(func() {
			for range each / 10 {
				for _, err := range s.Scan(store.Range{Prefix: []byte("w")}) {
					if err != nil {
						t.Errorf("scan: %v", err)
					}
				}
			}
		})
	}
	group.Wait()
	if n := count(t, s, store.Range{Prefix: []byte("w")}); n != writers*each {
		t.Errorf("%d of %d keys are there", n, writers*each)
	}
}

func testSize(t *testing.T, open Opener) {
	s := opened(t, open)
	before, err := s.Size()
	must(t, err)
	for i := range 8 {
		must(t, s.Batch(store.Set([]byte{'a' + byte(i)}, noise(i, 256<<10))))
	}
	must(t, s.Sync())
	after, err := s.Size()
	must(t, err)
	if grown := after - before; grown < 1<<20 {
		t.Errorf("2 MiB of values made the store grow by %d bytes", grown)
	}
}

func testClosed(t *testing.T, open Opener) {
	s := opened(t, open)
	must(t, s.Batch(store.Set([]byte("a"), nil)))
	must(t, s.Close())
	for name, do := range map[string]func() error{
		"get":   func() error { _, err := s.Get([]byte("a")); return err },
		"batch": func() error { return s.Batch(store.Set([]byte("a"), nil)) },
		"sync":  s.Sync,
		"size":  func() error { _, err := s.Size(); return err },
		"close": s.Close,
		"scan": func() error {
			for _, err := range s.Scan(store.Range{}) {
				return err
			}
			return nil
		},
	} {
		if err := do(); !errors.Is(err, store.ErrClosed) {
			t.Errorf("%s after close gave %v", name, err)
		}
	}
}

func testReopen(t *testing.T, open Opener) {
	s := opened(t, open)
	must(t, s.Batch(store.Set([]byte("a"), []byte("1")), store.Set([]byte("b"), []byte("2"))))
	must(t, s.Batch(store.Delete([]byte("b"))))
	must(t, s.Close())
	s = opened(t, open)
	wantValue(t, s, "a", "1")
	wantMissing(t, s, "b")
	want(t, s, store.Range{}, "a")
}

func testManyReopen(t *testing.T, open Opener) {
	const records, size = 10_000, 1_000 // more than two of Badger's tables
	s := opened(t, open)
	for from := 0; from < records; from += 500 {
		var ops []store.Op
		for i := from; i < from+500; i++ {
			ops = append(ops, store.Set(fmt.Appendf(nil, "%08d", i), noise(i, size)))
		}
		must(t, s.Batch(ops...))
	}
	must(t, s.Close())
	s = opened(t, open)
	i := 0
	for entry, err := range s.Scan(store.Range{}) {
		must(t, err)
		if string(entry.Key) != fmt.Sprintf("%08d", i) || !bytes.Equal(entry.Value, noise(i, size)) {
			t.Fatalf("record %d came back as %q with %d bytes", i, entry.Key, len(entry.Value))
		}
		i++
	}
	if i != records {
		t.Errorf("%d of %d records are there", i, records)
	}
}
