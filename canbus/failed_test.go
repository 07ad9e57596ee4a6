// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"errors"
	"io"
	"net"
	"syscall"
	"testing"
	"time"
)

// The end of a connection that failed holds up no other sender, and nobody sends
// over it any more.
func TestNobodyWaitsForAFailedConnection(t *testing.T) {
	c := newFakeConn()
	c.slow, c.broken, c.sendErr = make(chan struct{}), true, errors.New("half a frame")
	b, _, _ := openFake(t, Options{}, c)
	results := make(chan error, 2)
	go func() { results <- b.Send(t.Context(), Frame{ID: 1}) }()
	<-c.gone
	go func() { results <- b.Send(t.Context(), Frame{ID: 2}) }()
	select {
	case err := <-results:
		if !errors.Is(err, ErrLink) {
			t.Errorf("got %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("a sender waits for the end of a connection")
	}
	close(c.slow)
	<-results
	if len(c.deadlines) != 1 {
		t.Errorf("%d frames went to a connection that had failed", len(c.deadlines)-1)
	}
}

// What was sent before an ordinary end arrives. What a connection that failed has
// not delivered by then never does: it would come after what is sent over the next.
func TestSocketcandEnds(t *testing.T) {
	for _, c := range []struct {
		name string
		fail bool
		want error // nil: everything arrives
	}{
		{"closed", false, nil},
		{"failed", true, syscall.ECONNRESET},
	} {
		t.Run(c.name, func(t *testing.T) {
			ln, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer ln.Close()
			nc, err := net.Dial("tcp", ln.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			peer, err := ln.Accept()
			if err != nil {
				t.Fatal(err)
			}
			defer peer.Close()
			conn := &socketcandConn{nc: nc, echo: time.Millisecond}
			frame := frame(t, "123#01")
			sent := 0
			if c.fail { // as much as waits for a peer that does not read
				for err == nil {
					_, err = conn.send(time.Now().Add(5*time.Millisecond), frame)
					sent += len(conn.out)
				}
				if err := conn.receive(&hub{}); err == nil {
					t.Error("a silent peer")
				}
			} else if _, err := conn.send(time.Now().Add(time.Second), frame); err != nil {
				t.Fatal(err)
			} else {
				sent = len(conn.out)
			}
			conn.Close()
			n, err := io.Copy(io.Discard, peer)
			if !errors.Is(err, c.want) || (int(n) == sent) != (c.want == nil) {
				t.Errorf("%d of %d bytes arrived: %v", n, sent, err)
			}
		})
	}
}
