// SPDX-License-Identifier: Apache-2.0

package api

import (
	"net"
	"net/http"

	"github.com/rs/zerolog"
	"golang.org/x/sys/unix"
)

// peer is who sent a request: the process at the other end of a unix socket as
// the kernel tells it, or an address.
type peer struct {
	cred    *unix.Ucred
	address string
}

func peerOf(r *http.Request) peer {
	c, ok := r.Context().Value(connKey{}).(*net.UnixConn)
	if !ok {
		return peer{address: r.RemoteAddr}
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return peer{address: "unix"}
	}
	p := peer{address: "unix"}
	_ = raw.Control(func(fd uintptr) { // a connection that is closed has no peer any more
		if cred, err := unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED); err == nil {
			p.cred = cred
		}
	})
	return p
}

// MarshalZerologObject writes the peer to a log line.
func (p peer) MarshalZerologObject(e *zerolog.Event) {
	if p.cred == nil {
		e.Str("address", p.address)
		return
	}
	e.Uint32("uid", p.cred.Uid).Uint32("gid", p.cred.Gid).Int32("pid", p.cred.Pid)
}
