// SPDX-License-Identifier: Apache-2.0

package oracle

import (
	"encoding/binary"

	"github.com/carguardd/carguardd/canbus"
)

// Signal is one thing of the demonstration car that a frame tells or asks for.
type Signal uint8

// The signals that the policy, an interlock or a call is about.
const (
	WindowDriver Signal = iota // percent open, as the next three, roof and shade
	WindowPassenger
	WindowDriverRear
	WindowPassengerRear
	Sunroof
	Sunshade
	Trunk // 0 closed, 1 open
	ReadingDriver
	ReadingPassenger
	ReadingDriverRear
	ReadingPassengerRear
	FogLights // 0 off, 1 on, as all lights
	LowBeams
	HighBeams
	TemperatureDriver // half degrees Celsius
	TemperaturePassenger
	Fan // level
	Circulation
	AirConditioning // 0 off, 1 on
	Airflow         // sum of 1 feet, 2 head, 4 windscreen
	FrontDefrost
	RearDefrost
	WheelHeating
	ChargeLimit // percent
	Charging    // 0 no, 1 yes
	ChargeFlap  // 0 closed, 1 open
	Cable       // 0 unplugged, 1 plugged
	Speed       // hundredths of km/h
	Gear        // 0 is park
	PowerMode   // 2 and up: the ignition is on
	signals
)

var signalNames = [signals]string{"window driver", "window passenger", "window driver rear", "window passenger rear", "sunroof", "sunshade",
	"trunk", "reading light driver", "reading light passenger", "reading light driver rear", "reading light passenger rear", "fog lights",
	"low beams", "high beams", "temperature driver", "temperature passenger", "fan", "air circulation", "air conditioning", "airflow",
	"front defrost", "rear defrost", "steering wheel heating", "charge limit", "charging", "charge flap", "charge cable", "speed", "gear", "power mode"}

func (s Signal) String() string { return signalNames[s] }

// Windows are the four side windows.
var Windows = []Signal{WindowDriver, WindowPassenger, WindowDriverRear, WindowPassengerRear}

// Unknown is the value of a signal that nothing has told.
const Unknown = -1

// State is the value of every signal as the status frames tell it.
type State [signals]int

func unknownState() (s State) {
	for i := range s {
		s[i] = Unknown
	}
	return s
}

// field is a signal in a frame: bits from the least significant one of the
// first byte. All bits set mean no value in a status and no request in a
// command, unless none names another number.
type field struct {
	signal        Signal
	start, length uint8
	none          int
	values        map[int]int // raw → value; nil: as it is
}

func bits(s Signal, start, length uint8) field { return field{s, start, length, 1<<length - 1, nil} }

// frames are all frames of the car by bus and identifier.
var statusFrames = map[string]map[uint32][]field{
	"body": {
		800: {bits(WindowDriver, 0, 7), bits(WindowPassenger, 8, 7), bits(WindowDriverRear, 16, 7), bits(WindowPassengerRear, 24, 7)},
		801: {bits(Sunroof, 0, 7), bits(Sunshade, 8, 7), bits(Trunk, 16, 3)},
		802: {bits(ReadingDriver, 0, 2), bits(ReadingPassenger, 2, 2), bits(ReadingDriverRear, 4, 2), bits(ReadingPassengerRear, 6, 2)},
		816: {bits(TemperatureDriver, 0, 8), bits(TemperaturePassenger, 8, 8), bits(Fan, 16, 3), bits(Circulation, 19, 2), bits(AirConditioning, 21, 2),
			bits(Airflow, 24, 4), bits(FrontDefrost, 28, 2), bits(RearDefrost, 30, 2), bits(WheelHeating, 32, 3)},
		832: {bits(FogLights, 0, 2), bits(LowBeams, 2, 2), bits(HighBeams, 4, 2)},
		848: nil, // who sits where
	},
	"powertrain": {
		256: {bits(Speed, 0, 16)},
		272: {bits(Gear, 0, 3), bits(PowerMode, 4, 3)},
		528: {bits(ChargeLimit, 16, 7), bits(Charging, 24, 2), bits(Cable, 26, 2), bits(ChargeFlap, 28, 2)},
		529: nil, // the battery's size
	},
}

var commandFrames = map[string]map[uint32][]field{
	"body": {
		1056: statusFrames["body"][800],
		1057: {bits(Sunroof, 0, 7), bits(Sunshade, 8, 7), {Trunk, 16, 2, 0, map[int]int{1: 1, 2: 0}}},
		1058: statusFrames["body"][802],
		1072: statusFrames["body"][816],
		1088: statusFrames["body"][832],
	},
	"powertrain": {
		784: {bits(ChargeLimit, 0, 7), bits(Charging, 8, 2), bits(ChargeFlap, 10, 2)},
	},
}

// value returns what the frame says about the field's signal, or [Unknown].
func (f field) value(c canbus.Frame) int {
	raw := int(binary.LittleEndian.Uint64(c.Data[:]) >> f.start & (1<<f.length - 1))
	if raw == f.none {
		return Unknown
	}
	if f.values == nil {
		return raw
	}
	if v, ok := f.values[raw]; ok {
		return v
	}
	return Unknown
}
