// SPDX-License-Identifier: Apache-2.0

// Package bundles builds the owner of a unit's bundles ([bundle.Manager]) from
// the parts that a daemon, the bench, or a verb on the command line has: a
// store, a profile, a factory bundle, a root to trust.
//
// # What it does not do
//
// It decides nothing about bundles, serves no request, and opens no store.
package bundles
