// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// slcanAnswer is how long the answer to a command is waited for; there are
// adapters that give none.
const slcanAnswer = 250 * time.Millisecond

type slcanOptions struct {
	rate   int // index of slcanBitRates
	baud   uint32
	listen bool
}

func openSlcan(ctx context.Context, u busURL, o Options) (Bus, error) {
	if err := u.only("bitrate", "baud", "listen"); err != nil {
		return nil, err
	}
	bitRate, err := u.integer("bitrate", 500_000, 10_000, 1_000_000)
	if err != nil {
		return nil, err
	}
	so := slcanOptions{rate: slices.Index(slcanBitRates, bitRate)}
	if so.rate < 0 {
		return nil, fmt.Errorf("bus %q: bitrate=%d: an adapter has one of %v", u.text, bitRate, slcanBitRates)
	}
	baud, err := u.integer("baud", 115_200, 9600, 4_000_000)
	if err != nil {
		return nil, err
	}
	var known bool
	if so.baud, known = serialSpeeds[baud]; !known {
		return nil, fmt.Errorf("bus %q: baud=%d is no speed of a serial line (115200, 1000000, …)", u.text, baud)
	}
	if so.listen, err = u.boolean("listen", false); err != nil {
		return nil, err
	}
	return openRedial(ctx, o, func(context.Context) (conn, error) {
		c, err := dialSlcan(u.path, so)
		if err != nil {
			return nil, fmt.Errorf("slcan %s: %w", u.path, err)
		}
		return c, nil
	})
}

// slcanConn is an adapter on a serial line.
type slcanConn struct {
	name    string
	file    *os.File
	options slcanOptions
	scanner slcanScanner
	early   []slcanMessage // came before the answer to the last command
	closed  atomic.Bool
	failed  atomic.Bool
	states  bool // the adapter tells its state by itself

	mu  sync.Mutex // one write at a time; guards buf
	buf []byte
}

func dialSlcan(path string, o slcanOptions) (*slcanConn, error) {
	file, err := openSerial(path, o.baud)
	if err != nil {
		return nil, err
	}
	c := &slcanConn{name: path, file: file, options: o}
	if err := c.begin(); err != nil {
		file.Close()
		return nil, err
	}
	return c, nil
}

// begin closes the channel in case it is open, and opens it with our bit rate.
func (c *slcanConn) begin() error {
	open := "O"
	if c.options.listen {
		open = "L"
	}
	// The first one also ends what somebody else left half written. What the
	// adapter says to these two does not matter, nor what it still had to say to
	// whoever had it open before.
	for _, line := range []string{"", "C"} {
		if _, err := c.ask(line); err != nil {
			return err
		}
	}
	if err := c.quiet(); err != nil {
		return err
	}
	for _, line := range []string{fmt.Sprintf("S%d", c.options.rate), open} {
		ok, err := c.ask(line)
		if err != nil {
			return err
		}
		if !ok {
			return fmt.Errorf("the adapter refuses %q", line)
		}
	}
	return nil
}

// slcanQuiet is how long nothing must come for nothing more to be on its way.
const slcanQuiet = 30 * time.Millisecond

