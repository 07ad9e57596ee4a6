// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// slcanPTY is the adapter's side of the ASCII protocol: a pseudo-terminal that a
// program for serial adapters opens, in front of a software bus.
type slcanPTY struct {
	Bus      // a node of its own for the one who opened it
	adapter  *slcanAdapter
	node     Bus // the adapter's
	link     string
	slave    int // held open, so that the line survives a program that leaves
	finished chan struct{}
	closed   atomic.Bool
}

func openSlcanPTY(_ context.Context, u busURL, o Options) (Bus, error) {
	if err := u.only("name"); err != nil {
		return nil, err
	}
	name, ok := u.params["name"]
	if !ok {
		name = filepath.Base(u.path)
	}
	master, slave, device, err := openPTY()
	if err != nil {
		return nil, fmt.Errorf("slcan-pty %s: %w", u.path, err)
	}
	if err := linkDevice(device, u.path); err != nil {
		master.Close()
		unix.Close(slave)
		return nil, fmt.Errorf("slcan-pty %s: %w", u.path, err)
	}
	x := o.Mem
	if x == nil {
		x = &Exchange{Clock: o.Clock}
	}
	p := &slcanPTY{Bus: x.Join(name, o.Filters...), node: x.Join(name), link: u.path, slave: slave, finished: make(chan struct{})}
	p.adapter = newSlcanAdapter(master, p.node)
	go func() {
		defer close(p.finished)
		p.adapter.serve()
	}()
	return p, nil
}

// Stats adds the frames that the program at the other end did not read in time
// to Dropped.
func (p *slcanPTY) Stats() Stats {
	s := p.Bus.Stats()
	s.Dropped += p.adapter.lost.Load()
	return s
}

func (p *slcanPTY) Close() error {
	if p.closed.Swap(true) {
		return nil
	}
	err := errors.Join(os.Remove(p.link), p.adapter.Close())
	<-p.finished
	return errors.Join(err, p.node.Close(), p.Bus.Close(), unix.Close(p.slave))
}

// openPTY returns both ends of a new pseudo-terminal and the name of the device
// that others open.
func openPTY() (master *os.File, slave int, device string, err error) {
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, 0, "", &os.PathError{Op: "open", Path: "/dev/ptmx", Err: err}
	}
	fail := func(call string, err error) (*os.File, int, string, error) {
		unix.Close(fd)
		return nil, 0, "", os.NewSyscallError(call, err)
	}
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		return fail("unlock the pseudo-terminal", err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		return fail("name the pseudo-terminal", err)
	}
	device = fmt.Sprintf("/dev/pts/%d", n)
	slave, err = unix.Open(device, unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fail("open "+device, err)
	}
	if err := rawTTY(slave, unix.B115200); err != nil {
		unix.Close(slave)
		return fail("tcsetattr", err)
	}
	return os.NewFile(uintptr(fd), device), slave, device, nil
}

// linkDevice makes path a link to the device. A link that another process left
// behind is replaced; nothing else is.
func linkDevice(device, path string) error {
	if info, err := os.Lstat(path); err == nil {
		if info.Mode().Type() != os.ModeSymlink {
			return errors.New("a file of that name is there, and it is no link")
		}
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return os.Symlink(device, path)
}
