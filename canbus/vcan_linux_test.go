// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// needVcan makes sure of the virtual interface vcan0. With CI=true it makes the
// interface when there is none, and only a kernel that has no CAN, or no virtual
// one, is a reason not to run.
func needVcan(t *testing.T) {
	t.Helper()
	if _, err := net.InterfaceByName("vcan0"); err == nil {
		return
	}
	fd, err := unix.Socket(unix.AF_CAN, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.CAN_RAW)
	if errors.Is(err, unix.EAFNOSUPPORT) || errors.Is(err, unix.EPROTONOSUPPORT) {
		t.Skipf("SKIPPED: this kernel has no CAN: %v", err)
	} else if err != nil {
		t.Fatal(err)
	}
	unix.Close(fd)
	if os.Getenv("CI") != "true" {
		t.Skip("SKIPPED: no interface vcan0: ip link add vcan0 type vcan && ip link set vcan0 up")
	}
	out, err := exec.Command("ip", "link", "add", "vcan0", "type", "vcan").CombinedOutput()
	if err != nil && noVcan.Match(out) {
		t.Skipf("SKIPPED: this kernel has no virtual CAN: %s", out)
	} else if err != nil {
		t.Fatalf("no interface vcan0, and it cannot be made: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("ip", "link", "del", "vcan0").Run() })
	if out, err := exec.Command("ip", "link", "set", "vcan0", "up").CombinedOutput(); err != nil {
		t.Fatalf("vcan0 stays down: %v: %s", err, out)
	}
}

// noVcan is what ip says when the kernel does not know the kind of interface.
var noVcan = regexp.MustCompile(`(?i)unknown device type|not supported`)

func TestVcanFrames(t *testing.T) {
	needVcan(t)
	a := open(t, "socketcan:vcan0?rcvbuf=1048576", Options{})
	b := open(t, "socketcan:vcan0", Options{Filters: []Filter{{Key: 0x100, Mask: 0x700 | extendedBit}}})
	own, got := collect(t, a), collect(t, b)
	send(t, a, "223#01")
	send(t, a, "00000123#01")
	send(t, a, "123#0102")
	if ev := next(t, got); ev.Frame.String() != "123#0102" || ev.Stamp.Equal(ev.Time) || ev.Time.Sub(ev.Stamp).Abs() > time.Minute {
		t.Errorf("%+v", ev)
	}
	for _, s := range []string{"1FFFFFFF#R2", "7FF#0102030405060708", "000#"} {
		send(t, b, s)
		if ev := next(t, own); ev.Frame.String() != s {
			t.Errorf("%+v, want %s", ev, s)
		}
	}
	if s := a.Stats(); s.Sent != 3 || s.Received != 3 {
		t.Errorf("%+v", s)
	}
}

// rawSocket writes frames with any flags, as a driver does.
func rawSocket(t *testing.T) func(id uint32, data ...byte) {
	t.Helper()
	fd, err := unix.Socket(unix.AF_CAN, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.CAN_RAW)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	iface, err := net.InterfaceByName("vcan0")
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Bind(fd, &unix.SockaddrCAN{Ifindex: iface.Index}); err != nil {
		t.Fatal(err)
	}
	return func(id uint32, data ...byte) {
		var b [unix.CAN_MTU]byte
		binary.NativeEndian.PutUint32(b[:], id)
		b[4] = uint8(len(data))
		copy(b[8:], data)
		if _, err := unix.Write(fd, b[:]); err != nil {
			t.Fatal(err)
		}
	}
}

// An error frame is a change of state and never data of identifier 0x040.
func TestVcanErrorFrames(t *testing.T) {
	needVcan(t)
	b := open(t, "socketcan:vcan0?errors=1", Options{})
	deaf := open(t, "socketcan:vcan0?errors=0", Options{})
	got, deafGot := collect(t, b), collect(t, deaf)
	driver := rawSocket(t)
	driver(unix.CAN_ERR_FLAG|0x204, 0, 0x20, 0, 0, 0, 0, 140, 5)
	wantLink(t, got, LinkPassive)
	if err := b.Send(context.Background(), Frame{}); !errors.Is(err, ErrLink) {
		t.Errorf("Send while passive: %v", err)
	}
	driver(unix.CAN_ERR_FLAG|0x040, 0, 0, 0, 0, 0, 0, 0, 0)
	wantLink(t, got, LinkBusOff)
	driver(unix.CAN_ERR_FLAG|0x100, 0, 0, 0, 0, 0, 0, 0, 0)
	wantLink(t, got, LinkUp)
	send(t, b, "123#")
	if ev := next(t, deafGot); ev.Frame.String() != "123#" || deaf.Stats().ErrorFrames != 0 {
		t.Errorf("with errors=0: %+v, %+v", ev, deaf.Stats())
	}
}

// What the kernel drops because the reader is slow is counted.
func TestVcanDropCounter(t *testing.T) {
	needVcan(t)
	const total = 5000
	b := open(t, "socketcan:vcan0", Options{})
	started, release, last := make(chan struct{}, 1), make(chan struct{}), make(chan struct{})
	ends := sync.OnceFunc(func() { close(last) })
	b.Subscribe(func(ev Event) {
		select {
		case started <- struct{}{}:
		default:
		}
		<-release
		if ev.Frame.ID == 2 {
			ends()
		}
	})
	driver := rawSocket(t)
	for range total {
		driver(1)
	}
	<-started
	close(release)
	// The counter comes with the next frame that fits.
	for done := false; !done; {
		driver(2)
		select {
		case <-last:
			done = true
		case <-time.After(10 * time.Millisecond):
		}
	}
	if s := b.Stats(); s.Dropped == 0 || s.Received+s.Dropped < total {
		t.Errorf("%+v", s)
	}
}

// setUp changes the up flag of the interface; it needs CAP_NET_ADMIN.
func setUp(t *testing.T, up bool) {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	ifr, err := unix.NewIfreq("vcan0")
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlIfreq(fd, unix.SIOCGIFFLAGS, ifr); err != nil {
		t.Fatal(err)
	}
	flags := ifr.Uint16() &^ unix.IFF_UP
	if up {
		flags |= unix.IFF_UP
	}
	ifr.SetUint16(flags)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, ifr); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("changing the interface: %v", err)
		}
		t.Skipf("SKIPPED: changing the interface needs CAP_NET_ADMIN: %v", err)
	}
}

