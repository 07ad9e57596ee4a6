// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"fmt"
	"time"
)

// SignalID is the position of a signal in its profile.
type SignalID int

// NoSignal is the id of no signal.
const NoSignal SignalID = -1

// SignalType says which values a signal takes.
type SignalType uint8

// The types of a signal.
const (
	TypeNumber  SignalType = iota
	TypeInteger            // a number without fraction
	TypeBool
	TypeEnum // one of Allowed
	TypeText
	TypeList
)

var signalTypeNames = [...]string{"number", "integer", "boolean", "enum", "text", "list"}

func (t SignalType) String() string { return signalTypeNames[t] }

// Signal is one piece of the vehicle's state.
type Signal struct {
	ID          SignalID
	Name        string // snake_case, the name rules and tools use
	VSS         string // COVESA VSS path, or empty
	Description string
	Type        SignalType
	Unit        Unit
	Min, Max    float64  // in Unit; both 0 when the signal has no range
	Step        float64  // smallest difference in Unit; 0: any
	Allowed     []string // members of an enum

	Status  *Binding // where its value is read
	Command *Binding // where a new value is written
	Service string   // the service that owns it, when it has no binding

	Settle    time.Duration // a command must be observed within this time
	Tolerance float64       // a number this near its target has reached it, in Unit
	Fresh     time.Duration // a value older than this is stale; 0: never
	Motion    *Motion       // set on signals whose command moves something
	Blocked   []Need        // any of these, observed after a command, says that the car does not follow it

	Pos Pos // where the profile declares it
}

// Motion says how a movement is ended at once.
type Motion struct {
	Hold bool  // command the position last observed
	Stop Value // or this value
}

// Binding is where a signal lives on a bus: a signal of a CAN message, or an
// MQTT topic.
type Binding struct {
	Bus     string // name of a CAN bus of the profile; empty for MQTT
	Message string // DBC message
	Signal  string // DBC signal
	Topic   string // MQTT topic below carguard/<vehicle>/, when Bus is empty
	// Values maps what the bus says to what the signal says, where they
	// differ: a raw number, a DBC value description or an MQTT text.
	Values map[string]Value
	// Idle, of a command, is what the bus says when nothing is asked, spelled
	// as a key of Values: the content of frames that command other signals of
	// the message. Empty: there is no such word.
	Idle string
	// Hold, of a command on CAN, is how long it is said again in the cycle of its
	// message before the frame is released; 0: as often as the DBC says.
	Hold time.Duration
}

// HasRange reports whether the signal's numbers are bounded.
func (s *Signal) HasRange() bool { return s.Min != 0 || s.Max != 0 }

// Check says why v is no value of the signal, or nil. An unknown value is
// none.
func (s *Signal) Check(v Value) error {
	if !v.Known() {
		return fmt.Errorf("%s: value is unknown", s.Name)
	}
	switch s.Type {
	case TypeNumber, TypeInteger:
		f, ok := v.Float()
		if !ok {
			return fmt.Errorf("%s: %v is no number", s.Name, v)
		}
		if s.Type == TypeInteger && f != float64(int64(f)) {
			return fmt.Errorf("%s: %v is no whole number", s.Name, v)
		}
		if s.HasRange() && (f < s.Min || f > s.Max) {
			return fmt.Errorf("%s: %v is outside %g..%g%s", s.Name, v, s.Min, s.Max, s.Unit.Suffix())
		}
	case TypeBool:
		if v.Kind() != Bool {
			return fmt.Errorf("%s: %v is neither true nor false", s.Name, v)
		}
	case TypeEnum:
		t, ok := v.Text()
		if !ok || !contains(s.Allowed, t) {
			return fmt.Errorf("%s: %v is none of %v", s.Name, v, s.Allowed)
		}
	case TypeText:
		if v.Kind() != String {
			return fmt.Errorf("%s: %v is no text", s.Name, v)
		}
	case TypeList:
		if v.Kind() != List {
			return fmt.Errorf("%s: %v is no list", s.Name, v)
		}
	}
	return nil
}

// Reached reports whether the observed value fulfils the target.
func (s *Signal) Reached(observed, target Value) bool {
	o, ok1 := observed.Float()
	t, ok2 := target.Float()
	if ok1 && ok2 {
		return o-t <= s.Tolerance+1e-9 && t-o <= s.Tolerance+1e-9
	}
	return observed.Known() && observed.Equal(target)
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
