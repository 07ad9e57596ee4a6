// SPDX-License-Identifier: Apache-2.0

// Package bundletest loads a bundle and the profile it is for, for tests that
// look at a whole rule set. It judges nothing: the tests inside of bundles are
// run by package rulestest.
package bundletest
