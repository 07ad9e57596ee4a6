// SPDX-License-Identifier: Apache-2.0

// Package repotest is a vendor for tests: a repository with throw-away keys
// and a clock of its own, small bundles to put into it, and the means of an
// attacker who has stolen some of its keys. It judges nothing.
package repotest
