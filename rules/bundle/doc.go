// SPDX-License-Identifier: Apache-2.0

// Package bundle takes rules up over the air or from a stick, and keeps the old
// ones where the new ones are not better.
//
// A [Manager] owns what a unit remembers of its bundles. It has a factory
// bundle, which came with the daemon and is always there, and at most one
// installed bundle in front of it. A new one goes through these stages, each of
// them kept before the next begins:
//
//	checked     the repository was verified, and offers something newer
//	downloaded  the archive is on the disk, whole, as the vendor signed it
//	verified    its manifest fits this unit, this daemon, these tools
//	tested      its own tests pass here, in time, and the car's floor holds
//	staged      it waits for the moment between two turns
//	active      it decides, on probation
//	good        it has shown itself
//
// or it is rejected, with the reason, or rolled back: by somebody, or because
// the daemon does not stay up with it, or because its rules fail.
//
// # What a power cut leaves
//
// The archive is a file named by its SHA-256, written beside and renamed;
// which bundle is active is one value in the store, changed in one batch with
// its entry in the history. So after a cut at any moment the old bundle or the
// new one is active, never none and never half of one. What was under way
// begins anew; what was staged is taken up at the start.
//
// # What always holds
//
// Revisions only grow: nothing at or below the highest revision that was ever
// active is installed, whatever is signed; but for that very bundle, byte for
// byte, when the disk has lost it. Rolling back goes to the bundle
// before, never below the factory's revision. A bundle that was proven with
// another daemon or another floor shows again that the floor holds, before it
// decides. Metadata that has expired, a
// clock at 1970, a server that lies: each keeps new bundles out and leaves the
// active one in force.
//
// # Packages
//
// archive is the file that is shipped, trust decides what of a repository may
// be believed, source fetches it, proof plays tests, repo is the vendor's side.
//
// # What it does not do
//
// It carries no rule out and decides when a turn ends: who runs the system says
// when it is between turns, and puts a set in force. It keeps nothing but
// what its [Store] and its folder hold. An update never runs without its
// tests, there is no way to skip a stage, and it never deletes the factory
// bundle.
package bundle