// The link goes down and comes back: down is reported with its cause, sends are
// refused, the bus is dialled again, and nothing old is sent.
func TestVcanDownAndUp(t *testing.T) {
	needVcan(t)
	b := open(t, "socketcan:vcan0", Options{BackoffMin: 10 * time.Millisecond, BackoffMax: 50 * time.Millisecond})
	got := collect(t, b)
	setUp(t, false)
	defer setUp(t, true)
	wantLink(t, got, LinkDown)
	if err := b.Send(context.Background(), Frame{ID: 0x666}); !errors.Is(err, ErrLink) {
		t.Errorf("Send while down: %v", err)
	}
	if _, err := Open(context.Background(), "socketcan:vcan0", Options{}); err == nil || !strings.Contains(err.Error(), "ip link set vcan0 up") {
		t.Errorf("Open while down: %v", err)
	}
	lazy := open(t, "socketcan:vcan0", Options{KeepTrying: true, BackoffMin: 10 * time.Millisecond, BackoffMax: 50 * time.Millisecond})
	lazyGot := collect(t, lazy)
	setUp(t, true)
	for _, ch := range []<-chan Event{got, lazyGot} {
		for {
			if ev := next(t, ch); ev.Kind == FrameEvent {
				t.Fatalf("a frame from nowhere: %v", ev.Frame)
			} else if ev.Link.State == LinkUp {
				break
			}
		}
	}
	send(t, b, "123#")
	if ev := next(t, lazyGot); ev.Frame.String() != "123#" {
		t.Errorf("first frame after the reconnect: %v", ev.Frame)
	}
	if s := b.Stats(); s.Redials == 0 {
		t.Errorf("%+v", s)
	}
}
