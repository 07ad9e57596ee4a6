// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"fmt"
	"strings"
)

// errorFlag marks an error frame in a SocketCAN identifier.
const errorFlag = 0x20000000

// Classes of an error frame: bits, several may be set (linux/can/error.h).
const (
	errClassTxTimeout   = 0x001
	errClassArbitration = 0x002
	errClassController  = 0x004
	errClassProtocol    = 0x008
	errClassTransceiver = 0x010
	errClassNoAck       = 0x020
	errClassBusOff      = 0x040
	errClassBusError    = 0x080
	errClassRestarted   = 0x100
	errClassCounters    = 0x200
)

// Bits of byte 1 when the class has errClassController.
const (
	ctrlRxOverflow = 0x01
	ctrlWarning    = 0x0C
	ctrlPassive    = 0x30
	ctrlActive     = 0x40
)

// Causes of the states that a controller reports.
const (
	causeWarning = "the controller reached the warning level"
	causePassive = "the controller is error-passive"
	causeBusOff  = "the controller went bus-off"
)

// ErrorFrame is what a controller tells about itself. It uses the layout of
// SocketCAN: a set of class bits and eight bytes of detail.
type ErrorFrame struct {
	Class uint32 // without the error flag
	Data  Data
}

// classNames is in bit order.
var classNames = [...]string{
	"transmit timeout", "lost arbitration", "controller problem", "protocol violation", "transceiver problem",
	"no acknowledgement", "bus-off", "bus error", "controller restarted",
}

func (e ErrorFrame) String() string {
	var names []string
	for i, n := range classNames {
		if e.Class&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return fmt.Sprintf("error class 0x%03X", e.Class)
	}
	return strings.Join(names, ", ")
}

// AppendText appends the candump form.
func (e ErrorFrame) AppendText(b []byte) []byte {
	b = append(appendHexID(b, e.Class&MaxExtendedID|errorFlag, 8), '#')
	return appendHexBytes(b, e.Data[:])
}

// lostFrames reports that the controller dropped received frames, it does not
// say how many.
func (e ErrorFrame) lostFrames() bool {
	return e.Class&errClassController != 0 && e.Data[1]&ctrlRxOverflow != 0
}

// Next returns the state of the link after this error frame. Classes are bits
// and are tested as bits: kernels set the counter bit beside others.
func (e ErrorFrame) Next(l Link) Link {
	if e.Class&errClassCounters != 0 || (e.Class&errClassController != 0 && (e.Data[6] != 0 || e.Data[7] != 0)) {
		l.TxErrors, l.RxErrors = e.Data[6], e.Data[7]
	}
	switch ctrl := e.Data[1]; {
	case e.Class&errClassBusOff != 0:
		l.State, l.Cause = LinkBusOff, causeBusOff
	case e.Class&errClassRestarted != 0:
		l.State, l.Cause = LinkUp, ""
	case e.Class&errClassController == 0:
	case ctrl&ctrlPassive != 0:
		l.State, l.Cause = LinkPassive, causePassive
	case ctrl&ctrlWarning != 0:
		l.State, l.Cause = LinkWarning, causeWarning
	case ctrl&ctrlActive != 0:
		l.State, l.Cause = LinkUp, ""
	}
	return l
}

// errorFrameFor returns the error frame that leads to the state, and false
// for states that a controller does not report.
func errorFrameFor(l Link) (ErrorFrame, bool) {
	e := ErrorFrame{Class: errClassController}
	switch l.State {
	case LinkUp:
		e.Data[1] = ctrlActive
	case LinkWarning:
		e.Data[1] = ctrlWarning
	case LinkPassive:
		e.Data[1] = ctrlPassive
	case LinkBusOff:
		e.Class = errClassBusOff
	default:
		return ErrorFrame{}, false
	}
	e.Data[6], e.Data[7] = l.TxErrors, l.RxErrors
	return e, true
}
