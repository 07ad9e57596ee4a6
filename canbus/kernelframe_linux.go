// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"encoding/binary"
	"time"

	"golang.org/x/sys/unix"
)

// Layout of struct can_frame: identifier with flags, length, three bytes that
// do not count, data.
const (
	kernelLength = 4
	kernelData   = 8
)

func encodeKernelFrame(f Frame) (b [unix.CAN_MTU]byte) {
	id := f.ID
	if f.IsExtended {
		id |= unix.CAN_EFF_FLAG
	}
	if f.IsRemote {
		id |= unix.CAN_RTR_FLAG
	}
	binary.NativeEndian.PutUint32(b[:], id)
	b[kernelLength] = f.Length
	copy(b[kernelData:], f.Payload())
	return b
}

// decodeKernelFrame returns a frame, or an error frame, or false.
func decodeKernelFrame(b []byte) (f Frame, e *ErrorFrame, ok bool) {
	if len(b) != unix.CAN_MTU || b[kernelLength] > MaxLength {
		return Frame{}, nil, false
	}
	id := binary.NativeEndian.Uint32(b)
	if id&unix.CAN_ERR_FLAG != 0 {
		e = &ErrorFrame{Class: id & unix.CAN_ERR_MASK}
		copy(e.Data[:], b[kernelData:kernelData+b[kernelLength]])
		return Frame{}, e, true
	}
	f = Frame{ID: id & unix.CAN_SFF_MASK, Length: b[kernelLength], IsRemote: id&unix.CAN_RTR_FLAG != 0}
	if id&unix.CAN_EFF_FLAG != 0 {
		f.ID, f.IsExtended = id&unix.CAN_EFF_MASK, true
	}
	if !f.IsRemote {
		copy(f.Data[:], b[kernelData:kernelData+f.Length])
	}
	return f, nil, true
}

// parseControl reads the time stamp and the drop counter of a message; drops is
// the old counter if there is none.
func parseControl(oob []byte, drops uint32) (stamp time.Time, _ uint32) {
	for len(oob) >= unix.SizeofCmsghdr {
		hdr, data, rest, err := unix.ParseOneSocketControlMessage(oob)
		if err != nil {
			break
		}
		oob = rest
		switch {
		case hdr.Level != unix.SOL_SOCKET:
		case hdr.Type == unix.SO_RXQ_OVFL && len(data) >= 4:
			drops = binary.NativeEndian.Uint32(data)
		case hdr.Type == unix.SO_TIMESTAMPNS && len(data) >= 16:
			stamp = time.Unix(int64(binary.NativeEndian.Uint64(data)), int64(binary.NativeEndian.Uint64(data[8:])))
		case hdr.Type == unix.SO_TIMESTAMPNS && len(data) >= 8: // 32-bit kernels
			stamp = time.Unix(int64(int32(binary.NativeEndian.Uint32(data))), int64(binary.NativeEndian.Uint32(data[4:])))
		}
	}
	return stamp, drops
}
