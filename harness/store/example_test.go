// SPDX-License-Identifier: Apache-2.0

package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/carguardd/carguardd/harness/store"
)

// A daemon opens its store, and goes on with an empty one if the old one is
// beyond use.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "store")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	lost := func(l store.Loss) { fmt.Println(l) }
	s, err := store.Open(dir, store.Options{OnLoss: lost})
	if errors.Is(err, store.ErrDamaged) {
		fmt.Println(err)
		if _, err = store.Quarantine(dir); err == nil {
			s, err = store.Open(dir, store.Options{})
		}
	}
	if err != nil {
		panic(err)
	}
	defer s.Close()
	journal, err := store.OpenLog(s, []byte("journal/"))
	if err != nil {
		panic(err)
	}
	turn, err := journal.Append(context.Background(), []byte("turn opened"), true, store.Set([]byte("ledger/1"), []byte("close the windows")))
	fmt.Println(turn, err)
	records, err := journal.Last(1)
	fmt.Printf("%s %v\n", records[0].Data, err)
	// Output:
	// 1 <nil>
	// turn opened <nil>
}
