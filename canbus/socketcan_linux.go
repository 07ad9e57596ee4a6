// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// watchEvery is how long a silent socket is trusted. After an adapter was
// unplugged, reads on its socket block for ever; the interface is looked up
// again by name after each silence.
const watchEvery = time.Second

// defaultRcvbuf is asked for, in bytes; the kernel gives no more than
// net.core.rmem_max to a program without privileges. A frame takes up several
// hundred bytes there, so this is about a thousand frames: an eighth of a second of two full
// buses, in which nobody reads.
const defaultRcvbuf = 1 << 20

// maxKernelFilters is how many filters the kernel takes (CAN_RAW_FILTER_MAX);
// more are applied here alone.
const maxKernelFilters = 512

func openSocketCAN(ctx context.Context, u busURL, o Options) (Bus, error) {
	if err := u.only("errors", "rcvbuf"); err != nil {
		return nil, err
	}
	withErrors, err := u.boolean("errors", true)
	if err != nil {
		return nil, err
	}
	rcvbuf, err := u.integer("rcvbuf", defaultRcvbuf, 0, 64<<20)
	if err != nil {
		return nil, err
	}
	return openRedial(ctx, o, func(context.Context) (conn, error) {
		c, err := dialSocketCAN(u.path, withErrors, rcvbuf, o.Filters)
		if err != nil {
			return nil, fmt.Errorf("socketcan %s: %w", u.path, err)
		}
		return c, nil
	})
}

// socketCAN is one raw socket bound to one interface.
type socketCAN struct {
	name   string
	index  int
	file   *os.File
	raw    syscall.RawConn
	closed atomic.Bool
	drops  uint32 // last value of the kernel's counter

	watched time.Time // of the last look at the interface

	// Of the read that is under way, see recv.
	buf, oob []byte
	n, oobn  int
	readErr  error
}

func dialSocketCAN(name string, withErrors bool, rcvbuf int, filters []Filter) (*socketCAN, error) {
	fd, err := unix.Socket(unix.AF_CAN, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, unix.CAN_RAW)
	if err != nil {
		if errors.Is(err, unix.EAFNOSUPPORT) || errors.Is(err, unix.EPROTONOSUPPORT) {
			return nil, permanentError{errors.New("this kernel has no CAN: load the modules can and can_raw, or use mem: or socketcand:")}
		}
		return nil, os.NewSyscallError("socket", err)
	}
	// From here on the file owns the descriptor and closes it on every error.
	c := &socketCAN{name: name, file: os.NewFile(uintptr(fd), name), buf: make([]byte, unix.CAN_MTU), oob: make([]byte, 128)}
	if err := c.setUp(fd, withErrors, rcvbuf, filters); err != nil {
		c.file.Close()
		return nil, err
	}
	return c, nil
}

func (c *socketCAN) setUp(fd int, withErrors bool, rcvbuf int, filters []Filter) error {
	var err error
	if c.index, err = upInterface(fd, c.name); err != nil {
		return err
	}
	for _, opt := range []int{unix.SO_RXQ_OVFL, unix.SO_TIMESTAMPNS} {
		if err := unix.SetsockoptInt(fd, unix.SOL_SOCKET, opt, 1); err != nil {
			return os.NewSyscallError("setsockopt", err)
		}
	}
	if withErrors {
		if err := unix.SetsockoptInt(fd, unix.SOL_CAN_RAW, unix.CAN_RAW_ERR_FILTER, unix.CAN_ERR_MASK); err != nil {
			return os.NewSyscallError("setsockopt CAN_RAW_ERR_FILTER", err)
		}
	}
	if rcvbuf > 0 && unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, rcvbuf) != nil {
		// Without the privilege the kernel's limit net.core.rmem_max counts.
		if err := unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, rcvbuf); err != nil {
			return os.NewSyscallError("setsockopt SO_RCVBUF", err)
		}
	}
	if len(filters) > 0 && len(filters) <= maxKernelFilters {
		kernel := make([]unix.CanFilter, len(filters))
		for i, f := range filters {
			kernel[i] = unix.CanFilter{Id: uint32(f.Key), Mask: f.Mask &^ errorFlag}
		}
		if err := unix.SetsockoptCanRawFilter(fd, unix.SOL_CAN_RAW, unix.CAN_RAW_FILTER, kernel); err != nil {
			return os.NewSyscallError("setsockopt CAN_RAW_FILTER", err)
		}
	}
	if err := unix.Bind(fd, &unix.SockaddrCAN{Ifindex: c.index}); err != nil {
		return os.NewSyscallError("bind", err)
	}
	c.raw, err = c.file.SyscallConn()
	return err
}

