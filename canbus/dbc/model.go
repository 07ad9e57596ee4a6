// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"time"

	"github.com/carguardd/carguardd/canbus"
)

// Database is one DBC file as loaded. It is not changed after [Parse] and may
// be shared between goroutines.
type Database struct {
	Name        string // of the file
	Version     string
	Nodes       []*Node
	Messages    []*Message // every BO_ of the file, in order, usable or not
	ValueTables map[string]*ValueTable
	Comment     string // CM_ without an object
	Attributes  Attributes
	Diagnostics []Diagnostic // in order of position

	definitions map[string]*AttributeDefinition
	byKey       map[canbus.Key]*Message
	byName      map[string]*Message
}

// Message returns the first usable message of that name, else the first of that
// name at all: its Unusable says what is wrong. A long name works too.
func (db *Database) Message(name string) (*Message, bool) {
	m, ok := db.byName[name]
	return m, ok
}

// MessageByKey returns the usable message that a frame with this key carries.
func (db *Database) MessageByKey(k canbus.Key) (*Message, bool) {
	m, ok := db.byKey[k]
	return m, ok
}

// Node is a control unit of BU_.
type Node struct {
	Name       string
	Comment    string
	Attributes Attributes
	Pos        Position
}

// Message is one BO_.
type Message struct {
	Name         string     // verbatim
	LongName     string     // SystemMessageLongSymbol, if the name had to be cut; else empty
	Key          canbus.Key // identifier and format
	Length       int        // bytes
	Transmitters []string   // first that of BO_, then those of BO_TX_BU_
	Comment      string
	Signals      []*Signal // every SG_, in order, usable or not
	Attributes   Attributes
	// CycleTime is GenMsgCycleTime; 0 if the file does not say.
	CycleTime time.Duration
	// FastCycle is GenMsgCycleTimeFast, that of a message while something is
	// asked; 0: CycleTime.
	FastCycle time.Duration
	// SendType follows from GenMsgSendType and GenSigSendType.
	SendType SendType
	// Repetitions is GenMsgNrOfRepetition, how often what is asked is said again;
	// 0 if the file does not say.
	Repetitions int
	Pos         Position
	// Unusable says why no frame is decoded or encoded with this message; empty
	// is good.
	Unusable string

	rawID    uint32 // as in the file; statements refer to it
	byName   map[string]*Signal
	database *Database
}

// Signal returns the first usable signal of that name, else the first of that
// name at all. A long name works too.
func (m *Message) Signal(name string) (*Signal, bool) {
	s, ok := m.byName[name]
	return s, ok
}

// Kind is how the bits of a signal are read.
type Kind uint8

// The kinds of raw values.
const (
	Unsigned Kind = iota
	Signed        // two's complement
	Float32       // IEEE 754, 32 bits
	Float64       // IEEE 754, 64 bits
)

func (k Kind) String() string { return [...]string{"unsigned", "signed", "float32", "float64"}[k&3] }

// Signal is one SG_. Physical value = raw value × Factor + Offset.
type Signal struct {
	Name      string // verbatim
	LongName  string // SystemSignalLongSymbol, if the name had to be cut; else empty
	Start     int    // bit as in the file: of the lowest bit, or of the highest one if BigEndian
	Length    int    // bits
	BigEndian bool   // Motorola order
	Kind      Kind
	Factor    float64
	Offset    float64
	// Min and Max are physical; they count only if HasRange: a file without a
	// range writes [0|0].
	Min, Max  float64
	HasRange  bool
	Unit      string
	Receivers []string
	Comment   string
	Values    *ValueTable // texts of raw values, or nil
	// Switch marks a multiplexer: its raw value selects other signals.
	Switch bool
	// MuxedBy is the switch that selects this signal, nil if it is always there.
	MuxedBy *Signal
	// Selectors are the ranges of raw values of MuxedBy, both ends included.
	Selectors  []Selector
	Attributes Attributes
	// StartValue is GenSigStartValue, a raw value, if HasStart: a BA_ for this
	// very signal gives it. A default for all signals does not count.
	StartValue float64
	HasStart   bool
	Pos        Position
	// Unusable says why the signal is neither decoded nor encoded; empty is good.
	Unusable string

	message  *Message
	mux      muxMark
	bits     bitField
	decimals float64 // 10^n that makes factor and offset whole, 0 if unknown
}

// Message returns the message that the signal belongs to.
func (s *Signal) Message() *Message { return s.message }

// Selector is a range of raw values of a switch, both ends included.
type Selector struct{ From, To uint64 }

// ValueTable gives texts to raw values.
type ValueTable struct {
	Name    string // of a VAL_TABLE_; empty for the VAL_ of one signal
	Entries []ValueText
	text    map[int64]string
	invalid map[int64]bool // texts that mean "no value"
}

// ValueText is the text of one raw value. Unsigned raw values above the range
// of int64 keep their bits.
type ValueText struct {
	Raw  int64
	Text string
	Pos  Position
}

// Invalid returns the first raw value whose text means "no value", and whether
// there is one.
func (t *ValueTable) Invalid() (raw int64, ok bool) {
	if t == nil {
		return 0, false
	}
	for _, e := range t.Entries {
		if t.invalid[e.Raw] {
			return e.Raw, true
		}
	}
	return 0, false
}

// Text returns the text of a raw value. Of several texts the first counts.
func (t *ValueTable) Text(raw int64) (string, bool) {
	if t == nil {
		return "", false
	}
	s, ok := t.text[raw]
	return s, ok
}
