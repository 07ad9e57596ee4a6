// SPDX-License-Identifier: Apache-2.0

package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/carguardd/carguardd/harness/store"
)

func openLog(t *testing.T, s store.Store) *store.Log {
	t.Helper()
	l, err := store.OpenLog(s, []byte("log/"))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func appendN(t *testing.T, l *store.Log, n int) {
	t.Helper()
	for range n {
		seq, err := l.Append(t.Context(), fmt.Appendf(nil, "record %d", l.Next()), false)
		if err != nil {
			t.Fatal(err)
		}
		if l.Next() != seq+1 {
			t.Fatalf("after record %d the next is %d", seq, l.Next())
		}
	}
}

// numbers returns the numbers of records and checks their data.
func numbers(t *testing.T, records []store.Record) []uint64 {
	t.Helper()
	var seqs []uint64
	for _, record := range records {
		seqs = append(seqs, record.Seq)
		if string(record.Data) != fmt.Sprintf("record %d", record.Seq) {
			t.Errorf("record %d holds %q", record.Seq, record.Data)
		}
	}
	return seqs
}

func TestLogReads(t *testing.T) {
	l := openLog(t, new(store.Memory))
	appendN(t, l, 10)
	if err := l.Trim(t.Context(), 4); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		read func() ([]store.Record, error)
		want []uint64
	}{
		{"from the beginning", func() ([]store.Record, error) { return l.Read(0, 3) }, []uint64{4, 5, 6}},
		{"from a number", func() ([]store.Record, error) { return l.Read(8, 0) }, []uint64{8, 9, 10}},
		{"over the end", func() ([]store.Record, error) { return l.Read(9, 100) }, []uint64{9, 10}},
		{"behind the end", func() ([]store.Record, error) { return l.Read(11, 1) }, nil},
		{"last", func() ([]store.Record, error) { return l.Last(2) }, []uint64{9, 10}},
		{"last of more than there are", func() ([]store.Record, error) { return l.Last(100) }, []uint64{4, 5, 6, 7, 8, 9, 10}},
		{"last none", func() ([]store.Record, error) { return l.Last(0) }, nil},
		{"before", func() ([]store.Record, error) { return l.Before(9, 2) }, []uint64{7, 8}},
		{"before the oldest", func() ([]store.Record, error) { return l.Before(4, 2) }, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			records, err := test.read()
			if err != nil {
				t.Fatal(err)
			}
			if got := numbers(t, records); !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
	if l.Count() != 7 {
		t.Errorf("count is %d, want 7", l.Count())
	}
}

func TestLogOpensWhereItWas(t *testing.T) {
	s := new(store.Memory)
	appendN(t, openLog(t, s), 5)
	l := openLog(t, s)
	if l.Count() != 5 || l.Next() != 6 {
		t.Fatalf("reopened with %d records, next %d", l.Count(), l.Next())
	}
	if err := l.Trim(t.Context(), 100); err != nil {
		t.Fatal(err)
	}
	l = openLog(t, s)
	if l.Count() != 0 || l.Next() != 6 {
		t.Fatalf("emptied and reopened with %d records, next %d: numbers must not come twice", l.Count(), l.Next())
	}
	appendN(t, l, 1)
	records, err := openLog(t, s).Last(9)
	if err != nil || !slices.Equal(numbers(t, records), []uint64{6}) {
		t.Errorf("got %v, %v", records, err)
	}
}

func TestLogAppendsWithOtherKeys(t *testing.T) {
	s := new(store.Memory)
	l := openLog(t, s)
	if _, err := l.Append(t.Context(), nil, true, store.Set([]byte("ledger"), []byte("1"))); err != nil {
		t.Fatal(err)
	}
	if value, err := s.Get([]byte("ledger")); err != nil || string(value) != "1" {
		t.Errorf("the other key is %q, %v", value, err)
	}
	if _, err := l.Append(t.Context(), nil, true, store.Set(nil, nil)); !errors.Is(err, store.ErrKey) {
		t.Errorf("an invalid step gave %v", err)
	}
	if l.Next() != 2 {
		t.Errorf("a failed append used a number: next is %d", l.Next())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Append(ctx, nil, false); !errors.Is(err, context.Canceled) {
		t.Errorf("append with a cancelled context gave %v", err)
	}
}

func TestLogNoticesGaps(t *testing.T) {
	s := new(store.Memory)
	l := openLog(t, s)
	appendN(t, l, 9)
	for entry, err := range s.Scan(store.Range{Prefix: []byte("log/r")}) {
		if err != nil {
			t.Fatal(err)
		}
		if n := entry.Key[len(entry.Key)-1]; n == 4 || n == 5 {
			if err := s.Batch(store.Delete(entry.Key)); err != nil {
				t.Fatal(err)
			}
		}
	}
	records, err := l.Read(1, 0)
	if !errors.Is(err, store.ErrGap) || !slices.Equal(numbers(t, records), []uint64{1, 2, 3}) {
		t.Errorf("read over the gap gave %v, %v", numbers(t, records), err)
	}
	if want := `read log "log/": records are missing: numbers 4 to 5`; err == nil || err.Error() != want {
		t.Errorf("error is %q, want %q", err, want)
	}
	records, err = l.Last(6)
	if !errors.Is(err, store.ErrGap) || !slices.Equal(numbers(t, records), []uint64{6, 7, 8, 9}) {
		t.Errorf("last over the gap gave %v, %v", numbers(t, records), err)
	}
	if records, err = l.Read(6, 0); err != nil || len(records) != 4 {
		t.Errorf("read behind the gap gave %d records, %v", len(records), err)
	}
	if records, err = l.Read(1, 3); err != nil || len(records) != 3 {
		t.Errorf("read before the gap gave %d records, %v", len(records), err)
	}
}

func TestLogTrimsInSteps(t *testing.T) {
	s := new(store.Memory)
	l := openLog(t, s)
	appendN(t, l, 2*store.MaxOps)
	if err := l.Trim(t.Context(), 2*store.MaxOps); err != nil {
		t.Fatal(err)
	}
	records, err := l.Read(0, 0)
	if err != nil || !slices.Equal(numbers(t, records), []uint64{2 * store.MaxOps}) {
		t.Errorf("%d records are left, %v", len(records), err)
	}
}

func TestLogConcurrentAppends(t *testing.T) {
	l := openLog(t, new(store.Memory))
	var group sync.WaitGroup
	var mu sync.Mutex
	seen := map[uint64]bool{}
	for range 8 {
		group.Go(func() {
			for range 100 {
				seq, err := l.Append(t.Context(), nil, true)
				if err != nil {
					t.Errorf("append: %v", err)
				}
				mu.Lock()
				if seen[seq] {
					t.Errorf("number %d was given twice", seq)
				}
				seen[seq] = true
				mu.Unlock()
				if _, err := l.Last(3); err != nil {
					t.Errorf("last: %v", err)
				}
			}
		})
	}
	group.Wait()
	if l.Count() != 800 {
		t.Errorf("count is %d, want 800", l.Count())
	}
}
