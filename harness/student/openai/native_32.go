// SPDX-License-Identifier: Apache-2.0

//go:build 386 || arm || mips || mipsle

package openai

// newEndpoint is how this build speaks to an endpoint: without the official client,
// for which there is no room on such a machine.
func newEndpoint(o Options) endpoint { return newDirect(o) }