// recv is called when the socket may be readable; false means: wait.
func (c *socketCAN) recv(fd uintptr) bool {
	c.n, c.oobn, _, _, c.readErr = unix.Recvmsg(int(fd), c.buf, c.oob, 0)
	return c.readErr != unix.EAGAIN && c.readErr != unix.EINTR
}

func (c *socketCAN) receive(h *hub) error {
	recv := c.recv
	for {
		if err := c.file.SetReadDeadline(time.Now().Add(watchEvery)); err != nil {
			return c.failure(err)
		}
		err := c.raw.Read(recv)
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			if err := c.watch(h); err != nil {
				return c.failure(err)
			}
			continue
		case err != nil:
			return c.failure(err)
		case c.readErr != nil:
			return c.failure(c.readErr)
		case c.n != unix.CAN_MTU:
			h.unsupported.Add(1)
			continue
		}
		stamp, drops := parseControl(c.oob[:c.oobn], c.drops)
		h.dropped.Add(uint64(drops - c.drops)) // the kernel's counter wraps
		c.drops = drops
		f, ef, ok := decodeKernelFrame(c.buf)
		switch {
		case !ok:
			h.unsupported.Add(1)
		case ef != nil:
			h.errorFrame(*ef)
		default:
			h.emitFrame(f, stamp)
		}
		if h.Link().State != LinkUp && time.Since(c.watched) >= watchEvery {
			if err := c.watch(h); err != nil {
				return c.failure(err)
			}
		}
	}
}

// watch looks whether the interface is still the same, and asks the controller:
// it is called when nothing comes, and from time to time while the link is bad.
func (c *socketCAN) watch(h *hub) error {
	c.watched = time.Now()
	var index int
	var lookErr error
	if err := c.raw.Control(func(fd uintptr) { index, lookErr = upInterface(int(fd), c.name) }); err != nil {
		return err
	}
	switch {
	case lookErr != nil:
		return lookErr
	case index != c.index:
		return errors.New("interface was replaced")
	}
	if l, ok := controllerLink(c.index); ok {
		h.setLink(l)
	}
	return nil
}

// state is asked when the connection begins.
func (c *socketCAN) state() Link {
	if l, ok := controllerLink(c.index); ok {
		return l
	}
	return Link{State: LinkUp}
}

func (c *socketCAN) failure(err error) error {
	if c.closed.Load() {
		err = errors.New("a write failed")
	}
	return fmt.Errorf("socketcan %s: %w", c.name, err)
}

// send writes the 16 bytes. A full transmit queue (ENOBUFS) is waited for until
// the deadline: nobody else would send the frame later.
func (c *socketCAN) send(deadline time.Time, f Frame) (broken bool, err error) {
	if err := c.file.SetWriteDeadline(deadline); err != nil {
		return true, c.failure(err)
	}
	frame := encodeKernelFrame(f)
	for {
		_, err := c.file.Write(frame[:])
		switch {
		case err == nil:
			return false, nil
		case errors.Is(err, unix.ENOBUFS) && time.Until(deadline) > time.Millisecond:
			time.Sleep(time.Millisecond)
		case errors.Is(err, unix.ENETDOWN) || errors.Is(err, unix.ENODEV) || errors.Is(err, unix.ENXIO) || errors.Is(err, os.ErrClosed):
			return true, fmt.Errorf("send: socketcan %s: %w", c.name, err)
		default:
			return false, fmt.Errorf("send: socketcan %s: %w", c.name, err)
		}
	}
}

func (c *socketCAN) Close() error {
	c.closed.Store(true)
	return c.file.Close()
}
