// SPDX-License-Identifier: Apache-2.0

package store_test

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/carguardd/carguardd/harness/store"
)

// recordsEnv is how many records TestManyRecords writes; TestSystemARM sets it.
const recordsEnv = "CARGUARD_STORE_RECORDS"

func TestManyRecords(t *testing.T) {
	records := 10_000
	if n, err := strconv.Atoi(os.Getenv(recordsEnv)); err == nil {
		records = n
	}
	dir := t.TempDir()
	s := mustOpen(t, store.Open, dir, store.Options{OnLoss: func(l store.Loss) { t.Errorf("loss: %v", l) }})
	key := func(i int) []byte { return fmt.Appendf(nil, "%08d", i*7919%records) } // out of order
	value := func(i int) []byte { return fmt.Appendf(nil, "%0200d", i) }
	const batch = 1000
	for from := 0; from < records; from += batch {
		var ops []store.Op
		for i := from; i < from+batch; i++ {
			ops = append(ops, store.Set(key(i), value(i)))
		}
		if err := s.Batch(ops...); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = mustOpen(t, store.Open, dir, store.Options{OnLoss: func(l store.Loss) { t.Errorf("loss: %v", l) }})
	for i := range records {
		got, err := s.Get(key(i))
		if err != nil || string(got) != string(value(i)) {
			t.Fatalf("record %d is %.20q, %v", i, got, err)
		}
	}
	n := 0
	for _, err := range s.Scan(store.Range{}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != records {
		t.Errorf("a scan yields %d records of %d", n, records)
	}
	if err := errors.Join(s.(store.Verifier).Verify(t.Context()), s.Close()); err != nil {
		t.Error(err)
	}
	t.Logf("%d records with %s", n, store.Native())
}
