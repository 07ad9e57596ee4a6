// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"fmt"
	"math"
	"slices"

	"github.com/carguardd/carguardd/canbus"
)

// independent is the pseudo message that collects signals of no message.
const independent = "VECTOR__INDEPENDENT_SIG_MSG"

// noNode stands for "no transmitter" or "no receiver".
const noNode = "Vector__XXX"

// Identifier flags of a DBC file.
const (
	flagExtended    = 1 << 31
	flagIndependent = 1 << 30
)

// message reads BO_ id name : length transmitter. A header that cannot be read
// still gives a message, so that the signals below belong to nothing else.
func (l *loader) message(st statement, c *cursor) {
	m := &Message{Pos: l.pos(st.start), Attributes: Attributes{}, database: l.db}
	l.current = m
	l.db.Messages = append(l.db.Messages, m)
	id := c.integer("identifier")
	m.Name = c.word("a message name")
	c.want(':')
	length := c.integer("length")
	if c.err != nil {
		m.Unusable = c.err.Error()
		l.bad(st, c, Error)
		return
	}
	if id >= 0 && id <= math.MaxUint32 {
		m.rawID = uint32(id)
		if _, taken := l.byID[m.rawID]; !taken {
			l.byID[m.rawID] = m
		}
	}
	m.Length = int(min(max(length, 0), math.MaxInt32))
	for c.peek() != 0 {
		if name := c.word("a node"); c.err == nil && name != noNode {
			m.Transmitters = append(m.Transmitters, name)
		}
		c.have(',')
		if c.err != nil {
			l.bad(st, c, Warning)
			break
		}
	}
	l.identify(st, m, id)
}

// identify sets the key, and refuses what no classic CAN frame can carry.
func (l *loader) identify(st statement, m *Message, id int64) {
	bare := id &^ (flagExtended | flagIndependent)
	switch {
	case m.Name == independent && id&flagIndependent != 0:
		m.Unusable = "it collects signals that are in no message"
		l.report(st.start, Note, l.text[st.start:st.end], "%s is no message on the bus", m.Name)
		return
	case id < 0 || id > math.MaxUint32 || id&flagIndependent != 0 || bare > canbus.MaxExtendedID:
		m.Unusable = fmt.Sprintf("identifier %d has more than 29 bits", id)
	case id&flagExtended == 0 && id > canbus.MaxStandardID:
		l.report(st.start, Warning, l.text[st.start:st.end],
			"identifier %d has more than 11 bits and no extended flag, read as extended", id)
		m.Key = canbus.MakeKey(uint32(id), true)
	default:
		m.Key = canbus.Key(id)
	}
	if m.Length > canbus.MaxLength && m.Unusable == "" {
		m.Unusable = fmt.Sprintf("length is %d bytes: CAN FD and transport protocols are not supported", m.Length)
	}
	if m.Unusable != "" {
		l.report(st.start, Error, l.text[st.start:st.end], "message %s cannot be used: %s", m.Name, m.Unusable)
	}
}

// transmitters reads BO_TX_BU_ id : node, node.
func (l *loader) transmitters(st statement, c *cursor) {
	m := l.messageRef(st, c)
	c.want(':')
	for m != nil && c.peek() != 0 {
		if name := c.word("a node"); c.err == nil && name != noNode && !slices.Contains(m.Transmitters, name) {
			m.Transmitters = append(m.Transmitters, name)
		}
		c.have(',')
		if c.err != nil {
			break
		}
	}
	if c.err != nil {
		l.bad(st, c, Warning)
	}
}

// messageRef reads the identifier of a message that the file should contain.
func (l *loader) messageRef(st statement, c *cursor) *Message {
	c.skip()
	at := c.i
	id := c.integer("identifier")
	if c.err != nil {
		return nil
	}
	if id >= 0 && id <= math.MaxUint32 {
		if m, ok := l.byID[uint32(id)]; ok {
			return m
		}
	}
	l.report(at, Warning, l.text[st.start:st.end], "%s: no message has the identifier %d", st.keyword, id)
	return nil
}

// signalRef reads identifier and name; multiplexed signals may share a name.
func (l *loader) signalRef(st statement, c *cursor) []*Signal {
	m := l.messageRef(st, c)
	c.skip()
	at := c.i
	name := c.word("a signal name")
	if m == nil || c.err != nil {
		return nil
	}
	var found []*Signal
	for _, s := range m.Signals {
		if s.Name == name {
			found = append(found, s)
		}
	}
	if len(found) == 0 {
		l.report(at, Warning, l.text[st.start:st.end], "%s: message %s has no signal %s", st.keyword, m.Name, name)
	}
	return found
}
