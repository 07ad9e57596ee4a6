// SPDX-License-Identifier: Apache-2.0

package store_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/carguardd/carguardd/harness/store"
)

func recordKey(seq uint64) []byte { return binary.BigEndian.AppendUint64([]byte("log/r"), seq) }

func stored(t *testing.T, s store.Store, key []byte) []byte {
	t.Helper()
	value, err := s.Get(key)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// TestChain changes a log behind its back in each way there is.
func TestChain(t *testing.T) {
	batch := func(ops ...store.Op) func(*testing.T, store.Store) {
		return func(t *testing.T, s store.Store) {
			if err := s.Batch(ops...); err != nil {
				t.Fatal(err)
			}
		}
	}
	tests := []struct {
		name string
		do   func(t *testing.T, s store.Store)
		open error  // of OpenLog
		cut  uint64 // what it then knows to be missing at the end
		is   error  // of Verify
	}{
		{"nothing", batch(), nil, 0, nil},
		{"the newest is gone", batch(store.Delete(recordKey(9))), nil, 1, store.ErrGap},
		{"the newest three are gone", batch(store.Delete(recordKey(9)), store.Delete(recordKey(8)), store.Delete(recordKey(7))), nil, 3, store.ErrGap},
		{"one in the middle is gone", batch(store.Delete(recordKey(6))), nil, 0, store.ErrGap},
		{"the oldest is gone", batch(store.Delete(recordKey(4))), nil, 0, store.ErrGap},
		{"all are gone", func(t *testing.T, s store.Store) {
			for n := uint64(4); n < 10; n++ {
				batch(store.Delete(recordKey(n)))(t, s)
			}
		}, nil, 6, store.ErrGap},
		{"two changed places", func(t *testing.T, s store.Store) {
			five, six := stored(t, s, recordKey(5)), stored(t, s, recordKey(6))
			batch(store.Set(recordKey(5), six), store.Set(recordKey(6), five))(t, s)
		}, nil, 0, store.ErrDamaged},
		{"one says something else", func(t *testing.T, s store.Store) {
			value := stored(t, s, recordKey(5))
			value[len(value)-1]++
			batch(store.Set(recordKey(5), value))(t, s)
		}, nil, 0, store.ErrDamaged},
		{"the newest is another one", func(t *testing.T, s store.Store) {
			batch(store.Set(recordKey(9), stored(t, s, recordKey(8))))(t, s)
		}, store.ErrDamaged, 0, nil},
		{"one was added", func(t *testing.T, s store.Store) {
			batch(store.Set(recordKey(10), stored(t, s, recordKey(9))))(t, s)
		}, store.ErrDamaged, 0, nil},
		{"the head is gone", batch(store.Delete([]byte("log/h"))), store.ErrDamaged, 0, nil},
		{"the head is cut", batch(store.Set([]byte("log/h"), []byte("short"))), store.ErrDamaged, 0, nil},
		{"the base is gone", batch(store.Delete([]byte("log/b"))), nil, 0, store.ErrGap},
		{"one is too short", batch(store.Set(recordKey(5), []byte("short"))), nil, 0, store.ErrDamaged},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := new(store.Memory)
			l := openLog(t, s)
			appendN(t, l, 9)
			if err := l.Trim(t.Context(), 4); err != nil {
				t.Fatal(err)
			}
			test.do(t, s)
			l, err := store.OpenLog(s, []byte("log/"))
			if !errors.Is(err, test.open) {
				t.Fatalf("opening says %v, want %v", err, test.open)
			}
			if test.open != nil {
				return
			}
			if l.Cut() != test.cut {
				t.Errorf("%d records are cut, want %d", l.Cut(), test.cut)
			}
			n, err := l.Verify(t.Context())
			if !errors.Is(err, test.is) || test.is == nil && n != 6 {
				t.Errorf("verify says %v after %d records, want %v", err, n, test.is)
			}
			// The log goes on with a new number whatever it lost.
			seq, err := l.Append(t.Context(), []byte("more"), false)
			if err != nil || seq != 10 {
				t.Errorf("the next record got number %d, %v", seq, err)
			}
		})
	}
}

// TestChainHolds appends, trims and opens again in any order.
func TestChainHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := new(store.Memory)
		l, err := store.OpenLog(s, []byte("log/"))
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0, 1:
				for range rapid.IntRange(1, 5).Draw(t, "records") {
					if _, err := l.Append(t.Context(), fmt.Append(nil, l.Next()), false); err != nil {
						t.Fatal(err)
					}
				}
			case 2:
				if err := l.Trim(t.Context(), rapid.Uint64Range(0, l.Next()+2).Draw(t, "seq")); err != nil {
					t.Fatal(err)
				}
			case 3:
				count, next := l.Count(), l.Next()
				if l, err = store.OpenLog(s, []byte("log/")); err != nil || l.Count() != count || l.Next() != next || l.Cut() != 0 {
					t.Fatalf("opened with %d records, next %d, %d cut, %v; had %d, next %d", l.Count(), l.Next(), l.Cut(), err, count, next)
				}
			}
			if n, err := l.Verify(t.Context()); err != nil || uint64(n) != l.Count() {
				t.Fatalf("%d of %d records verified: %v", n, l.Count(), err)
			}
		}
	})
}
