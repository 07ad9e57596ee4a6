// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"errors"
	"fmt"
	"strings"
)

// Kinds of candump text that are understood but are not classic frames.
var (
	// ErrNotSupported marks CAN FD and CAN XL frames.
	ErrNotSupported = errors.New("not supported")
	// ErrErrorFrame marks the text of an error frame where a data or remote
	// frame was expected.
	ErrErrorFrame = errors.New("error frame")
)

const upperHex = "0123456789ABCDEF"

// String returns the candump form, for example 123#0102, 18FF0001#, 123#R8.
// A frame that is not valid prints its defect instead of the data.
func (f Frame) String() string {
	if err := f.Validate(); err != nil {
		return fmt.Sprintf("%X#<%v>", f.ID, err)
	}
	var buf [32]byte
	return string(f.AppendText(buf[:0]))
}

// AppendText appends the candump form of a valid frame.
func (f Frame) AppendText(b []byte) []byte {
	digits := 3
	if f.IsExtended {
		digits = 8
	}
	b = appendHexID(b, f.ID, digits)
	b = append(b, '#')
	if f.IsRemote {
		b = append(b, 'R')
		if f.Length > 0 {
			b = append(b, '0'+f.Length)
		}
		return b
	}
	return appendHexBytes(b, f.Data[:min(f.Length, MaxLength)])
}

// MarshalText implements [encoding.TextMarshaler] with the candump form.
func (f Frame) MarshalText() ([]byte, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	return f.AppendText(nil), nil
}

// UnmarshalText implements [encoding.TextUnmarshaler], see [ParseFrame].
func (f *Frame) UnmarshalText(text []byte) error {
	g, err := ParseFrame(string(text))
	if err == nil {
		*f = g
	}
	return err
}

// ParseFrame reads the text of one classic frame as can-utils write it:
// "123#", "123#0102", "123#01.02", "123#R", "123#r8", "18FF0001#00", and a raw
// length code of nine to fifteen after eight bytes ("#1122334455667788_E",
// "#R8_9"), which is accepted and dropped. CAN FD ("##") and XL text gives an
// error wrapping [ErrNotSupported], an error frame one wrapping [ErrErrorFrame].
func ParseFrame(s string) (Frame, error) {
	raw, err := parseRawFrame(s)
	if err != nil {
		return Frame{}, err
	}
	if raw.isError {
		return Frame{}, fmt.Errorf("frame %q: %w", s, ErrErrorFrame)
	}
	return raw.frame, nil
}

// rawFrame is a frame text before it is known to be data or error.
type rawFrame struct {
	frame   Frame
	isError bool
}

func parseRawFrame(s string) (rawFrame, error) {
	idText, rest, ok := strings.Cut(s, "#")
	if !ok {
		return rawFrame{}, fmt.Errorf("frame %q: no '#' between identifier and data", s)
	}
	if strings.HasPrefix(rest, "#") {
		return rawFrame{}, fmt.Errorf("frame %q: CAN FD is %w", s, ErrNotSupported)
	}
	if strings.ContainsRune(rest, '#') || strings.ContainsRune(rest, ':') {
		return rawFrame{}, fmt.Errorf("frame %q: CAN XL is %w", s, ErrNotSupported)
	}
	var out rawFrame
	id, ok := parseHex(idText)
	if !ok || (len(idText) != 3 && len(idText) != 8) {
		return rawFrame{}, fmt.Errorf("frame %q: want 3 (standard) or 8 (extended) hexadecimal digits before '#'", s)
	}
	f := &out.frame
	f.ID, f.IsExtended = id, len(idText) == 8
	if f.IsExtended && id&errorFlag != 0 {
		if id &^= errorFlag; id > MaxExtendedID {
			return rawFrame{}, fmt.Errorf("frame %q: unknown flags in the error class", s)
		}
		out.isError, f.ID, f.IsExtended = true, id, false
	} else if err := f.Validate(); err != nil {
		return rawFrame{}, fmt.Errorf("frame %q: %w", s, err)
	}
	if err := parsePayload(f, rest); err != nil {
		return rawFrame{}, fmt.Errorf("frame %q: %w", s, err)
	}
	if out.isError && f.IsRemote {
		return rawFrame{}, fmt.Errorf("frame %q: an error frame has no remote form", s)
	}
	return out, nil
}

func parsePayload(f *Frame, s string) error {
	body, dlc, hasDLC := strings.Cut(s, "_")
	if len(body) > 0 && (body[0] == 'R' || body[0] == 'r') {
		f.IsRemote = true
		switch n := body[1:]; {
		case n == "":
		case len(n) == 1 && n[0] >= '0' && n[0] <= '8':
			f.Length = n[0] - '0'
		default:
			return fmt.Errorf("remote length %q: want one digit of 0 to 8", n)
		}
	} else if err := parseBytes(f, body); err != nil {
		return err
	}
	if !hasDLC {
		return nil
	}
	if v, ok := parseHex(dlc); !ok || len(dlc) != 1 || v < 9 || f.Length != MaxLength {
		return fmt.Errorf("raw length code %q: want one digit of 9 to F after 8 bytes", dlc)
	}
	return nil
}

func parseBytes(f *Frame, s string) error {
	for n := 0; len(s) > 0; n++ {
		if n > 0 && s[0] == '.' {
			s = s[1:]
		}
		if n == MaxLength {
			return fmt.Errorf("more than %d bytes of data", MaxLength)
		}
		if len(s) < 2 {
			return errors.New("odd number of data digits")
		}
		v, ok := parseHex(s[:2])
		if !ok {
			return fmt.Errorf("data %q is not hexadecimal", s[:2])
		}
		f.Data[n], f.Length, s = byte(v), uint8(n+1), s[2:]
	}
	return nil
}

// parseHex reads one to eight hexadecimal digits, without sign or prefix.
func parseHex(s string) (v uint32, ok bool) {
	if len(s) == 0 || len(s) > 8 {
		return 0, false
	}
	for i := range len(s) {
		var d byte
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			d = c - '0'
		case c >= 'a' && c <= 'f':
			d = c - 'a' + 10
		case c >= 'A' && c <= 'F':
			d = c - 'A' + 10
		default:
			return 0, false
		}
		v = v<<4 | uint32(d)
	}
	return v, true
}

func appendHexID(b []byte, id uint32, digits int) []byte {
	for i := digits - 1; i >= 0; i-- {
		b = append(b, upperHex[id>>(4*i)&0xF])
	}
	return b
}

func appendHexBytes(b, data []byte) []byte {
	for _, d := range data {
		b = append(b, upperHex[d>>4], upperHex[d&0xF])
	}
	return b
}
