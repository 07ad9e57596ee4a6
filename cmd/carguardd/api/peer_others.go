// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package api

import (
	"net/http"

	"github.com/rs/zerolog"
)

// peer is who sent a request.
type peer struct{ address string }

func peerOf(r *http.Request) peer { return peer{r.RemoteAddr} }

// MarshalZerologObject writes the peer to a log line.
func (p peer) MarshalZerologObject(e *zerolog.Event) { e.Str("address", p.address) }
