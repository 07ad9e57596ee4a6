// SPDX-License-Identifier: Apache-2.0

//go:build 386 || arm || mips || mipsle || wasm

package store

// native is the engine of this build: see the package comment for why it is not
// Badger.
var native = bolt
