// SPDX-License-Identifier: Apache-2.0

package broker

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// pipes is a listener whose connections are pairs of sockets inside the process.
// net.Pipe would not do: it has no buffer, and client and broker both read and
// write in a way that ends with each of them waiting for the other to read.
type pipes struct {
	incoming chan net.Conn
	closed   chan struct{}
	once     sync.Once
}

func newPipes() *pipes {
	return &pipes{incoming: make(chan net.Conn), closed: make(chan struct{})}
}

func (p *pipes) dial(ctx context.Context) (net.Conn, error) {
	ours, theirs, err := socketPair()
	if err != nil {
		return nil, fmt.Errorf("dial embedded mqtt broker: %w", err)
	}
	select {
	case p.incoming <- theirs:
		return ours, nil
	case <-p.closed:
		err = net.ErrClosed
	case <-ctx.Done():
		err = ctx.Err()
	}
	return nil, errors.Join(fmt.Errorf("dial embedded mqtt broker: %w", err), ours.Close(), theirs.Close())
}

func socketPair() (one, two net.Conn, err error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, nil, os.NewSyscallError("socketpair", err)
	}
	if one, err = connOf(fds[0]); err != nil {
		return nil, nil, errors.Join(err, unix.Close(fds[1]))
	}
	if two, err = connOf(fds[1]); err != nil {
		return nil, nil, errors.Join(err, one.Close())
	}
	return one, two, nil
}

// connOf takes a socket over.
func connOf(fd int) (net.Conn, error) {
	f := os.NewFile(uintptr(fd), "in-process")
	conn, err := net.FileConn(f) // a duplicate
	return conn, errors.Join(err, f.Close())
}

// Accept implements [net.Listener].
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.incoming:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener].
func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// Addr implements [net.Listener].
func (p *pipes) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "in-process" }
