// SPDX-License-Identifier: Apache-2.0

// Package archive is the one file that a bundle of rules is shipped in.
//
// An archive is an uncompressed tar of regular files: manifest.json first, then
// the files of the bundle's folder in the order of their names. `tar tf` lists
// it. Nothing in it depends on who built it, when or where, so the same folder
// always gives the same bytes and the same digest.
//
// # What is checked
//
// [Open] takes outside bytes. An archive that is not exactly what [Build] would
// write from its own content is refused: that rules out links, devices, paths
// that leave the folder, members that come twice or hide behind each other,
// sparse files and other forms that expand, and anything after the end. The
// manifest names each file with its length and SHA-256, so a member can neither
// be added nor left out. Size, number of members and size of each are bounded
// before anything is read, and since nothing is compressed there is nothing that
// could grow: reading an archive takes about twice its own size in memory.
//
// # What it does not do
//
// It knows no signatures: the archive as a whole is what package trust
// verifies. It does not load rules; [Archive.FS] is the folder that package
// rules loads, without anything being unpacked on a disk.
package archive
