// SPDX-License-Identifier: Apache-2.0

// Package repo is the vendor's side of a repository of bundles: it makes keys,
// takes archives in, signs what cars may believe and replaces keys.
//
// A repository is a folder:
//
//	public/metadata/   N.root.json, N.targets.json, N.snapshot.json, timestamp.json
//	public/targets/    HASH.NAME-REVISION.cgb
//	staged/            archives that were added and not published yet
//	keys/              private keys, one PEM file each
//
// What goes to cars is public/, over HTTP or on a stick; what stands there is
// always a whole publication, since timestamp.json, which names everything
// else, is written last. keys/ can lie elsewhere: root and targets keys belong
// off line, and each verb says which keys it misses.
//
// Root needs two of three keys, the other roles one. A role's versions only
// grow. After a bad publication the next one with a good, higher revision is
// the way out: cars that have seen the bad one remember its versions, and
// nothing lower is believed any more.
//
// # What it does not do
//
// It does not encrypt keys: who keeps real ones has a place for that. It serves
// nothing, and it does not judge rules; rules build does.
package repo
