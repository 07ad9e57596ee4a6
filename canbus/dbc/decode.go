// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"errors"
	"fmt"

	"github.com/carguardd/carguardd/canbus"
)

// Reasons why a frame is not decoded.
var (
	ErrUnknownMessage = errors.New("no message with this identifier")
	ErrUnusable       = errors.New("message cannot be used")
	ErrWrongFrame     = errors.New("frame does not carry this message")
)

// Decode appends to dst the value of every signal that is in the frame: of
// multiplexed signals those that the switches in the frame select. A signal
// whose bytes are beyond the length of the frame is [Invalid] with raw value 0.
// Decode does not allocate if dst has room for all signals of the message.
func (m *Message) Decode(f canbus.Frame, dst []Value) ([]Value, error) {
	switch {
	case m.Unusable != "":
		return dst, fmt.Errorf("%w: %s: %s", ErrUnusable, m.Name, m.Unusable)
	case f.Key() != m.Key || f.IsRemote || f.Length > canbus.MaxLength:
		return dst, fmt.Errorf("%w: %v is not %s (%v)", ErrWrongFrame, f, m.Name, m.Key)
	}
	p := pack(f.Data)
	for _, s := range m.Signals {
		if s.Unusable != "" || (s.MuxedBy != nil && !s.selected(p, f.Length)) {
			continue
		}
		if f.Length < s.bits.bytes {
			dst = append(dst, Value{Signal: s, Quality: Invalid})
			continue
		}
		dst = append(dst, s.value(s.get(p)))
	}
	return dst, nil
}

// Decoder decodes the frames of several buses.
type Decoder struct {
	buses map[string]map[canbus.Key]*Message
}

// Add gives a database to a named bus. A bus may have several; of two usable
// messages with one identifier Add takes none and fails.
func (d *Decoder) Add(bus string, db *Database) error {
	known := d.buses[bus]
	for _, m := range db.Messages {
		if other, twice := known[m.Key]; twice && m.Unusable == "" {
			return fmt.Errorf("%v: bus %s: identifier %v of message %s is also that of %s at %v", m.Pos, bus, m.Key, m.Name, other.Name, other.Pos)
		}
	}
	if d.buses == nil {
		d.buses = map[string]map[canbus.Key]*Message{}
	}
	if known == nil {
		known = make(map[canbus.Key]*Message, len(db.byKey))
		d.buses[bus] = known
	}
	for k, m := range db.byKey {
		known[k] = m
	}
	return nil
}

// Message returns the message that frames with this key carry on the bus.
func (d *Decoder) Message(bus string, k canbus.Key) (*Message, bool) {
	m, ok := d.buses[bus][k]
	return m, ok
}

// Decode finds the message of a frame and decodes it, see [Message.Decode]. The
// error is [ErrUnknownMessage] for an identifier that no database has.
func (d *Decoder) Decode(bus string, f canbus.Frame, dst []Value) (*Message, []Value, error) {
	m, ok := d.buses[bus][f.Key()]
	if !ok {
		return nil, dst, ErrUnknownMessage
	}
	dst, err := m.Decode(f, dst)
	return m, dst, err
}
