// SPDX-License-Identifier: Apache-2.0

// Package trust decides which bundles of a repository a car may believe in. It
// is the client's side of The Update Framework (TUF), on go-tuf's verified
// metadata: root, timestamp, snapshot and targets, each signed by its own
// keys, each with a version that only grows and a date on which it expires.
//
// [Refresh] walks from the root that the car trusts to the list of bundles, and
// [Download] fetches one of them. Both take files from a [Source] and hand back
// what has to be remembered ([Memory]); they keep nothing themselves. Whatever
// a source answers, nothing is believed that the chain does not carry: "no
// signature" and "a wrong signature" end in the same place.
//
// # Why not the updater of go-tuf
//
// Its updater keeps metadata in files that it does not sync: half of one, after
// a power cut, makes every later refresh fail. It overwrites a newer root by
// the one it is started with, has no context, and follows the wall clock. Its
// verified metadata (package trustedmetadata) does the work that matters and is
// used as it is; the walk is written here, so that
//
//   - what cannot be read is forgotten and fetched again, while the highest
//     versions ever seen are remembered apart: forgetting opens no rollback;
//   - the newest root that was ever verified is where the walk begins;
//   - time is what the caller says, which is never earlier than the last time
//     that was known to be good;
//   - keys of timestamp or snapshot that were rotated end the memory of their
//     versions, which undoes a fast-forward attack.
//
// # What it does not do
//
// It knows no transport, no disk and no state of a car; packages source and
// bundle do. It does not look into a bundle. There are no delegated targets:
// one vendor signs for one kind of file.
package trust