// quiet throws away what comes until nothing does any more.
func (c *slcanConn) quiet() error {
	c.early, c.scanner = nil, slcanScanner{}
	buf := make([]byte, 4096)
	for end := time.Now().Add(slcanAnswer); time.Now().Before(end); {
		if err := c.file.SetReadDeadline(time.Now().Add(slcanQuiet)); err != nil {
			return err
		}
		_, err := c.file.Read(buf)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ask writes a command and waits for the answer; none is as good as a good one.
func (c *slcanConn) ask(line string) (ok bool, err error) {
	deadline := time.Now().Add(slcanAnswer)
	if err := c.write(deadline, append([]byte(line), slcanEnd)); err != nil {
		return false, err
	}
	if err := c.file.SetReadDeadline(deadline); err != nil {
		return false, err
	}
	answered := errors.New("answered")
	for buf := make([]byte, 256); ; {
		n, err := c.file.Read(buf)
		ok = true
		end := c.scanner.scan(buf[:n], func(m slcanMessage) error {
			switch m.kind {
			case slcanOK, slcanNo:
				ok = m.kind == slcanOK
				return answered
			}
			c.early = append(c.early, m)
			return nil
		})
		switch {
		case end != nil, errors.Is(err, os.ErrDeadlineExceeded):
			return ok, nil
		case err != nil:
			return false, err
		}
	}
}

func (c *slcanConn) receive(h *hub) error {
	for _, m := range c.early {
		c.handle(h, m)
	}
	c.early = nil
	handle := func(m slcanMessage) error { c.handle(h, m); return nil }
	asked := time.Now()
	for buf := make([]byte, 4096); ; {
		if err := c.file.SetReadDeadline(time.Now().Add(watchEvery)); err != nil {
			return c.failure(err)
		}
		n, err := c.file.Read(buf)
		_ = c.scanner.scan(buf[:n], handle) // never fails
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			return c.failure(err)
		}
		// An adapter that does not tell its state is asked when it is silent, and
		// while it is not well.
		if bad := h.Link().State != LinkUp; !c.states && (err != nil || bad) && time.Since(asked) >= watchEvery {
			asked = time.Now()
			if err := c.write(asked.Add(slcanAnswer), []byte{'F', slcanEnd}); err != nil {
				return c.failure(err)
			}
		}
	}
}

func (c *slcanConn) handle(h *hub, m slcanMessage) {
	switch m.kind {
	case slcanFrame:
		h.emitFrame(m.frame, time.Time{})
	case slcanState:
		c.states = true
		h.setLink(m.link)
	case slcanFlags:
		if m.flags&(slcanRxFull|slcanOverrun) != 0 {
			h.dropped.Add(1)
		}
		if !c.states {
			h.setLink(linkOfFlags(m.flags))
		}
	case slcanError:
		h.errorFrames.Add(1)
		if slcanLosses(m.text) {
			h.dropped.Add(1)
		}
	case slcanNo:
		h.sendErrors.Add(1) // the adapter did not take a frame
	case slcanBad:
		h.unsupported.Add(1)
	}
}

func linkOfFlags(flags uint8) Link {
	switch {
	case flags&slcanPassive != 0:
		return Link{State: LinkPassive, Cause: causePassive}
	case flags&slcanWarning != 0:
		return Link{State: LinkWarning, Cause: causeWarning}
	}
	return Link{State: LinkUp}
}

func (c *slcanConn) failure(err error) error {
	c.failed.Store(true)
	if c.closed.Load() {
		err = errors.New("a write failed")
	}
	return fmt.Errorf("slcan %s: %w", c.name, err)
}

func (c *slcanConn) send(deadline time.Time, f Frame) (broken bool, err error) {
	if c.options.listen {
		return false, ErrReadOnly
	}
	c.mu.Lock()
	c.buf = appendSlcan(c.buf[:0], f)
	line := slices.Clone(c.buf)
	c.mu.Unlock()
	if err := c.write(deadline, line); err != nil {
		// Half a line would be read as the beginning of the next one.
		c.failed.Store(true)
		return true, fmt.Errorf("send: slcan %s: %w", c.name, err)
	}
	return false, nil
}

func (c *slcanConn) write(deadline time.Time, line []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.file.SetWriteDeadline(deadline); err != nil {
		return err
	}
	_, err := c.file.Write(line)
	return err
}

// Close closes the channel, so that the adapter does not acknowledge frames that
// nobody reads. Where the line failed, what it has not taken yet is thrown away
// instead, and the channel closed when it is opened again.
func (c *slcanConn) Close() error {
	if c.closed.Swap(true) {
		return nil
	}
	if c.failed.Load() {
		_ = c.flush() // it may be unplugged
		return c.file.Close()
	}
	_ = c.write(time.Now().Add(slcanAnswer), []byte{'C', slcanEnd}) // it may be unplugged
	_ = c.drain()
	return c.file.Close()
}

// flush throws away what was written and has not left.
func (c *slcanConn) flush() error {
	raw, err := c.file.SyscallConn()
	if err != nil {
		return err
	}
	var flushed error
	err = raw.Control(func(fd uintptr) { flushed = unix.IoctlSetInt(int(fd), unix.TCFLSH, unix.TCOFLUSH) })
	return errors.Join(err, flushed)
}

// drain waits until the line has taken what was written.
func (c *slcanConn) drain() error {
	raw, err := c.file.SyscallConn()
	if err != nil {
		return err
	}
	var drained error
	err = raw.Control(func(fd uintptr) {
		for end := time.Now().Add(slcanAnswer); time.Now().Before(end); time.Sleep(time.Millisecond) {
			if n, err := unix.IoctlGetInt(int(fd), unix.TIOCOUTQ); err != nil || n == 0 {
				drained = err
				return
			}
		}
	})
	return errors.Join(err, drained)
}
