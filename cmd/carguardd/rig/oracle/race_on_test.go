// SPDX-License-Identifier: Apache-2.0

//go:build race

package oracle_test

// raceEnabled: the race detector takes memory of its own.
const raceEnabled = true
