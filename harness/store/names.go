// SPDX-License-Identifier: Apache-2.0

package store

// The folders that the engines have inside a store's directory. Both are known
// to every build, for a directory may come from another one.
const (
	badgerFolder = "badger"
	boltFolder   = "bbolt"
)
