// SPDX-License-Identifier: Apache-2.0

//go:build !amd64

package openai

// newEndpoint is how this build speaks to an endpoint: without the official client,
// for which there is no room on a head unit.
func newEndpoint(o Options) endpoint { return newDirect(o) }
