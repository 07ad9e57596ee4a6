// SPDX-License-Identifier: Apache-2.0

// Package journal keeps the turn journal and the ask ledger in a store.
//
// Records are JSON under the log prefix "turn/": what a turn did, written
// before acting and after observing. "open/<turn>" names the turns that have
// begun and not closed, so that a restart finds them without reading the
// whole log; "asks/<session>" holds a session's ledger and "number/<session>"
// the number of its latest turn; "closed" counts the turns.
//
// # What it does not do
//
// It sends nothing and repeats nothing. [Journal.Reconcile] closes a turn
// that a power cut left open by what the car says now; a call whose effect is
// not seen is reported, never sent again. It keeps no question and no yes: they
// end with the process.
package journal
