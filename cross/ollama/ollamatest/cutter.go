// SPDX-License-Identifier: Apache-2.0

package ollamatest

import (
	"io"
	"net/http"
	"sync"
)

// Cutter is a transport that stops an answer at its first bytes, so that a test
// can kill the server in the middle of it. What was still on its way then is
// lost with the connection: a short answer would otherwise be whole before
// anybody could step in.
type Cutter struct {
	mu    sync.Mutex
	first chan struct{} // nil: answers pass
	rest  chan struct{}
}

// Arm makes the next answer stop at its first bytes. The channel is closed when
// they are there; the function it returns lets the reader find the connection
// broken, and later answers pass.
func (c *Cutter) Arm() (first <-chan struct{}, lose func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.first, c.rest = make(chan struct{}), make(chan struct{})
	return c.first, sync.OnceFunc(func() { close(c.rest) })
}

// RoundTrip implements [http.RoundTripper].
func (c *Cutter) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.first != nil {
		resp.Body = &cutBody{ReadCloser: resp.Body, first: c.first, rest: c.rest}
		c.first = nil
	}
	return resp, nil
}

// cutBody is an answer that breaks off after its first bytes.
type cutBody struct {
	io.ReadCloser
	first, rest chan struct{}
	cut         bool
}

func (b *cutBody) Read(p []byte) (int, error) {
	if b.cut {
		<-b.rest
		return 0, io.ErrUnexpectedEOF
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), 8)])
	if n == 0 {
		return n, err
	}
	b.cut = true
	close(b.first)
	return n, nil
}
