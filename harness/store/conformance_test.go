// SPDX-License-Identifier: Apache-2.0

package store_test

import (
	"testing"

	"github.com/carguardd/carguardd/harness/store"
	"github.com/carguardd/carguardd/harness/store/storetest"
)

type openFunc = func(string, store.Options) (store.Store, error)

// onDisk returns for each test an opener of one directory.
func onDisk(open openFunc) func(*testing.T) storetest.Opener {
	return func(t *testing.T) storetest.Opener {
		dir := t.TempDir()
		return func(t *testing.T) store.Store {
			t.Helper()
			s, err := open(dir, store.Options{OnLoss: func(l store.Loss) { t.Errorf("loss: %v", l) }})
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
	}
}

func TestMemory(t *testing.T) {
	storetest.Run(t, false, func(*testing.T) storetest.Opener {
		return func(*testing.T) store.Store { return new(store.Memory) }
	})
}

func TestBolt(t *testing.T) { storetest.Run(t, true, onDisk(store.OpenBolt)) }

// TestOpen runs on the engine of the build, which is Badger on the machines that
// tests usually run on.
func TestOpen(t *testing.T) { storetest.Run(t, true, onDisk(store.Open)) }
