// SPDX-License-Identifier: Apache-2.0

// Package storetest holds the conformance tests that every store.Store passes:
// Badger, bbolt and the store in memory alike. It tests the contract in the
// comments of package store and nothing about one engine; what damage does to
// whose files is tested beside the engines. It does not test durability across
// a power cut, which takes a machine to cut the power of.
package storetest
