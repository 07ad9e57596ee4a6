// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package oracle_test

import "testing"

// TestSystemSoak is a soak that is long enough for everything to have gone wrong
// several times; `make soak` is the whole of it.
func TestSystemSoak(t *testing.T) { runSoak(t, 1000) }
