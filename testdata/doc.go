// SPDX-License-Identifier: Apache-2.0

// Package testdata embeds what the bench, the tests and the tour run on: the
// vehicle profile of a demonstration car with its DBC files and sample data,
// and a greenhouse, a domain that no Go code knows.
//
// The files are read with [io/fs]; nothing here parses them. The profile
// format is described in docs/profile.md, the sample data in
// profiles/demo-ev/data/README.md. Captured traffic, golden files and fuzz
// seeds are not here: they stay beside the tests that use them.
package testdata
