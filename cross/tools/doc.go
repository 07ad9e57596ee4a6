// SPDX-License-Identifier: Apache-2.0

// Package tools keeps the programs that make packages in a module of their own,
// so that what they need is not what the daemon needs: deb makes a Debian
// package.
//
// # What it does not do
//
// It builds no program and says nothing of what is in a package: that is
// cross/packages.
package tools
