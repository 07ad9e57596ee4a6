// SPDX-License-Identifier: Apache-2.0

// Package store is the small key-value interface behind the turn journal and
// the ask ledger (package journal, below it), and the engines that stand
// behind it.
//
// # Which engine
//
// [Open] picks the engine when the program is built, not when it runs: Badger
// on 64-bit machines, bbolt on 32-bit ones. Badger 4.9.6 loses keys without an
// error on 32-bit ARM (an allocator offset shifts out of an int), so its file
// is excluded there by a build tag and refuses to compile should a tag ever be
// wrong. [Memory] is for tests and evaluation and survives nothing.
//
// # What a write promises
//
// [Store.Batch] is atomic and survives the death of the process once it has
// returned. It survives a power cut only after a later [Store.Sync] has
// returned (or at once, with [SyncAlways], and always with bbolt, which cannot
// commit otherwise). Records that a restart acts on, such as the opening of a
// turn before it moves something, are therefore appended with durable set.
//
// Values of some length are stored compressed, and every value with a checksum
// over its key and itself.
//
// # What is guarded
//
// A store directory holds the engine's own folder and some small things of
// ours: a lock, so that a second process gets a clear error instead of a broken
// file; a mark that is there only while the engine opens, so that an open that
// kills the process is noticed at the next start; a water mark, the number of
// the last batch that was synced, so that an engine which comes back with less
// than that (Badger drops the rest of a damaged log without a word) says so;
// and up to three quarantined older folders. Files whose damage would kill the process
// from one of the engine's own goroutines are looked at before the engine sees
// them. Damage that is found is a [DamageError]; [Quarantine] moves the damaged
// folder aside and the caller opens an empty store in its place. A look at all
// data is taken at an opening after a stop without a Close, and when [Verifier]
// is asked.
//
// What stays unseen at an opening: bits that flip in a large store that was closed
// properly (reading the entry tells, or Verify), and a Badger manifest that is cut
// exactly between two entries while the newest batches are elsewhere.
//
// The disk's free space is asked before every opening and every batch, and
// [ErrNoSpace] leaves some of it alone: Badger maps its files, and a page for which
// there is no room ends the process from a goroutine of its own. If another program
// fills the disk to the last byte within the moments of such a write, that still
// happens; the next start finds no room and goes on without.
//
// The records of a [Log] are chained by hashes, with both ends of the chain kept
// apart: what is missing or exchanged, at the end too, is seen at the opening or by
// [Log.Verify].
//
// # Encryption
//
// With [Options.Key] values are encrypted with AES-256-GCM, each bound to its key
// in the store. The keys, which are numbers of records and names of sessions and
// turns, are not. Both engines have the same envelope: Badger's own encryption
// authenticates nothing, needs a cache in memory for every table, and would hide
// the tables from the look that is taken at them before Badger sees them. A store
// is encrypted or it is not, as a whole and from its first write; [Compact] changes
// that. What was written in clear before may stay on a flash disk for some time,
// and in quarantined folders until they are removed.
//
// # What it does not do
//
// It knows nothing of records, schemas or turns; only [Log] goes as far as
// numbering and chaining opaque records. It is never asked whether an actuation may
// happen: a car whose store is gone still moves its windows and still refuses what
// it must refuse. It does not repair, it keeps no key, and it deletes nothing by age
// on its own. It does not notice that a whole directory was put back to what it was
// before. It has no transactions beyond the one batch: who must read and then write
// holds a lock of their own.
package store
