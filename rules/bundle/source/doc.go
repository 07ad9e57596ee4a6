// SPDX-License-Identifier: Apache-2.0

// Package source is where bundles come from: an HTTP(S) server, or a folder,
// such as that of a stick. [Parse] picks one by how its place is written.
//
// # What is guarded
//
// A source is not trusted, see package trust. So a server that sends without
// end, or hardly anything at all, costs a bounded amount of memory and time; it
// may not lead to another scheme; and a folder is read below its own root only:
// links are refused, and so is what is no regular file.
//
// # What it does not do
//
// It verifies nothing, keeps nothing, and retries nothing: who asks asks again
// later.
package source
