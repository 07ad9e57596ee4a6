// SPDX-License-Identifier: Apache-2.0

//go:build vmtest

package guest

import (
	"bufio"
	"fmt"
	"os"
	"sync"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// nSLCAN is the line discipline of serial CAN adapters (linux/tty.h).
const nSLCAN = 17

// adapter is a serial CAN adapter that the test plays on a pseudo terminal: the
// kernel's slcan driver makes an interface of it, with a controller whose state
// the adapter tells.
type adapter struct {
	iface string

	t             *testing.T
	master, slave *os.File
	mu            sync.Mutex
	lines         []string // that the kernel sent
	now           string   // the controller's state
}

func plug(t *testing.T) *adapter {
	t.Helper()
	master, err := os.OpenFile("/dev/pts/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	ioctl := func(fd uintptr, req uint, what string, p unsafe.Pointer) {
		if _, _, e := unix.Syscall(unix.SYS_IOCTL, fd, uintptr(req), uintptr(p)); e != 0 {
			t.Fatalf("%s: %v", what, e)
		}
	}
	unlock := int32(0)
	ioctl(master.Fd(), unix.TIOCSPTLCK, "unlock the terminal", unsafe.Pointer(&unlock))
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	tio, err := unix.IoctlGetTermios(int(slave.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	tio.Iflag, tio.Oflag, tio.Lflag = 0, 0, 0
	if err := unix.IoctlSetTermios(int(slave.Fd()), unix.TCSETS, tio); err != nil {
		t.Fatal(err)
	}
	ld := int32(nSLCAN)
	ioctl(slave.Fd(), unix.TIOCSETD, "the line discipline slcan", unsafe.Pointer(&ld))
	var name [unix.IFNAMSIZ]byte
	ioctl(slave.Fd(), unix.SIOCGIFNAME, "the interface's name", unsafe.Pointer(&name[0]))
	a := &adapter{t: t, iface: unix.ByteSliceToString(name[:]), master: master, slave: slave}
	t.Cleanup(a.unplug)
	go a.read()
	run(t, "ip", "link", "set", a.iface, "up", "type", "can", "bitrate", "500000")
	return a
}

func (a *adapter) read() {
	r := bufio.NewReader(a.master)
	for {
		l, err := r.ReadString('\r')
		if err != nil {
			return
		}
		a.mu.Lock()
		a.lines = append(a.lines, l)
		a.mu.Unlock()
	}
}

// sent returns the frames that the kernel sent since the last call.
func (a *adapter) sent() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var out []string
	for _, l := range a.lines {
		if l[0] == 't' || l[0] == 'T' {
			out = append(out, l)
		}
	}
	a.lines = nil
	return out
}

// says what the adapter says: a frame (t1232BEEF) or its state, as sa, sw, sp
// or sb with the counters of received and sent errors (sb256000).
func (a *adapter) says(line string) {
	if _, err := a.master.WriteString(line + "\r"); err != nil {
		a.t.Fatal(err)
	}
}

// state returns the controller's state, which is another from now on if one is
// given.
func (a *adapter) state(other ...string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, s := range other {
		a.now = s
	}
	return a.now
}

func (a *adapter) unplug() {
	a.slave.Close()
	a.master.Close()
}
