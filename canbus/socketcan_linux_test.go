// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

func TestKernelFrameRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := genFrame(t)
		b := encodeKernelFrame(f)
		got, e, ok := decodeKernelFrame(b[:])
		if !ok || e != nil || got != f {
			t.Fatalf("%v became % X and %v, %v, %v", f, b, got, e, ok)
		}
	})
}

func TestKernelErrorFrame(t *testing.T) {
	var b [unix.CAN_MTU]byte
	binary.NativeEndian.PutUint32(b[:], unix.CAN_ERR_FLAG|0x204)
	b[4], b[9], b[14] = 8, 0x20, 130
	f, e, ok := decodeKernelFrame(b[:])
	if !ok || e == nil || f != (Frame{}) || e.Next(Link{State: LinkUp}).State != LinkPassive || e.Next(Link{}).TxErrors != 130 {
		t.Errorf("%v %v %v", f, e, ok)
	}
	b[4] = 9
	if _, _, ok := decodeKernelFrame(b[:]); ok {
		t.Error("nine bytes were accepted")
	}
	if _, _, ok := decodeKernelFrame(b[:8]); ok {
		t.Error("half a frame was accepted")
	}
}

func TestParseControl(t *testing.T) {
	message := func(kind int32, data []byte) []byte {
		b := make([]byte, unix.CmsgSpace(len(data)))
		h := (*[unix.SizeofCmsghdr]byte)(b)
		hdr := unix.Cmsghdr{Level: unix.SOL_SOCKET, Type: kind}
		hdr.SetLen(unix.CmsgLen(len(data)))
		if unix.SizeofCmsghdr == 16 {
			binary.NativeEndian.PutUint64(h[:], uint64(hdr.Len))
			binary.NativeEndian.PutUint32(h[8:], uint32(hdr.Level))
			binary.NativeEndian.PutUint32(h[12:], uint32(hdr.Type))
		} else {
			binary.NativeEndian.PutUint32(h[:], uint32(hdr.Len))
			binary.NativeEndian.PutUint32(h[4:], uint32(hdr.Level))
			binary.NativeEndian.PutUint32(h[8:], uint32(hdr.Type))
		}
		copy(b[unix.CmsgLen(0):], data)
		return b
	}
	stamp := binary.NativeEndian.AppendUint64(binary.NativeEndian.AppendUint64(nil, 1700000000), 5)
	oob := append(message(unix.SO_TIMESTAMPNS, stamp), message(unix.SO_RXQ_OVFL, binary.NativeEndian.AppendUint32(nil, 7))...)
	if at, drops := parseControl(oob, 3); !at.Equal(time.Unix(1700000000, 5)) || drops != 7 {
		t.Errorf("%v, %d drops", at, drops)
	}
	if at, drops := parseControl(nil, 3); !at.IsZero() || drops != 3 {
		t.Errorf("nothing: %v, %d drops", at, drops)
	}
	small := binary.NativeEndian.AppendUint32(binary.NativeEndian.AppendUint32(nil, 1700000000), 5)
	if at, _ := parseControl(message(unix.SO_TIMESTAMPNS, small), 0); !at.Equal(time.Unix(1700000000, 5)) {
		t.Errorf("32-bit stamp: %v", at)
	}
}

// attr builds a netlink attribute.
func attr(kind uint16, data []byte) []byte {
	b := binary.NativeEndian.AppendUint16(nil, uint16(4+len(data)))
	b = append(binary.NativeEndian.AppendUint16(b, kind), data...)
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}

func TestLinkOfInfo(t *testing.T) {
	counters := attr(iflaCANBerrCounter, []byte{140, 0, 44, 1})
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		counters = attr(iflaCANBerrCounter, []byte{0, 140, 1, 44})
	}
	for state, want := range map[uint32]LinkState{0: LinkUp, 1: LinkWarning, 2: LinkPassive, 3: LinkBusOff, 4: LinkDown, 5: LinkDown} {
		data := append(attr(1, []byte("x")), counters...)
		data = append(data, attr(iflaCANState, binary.NativeEndian.AppendUint32(nil, state))...)
		if l, ok := linkOfInfo(data); !ok || l.State != want || l.TxErrors != 140 || l.RxErrors != 255 {
			t.Errorf("state %d: %+v %v", state, l, ok)
		}
		for n := range data { // cut off anywhere: no panic, no state
			if l, ok := linkOfInfo(data[:n]); ok && n < len(data) {
				t.Errorf("%d of %d bytes: %+v", n, len(data), l)
			}
		}
	}
	if _, ok := controllerLink(1 << 30); ok {
		t.Error("an interface that does not exist has a controller")
	}
}

// A kernel without CAN says so at once, even when asked to keep trying.
func TestSocketCANWithoutKernel(t *testing.T) {
	fd, err := unix.Socket(unix.AF_CAN, unix.SOCK_RAW, unix.CAN_RAW)
	if err == nil {
		unix.Close(fd)
		t.Skip("this kernel has CAN")
	}
	_, err = Open(context.Background(), "socketcan:can0", Options{KeepTrying: true})
	if err == nil || !strings.Contains(err.Error(), "this kernel has no CAN") {
		t.Error(err)
	}
}
