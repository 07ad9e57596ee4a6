// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
)

// maxClients bounds the clients of one listening bus.
const maxClients = 32

// listener is a node of a software bus that socketcand clients can join. The
// bus is an in-process one; each client has a node of its own on it.
type listener struct {
	Bus
	exchange *Exchange
	name     string
	options  Options
	ln       net.Listener
	tasks    sync.WaitGroup
	lost     atomic.Uint64 // frames that a slow client did not get

	mu      sync.Mutex
	closed  bool
	clients map[net.Conn]struct{}
}

func openListener(ctx context.Context, u busURL, o Options) (Bus, error) {
	if err := u.only("remote"); err != nil {
		return nil, err
	}
	remote, err := u.boolean("remote", false)
	if err != nil {
		return nil, err
	}
	network, address, bus, err := socketcandAddress(u)
	if err != nil {
		return nil, err
	}
	if network == "tcp" && !remote && !isLoopback(address) {
		return nil, fmt.Errorf("bus %q: %s can be reached from other machines, and whoever connects can send anything: use 127.0.0.1, or add remote=1", u, address)
	}
	ln, err := (&net.ListenConfig{}).Listen(ctx, network, address)
	if errors.Is(err, syscall.EADDRINUSE) && network == "unix" && removeStale(ctx, address) {
		ln, err = (&net.ListenConfig{}).Listen(ctx, network, address)
	}
	if err != nil {
		return nil, fmt.Errorf("socketcand: %w", err)
	}
	if network == "unix" {
		if err := os.Chmod(address, 0o660); err != nil {
			ln.Close()
			return nil, fmt.Errorf("socketcand: %w", err)
		}
	}
	x := o.Mem
	if x == nil {
		x = &Exchange{Clock: o.Clock}
	}
	l := &listener{Bus: x.Join(bus, o.Filters...), exchange: x, name: bus, options: o, ln: ln, clients: map[net.Conn]struct{}{}}
	l.tasks.Add(1)
	go l.accept()
	return l, nil
}

// removeStale removes a socket that a program left behind when it was killed: it
// is a socket and nobody answers on it.
func removeStale(ctx context.Context, path string) bool {
	nc, err := (&net.Dialer{}).DialContext(ctx, "unix", path)
	if err == nil {
		nc.Close()
		return false
	}
	info, statErr := os.Lstat(path)
	return errors.Is(err, syscall.ECONNREFUSED) && statErr == nil && info.Mode().Type() == os.ModeSocket && os.Remove(path) == nil
}

func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || (err == nil && ip.IsLoopback())
}

// Addr returns the address that clients connect to.
func (l *listener) Addr() net.Addr { return l.ln.Addr() }

// Stats adds the frames that slow clients lost to Dropped.
func (l *listener) Stats() Stats {
	s := l.Bus.Stats()
	s.Dropped += l.lost.Load()
	return s
}

func (l *listener) accept() {
	defer l.tasks.Done()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for {
		nc, err := l.ln.Accept()
		if err != nil {
			l.mu.Lock()
			closed := l.closed
			l.mu.Unlock()
			// Out of descriptors and the like: go on when some are free again.
			if closed || (WallClock{}).Sleep(ctx, l.options.BackoffMin) != nil {
				return
			}
			continue
		}
		if !l.admitClient(nc) {
			nc.Write([]byte("< error too many clients >"))
			nc.Close()
			continue
		}
		l.tasks.Add(1)
		go func() {
			defer l.tasks.Done()
			l.serve(ctx, nc)
			l.mu.Lock()
			defer l.mu.Unlock()
			delete(l.clients, nc)
		}()
	}
}

func (l *listener) admitClient(nc net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || len(l.clients) >= maxClients {
		return false
	}
	l.clients[nc] = struct{}{}
	return true
}

func (l *listener) Close() error {
	l.mu.Lock()
	first := !l.closed
	l.closed = true
	for nc := range l.clients {
		nc.Close()
	}
	l.mu.Unlock()
	if !first {
		return nil
	}
	err := l.ln.Close()
	l.tasks.Wait()
	if cerr := l.Bus.Close(); err == nil {
		err = cerr
	}
	return err
}
