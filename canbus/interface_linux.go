// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"encoding/binary"
	"errors"
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// upInterface returns the index of the interface by name. A socket can be bound
// to one that is down, and would then neither receive nor fail. It asks through
// the given socket, so that a sandbox without AF_NETLINK is no obstacle.
func upInterface(fd int, name string) (index int, err error) {
	ifr, err := unix.NewIfreq(name)
	if err != nil {
		return 0, fmt.Errorf("interface name %q: %w", name, err)
	}
	if err := unix.IoctlIfreq(fd, unix.SIOCGIFINDEX, ifr); err != nil {
		return 0, errors.New("no such interface")
	}
	index = int(ifr.Uint32())
	if err := unix.IoctlIfreq(fd, unix.SIOCGIFFLAGS, ifr); err != nil {
		return 0, errors.New("no such interface")
	}
	if ifr.Uint16()&unix.IFF_UP == 0 {
		return 0, fmt.Errorf("interface is down (ip link set %s up)", name)
	}
	return index, nil
}

// Attributes of linux/can/netlink.h.
const (
	iflaCANState       = 4
	iflaCANBerrCounter = 8
)

// controllerLink asks the kernel for the state of the controller: error frames
// tell changes only, and some drivers never tell the return to error-active.
// Ok is false for an interface without a controller (vcan), and where netlink
// is not allowed.
func controllerLink(index int) (l Link, ok bool) {
	table, err := syscall.NetlinkRIB(unix.RTM_GETLINK, unix.AF_UNSPEC)
	if err != nil {
		return Link{}, false
	}
	messages, err := syscall.ParseNetlinkMessage(table)
	if err != nil {
		return Link{}, false
	}
	for _, m := range messages {
		if m.Header.Type != unix.RTM_NEWLINK || len(m.Data) < unix.SizeofIfInfomsg || int(int32(binary.NativeEndian.Uint32(m.Data[4:]))) != index {
			continue
		}
		info := attribute(m.Data[unix.SizeofIfInfomsg:], unix.IFLA_LINKINFO)
		return linkOfInfo(attribute(info, unix.IFLA_INFO_DATA))
	}
	return Link{}, false
}

// linkOfInfo reads the attributes of a CAN controller.
func linkOfInfo(data []byte) (l Link, ok bool) {
	state := attribute(data, iflaCANState)
	if len(state) < 4 {
		return Link{}, false
	}
	if c := attribute(data, iflaCANBerrCounter); len(c) >= 4 {
		l.TxErrors = uint8(min(binary.NativeEndian.Uint16(c), 255))
		l.RxErrors = uint8(min(binary.NativeEndian.Uint16(c[2:]), 255))
	}
	switch binary.NativeEndian.Uint32(state) {
	case 0:
		l.State = LinkUp
	case 1:
		l.State, l.Cause = LinkWarning, causeWarning
	case 2:
		l.State, l.Cause = LinkPassive, causePassive
	case 3:
		l.State, l.Cause = LinkBusOff, causeBusOff
	default:
		l.State, l.Cause = LinkDown, "the controller is stopped or asleep"
	}
	return l, true
}

// attribute returns the payload of the first netlink attribute of that type.
func attribute(b []byte, kind uint16) []byte {
	for len(b) >= unix.SizeofRtAttr {
		n := int(binary.NativeEndian.Uint16(b))
		if n < unix.SizeofRtAttr || n > len(b) {
			return nil
		}
		if binary.NativeEndian.Uint16(b[2:])&^unix.NLA_F_NESTED == kind {
			return b[unix.SizeofRtAttr:n]
		}
		b = b[min(len(b), (n+3)&^3):]
	}
	return nil
}
