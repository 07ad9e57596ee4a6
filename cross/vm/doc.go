// SPDX-License-Identifier: Apache-2.0

// Package vm boots Debian's own kernels in QEMU, as head units are: x86-64,
// 64-bit and 32-bit ARM, with CAN in the kernel. `make vm-test` runs its tests,
// which are part of `make test-system`.
//
// What a guest is made of is fetched once per machine (fetch.sh: kernels, and
// packages of can-utils, iproute2, systemd and dpkg, unpacked). An [Image] is an
// archive that the kernel unpacks into memory: a [Base], which is kept, with the
// script init as its first process, and the files of the test on top. The
// guest's console is read line by line; its last line says how it went.
//
// # What it does not do
//
// QEMU's buses have no bit timing, acknowledge every frame and never go
// bus-off; that is tested with a serial adapter that the test itself plays.
// Times measured in a guest say nothing about a head unit. A guest has no
// network.
package vm
