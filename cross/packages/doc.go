// SPDX-License-Identifier: Apache-2.0

// Package packages holds what the Debian packages are made of: the nfpm
// configuration, maintainer scripts, the default configuration, the man page and
// build.sh, which `make packages` runs. Its tests look into the packages, and at
// what the Yocto recipe and SECURITY.md name.
//
// # What it does not do
//
// There is no code here. The packager is cross/tools/deb, in a module of its own.
package packages
