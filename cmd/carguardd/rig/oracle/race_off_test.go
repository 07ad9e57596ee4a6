// SPDX-License-Identifier: Apache-2.0

//go:build !race

package oracle_test

const raceEnabled = false
