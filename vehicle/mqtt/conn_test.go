// SPDX-License-Identifier: Apache-2.0

package mqtt_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"sync"
	"sync/atomic"
)

type dialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

// cutting returns a dialler whose connections are cut, as by a pulled cable, when
// something comes from cut.
func cutting(dial dialFunc, cut <-chan struct{}) dialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		c := &cutConn{Conn: conn, done: make(chan struct{})}
		go func() {
			select {
			case <-cut:
				c.cut.Store(true)
				conn.Close()
			case <-c.done:
			}
		}()
		return c, nil
	}
}

type cutConn struct {
	net.Conn
	cut  atomic.Bool
	once sync.Once
	done chan struct{}
}

// Read says what a read says when it is the other side that is gone.
func (c *cutConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err != nil && c.cut.Load() {
		err = io.EOF
	}
	return n, err
}

func (c *cutConn) Close() error {
	c.once.Do(func() { close(c.done) })
	return c.Conn.Close()
}

// gate holds back what a broker sends while it is closed, and can tell what it is
// sent.
type gate struct {
	mu     sync.Mutex
	closed chan struct{} // nil: open
	text   string        // what is waited for; empty: nothing
	sent   func()        // told when a write had it
}

// onWrite has f told when something with the text is written.
func (g *gate) onWrite(text string, f func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.text, g.sent = text, f
}

func (g *gate) wrote(p []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.text != "" && bytes.Contains(p, []byte(g.text)) {
		g.text = ""
		g.sent()
	}
}

func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = make(chan struct{})
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.closed)
	g.closed = nil
}

func (g *gate) wait() {
	g.mu.Lock()
	closed := g.closed
	g.mu.Unlock()
	if closed != nil {
		<-closed
	}
}

func (g *gate) dial(dial dialFunc) dialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		g.wait()
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &gateConn{conn, g}, nil
	}
}

type gateConn struct {
	net.Conn
	gate *gate
}

func (c *gateConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	if err == nil {
		c.gate.wrote(p)
	}
	return n, err
}

func (c *gateConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err == nil {
		c.gate.wait()
	}
	return n, err
}
