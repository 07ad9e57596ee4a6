// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"errors"
	"fmt"

	"go.einride.tech/can"
)

// MaxLength is the longest payload of a classic CAN frame in bytes.
const MaxLength = 8

// Largest identifiers: 11 bits in a standard frame, 29 in an extended one.
const (
	MaxStandardID = can.MaxID
	MaxExtendedID = can.MaxExtendedID
)

// ErrInvalidFrame is wrapped by every error of [Frame.Validate].
var ErrInvalidFrame = errors.New("invalid frame")

// Data is the payload of a frame; bytes from Length on are zero.
type Data = can.Data

// Frame is one classic CAN data or remote frame: 16 bytes, passed by value.
// Its fields are those of [can.Frame]: ID, Length, Data, IsRemote, IsExtended.
//
// An error frame of a controller is never a Frame: it becomes a link event.
type Frame can.Frame

// NewFrame returns the data frame with that key and payload. It fails if the
// identifier does not fit or the payload has more than [MaxLength] bytes.
func NewFrame(key Key, payload ...byte) (Frame, error) {
	if len(payload) > MaxLength {
		return Frame{}, fmt.Errorf("%w: %d bytes of data, at most %d", ErrInvalidFrame, len(payload), MaxLength)
	}
	f := Frame{ID: key.ID(), IsExtended: key.Extended(), Length: uint8(len(payload))}
	copy(f.Data[:], payload)
	return f, f.Validate()
}

// Validate is the door to every transport. The kernel would send a standard
// identifier 0xFFF as 0x7FF without an error, so identifiers are checked here;
// so is the length.
func (f Frame) Validate() error {
	switch {
	case f.IsExtended && f.ID > MaxExtendedID:
		return fmt.Errorf("%w: extended identifier 0x%X has more than 29 bits", ErrInvalidFrame, f.ID)
	case !f.IsExtended && f.ID > MaxStandardID:
		return fmt.Errorf("%w: standard identifier 0x%X has more than 11 bits", ErrInvalidFrame, f.ID)
	case f.Length > MaxLength:
		return fmt.Errorf("%w: length %d, at most %d (CAN FD is not supported)", ErrInvalidFrame, f.Length, MaxLength)
	}
	return nil
}

// Key returns identifier and format in one comparable value.
func (f Frame) Key() Key { return MakeKey(f.ID, f.IsExtended) }

// Payload returns the bytes that are really in the frame: none of a remote
// frame, never more than eight.
func (f *Frame) Payload() []byte {
	if f.IsRemote {
		return nil
	}
	return f.Data[:min(f.Length, MaxLength)]
}
