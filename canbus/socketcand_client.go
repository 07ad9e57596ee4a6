// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path"
	"strings"
	"sync/atomic"
	"time"
)

// Silence of a peer: after echoAfter it is asked for an echo, after echoLimit
// questions without any answer the connection counts as broken.
const (
	echoAfter        = 2 * time.Second
	echoLimit        = 3
	handshakeTimeout = 5 * time.Second
)

// socketcandAddress takes the URL apart: network, address and name of the bus.
func socketcandAddress(u busURL) (network, address, bus string, err error) {
	dir, bus := path.Split(u.path)
	dir = strings.TrimSuffix(dir, "/")
	if dir == "" || bus == "" || strings.ContainsAny(bus, "<> \t") {
		return "", "", "", fmt.Errorf("bus %q: want %s://ADDRESS/BUS", u, u.scheme)
	}
	if strings.HasSuffix(u.scheme, "+unix") {
		return "unix", dir, bus, nil
	}
	if _, _, err := net.SplitHostPort(dir); err != nil {
		dir = net.JoinHostPort(strings.Trim(dir, "[]"), "29536")
	}
	return "tcp", dir, bus, nil
}

func openSocketcand(ctx context.Context, u busURL, o Options) (Bus, error) {
	if err := u.only(); err != nil {
		return nil, err
	}
	network, address, bus, err := socketcandAddress(u)
	if err != nil {
		return nil, err
	}
	return openRedial(ctx, o, func(ctx context.Context) (conn, error) {
		ctx, cancel := context.WithTimeout(ctx, handshakeTimeout)
		defer cancel()
		nc, err := o.Dial(ctx, network, address)
		if err != nil {
			return nil, fmt.Errorf("socketcand: %w", err)
		}
		c := &socketcandConn{nc: nc, echo: echoAfter}
		if err := c.handshake(ctx, bus); err != nil {
			nc.Close()
			return nil, fmt.Errorf("socketcand %s: %w", address, err)
		}
		return c, nil
	})
}

// socketcandConn is one connection in raw mode.
type socketcandConn struct {
	nc      net.Conn
	scanner elementScanner
	pending []message // arrived with the handshake
	echo    time.Duration
	closed  atomic.Bool
	failed  atomic.Bool
	out     []byte
}

// handshake waits for the greeting and opens the bus in raw mode.
func (c *socketcandConn) handshake(ctx context.Context, bus string) error {
	deadline, _ := ctx.Deadline()
	c.nc.SetDeadline(deadline)
	defer c.nc.SetDeadline(time.Time{})
	for _, step := range []struct{ say, want string }{{"", "hi"}, {"< open " + bus + " >", "ok"}, {"< rawmode >", "ok"}} {
		if step.say != "" {
			if _, err := c.nc.Write([]byte(step.say)); err != nil {
				return err
			}
		}
		if err := c.await(step.want); err != nil {
			return err
		}
	}
	return nil
}

// await reads until the word arrives; frames that come before it are kept.
func (c *socketcandConn) await(word string) error {
	for {
		for i, m := range c.pending {
			if m.word == word {
				c.pending = append(c.pending[:i], c.pending[i+1:]...)
				return nil
			}
			if m.word == "error" && m.errf == nil {
				return fmt.Errorf("the server says: %s", m.arg)
			}
		}
		buf := make([]byte, 4096)
		n, err := c.nc.Read(buf)
		if serr := c.scanner.scan(buf[:n], func(e []byte) error {
			if m, err := parseElement(e); err == nil {
				c.pending = append(c.pending, m)
			}
			return nil
		}); serr != nil {
			return serr
		}
		if err != nil && n == 0 {
			return fmt.Errorf("no answer %q: %w", "< "+word+" >", err)
		}
	}
}

func (c *socketcandConn) receive(h *hub) error {
	err := c.listen(h)
	c.failed.Store(true)
	return err
}

// listen is receive but for what its end says of the connection.
func (c *socketcandConn) listen(h *hub) error {
	for _, m := range c.pending {
		c.handle(h, m)
	}
	c.pending = nil
	buf := make([]byte, 16<<10)
	for asked := 0; ; {
		c.nc.SetReadDeadline(time.Now().Add(c.echo))
		n, err := c.nc.Read(buf)
		if n > 0 {
			asked = 0
		}
		if serr := c.scanner.scan(buf[:n], func(e []byte) error {
			m, err := parseElement(e)
			if err != nil {
				h.unsupported.Add(1)
				return nil
			}
			c.handle(h, m)
			return nil
		}); serr != nil {
			return serr
		}
		switch {
		case err == nil:
		case errors.Is(err, os.ErrDeadlineExceeded) && asked < echoLimit:
			asked++
			c.nc.SetWriteDeadline(time.Now().Add(c.echo))
			if _, err := c.nc.Write([]byte("< echo >")); err != nil {
				return fmt.Errorf("socketcand: %w", err)
			}
		case errors.Is(err, os.ErrDeadlineExceeded):
			return fmt.Errorf("socketcand: the server has been silent for %v", c.echo*(echoLimit+1))
		case c.closed.Load():
			return errors.New("socketcand: a write failed")
		default:
			return fmt.Errorf("socketcand: %w", err)
		}
	}
}

func (c *socketcandConn) handle(h *hub, m message) {
	switch {
	case m.word == "frame":
		h.emitFrame(m.frame, m.stamp)
	case m.errf != nil:
		h.errorFrame(*m.errf)
	}
}

// send writes one element. A part of an element would spoil the stream, so any
// failure breaks the connection but a timeout before the first byte.
func (c *socketcandConn) send(deadline time.Time, f Frame) (broken bool, err error) {
	if f.IsRemote {
		return false, fmt.Errorf("%w: socketcand does not carry remote frames", ErrInvalidFrame)
	}
	c.nc.SetWriteDeadline(deadline)
	c.out = appendSend(c.out[:0], f)
	if n, err := c.nc.Write(c.out); err != nil {
		broken = n > 0 || !errors.Is(err, os.ErrDeadlineExceeded)
		if broken {
			c.failed.Store(true)
		}
		return broken, fmt.Errorf("send: socketcand: %w", err)
	}
	return false, nil
}

// Close lets what was sent before leave. On a connection that failed it is thrown
// away: the kernel would go on delivering it when the network is back, after
// what is sent over the next connection.
func (c *socketcandConn) Close() error {
	c.closed.Store(true)
	if tcp, ok := c.nc.(*net.TCPConn); ok && c.failed.Load() {
		tcp.SetLinger(0) // fails only on a connection that is closed
	}
	return c.nc.Close()
}
