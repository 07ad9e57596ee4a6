// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"testing"

	"github.com/carguardd/carguardd/canbus"
)

const codecDBC = `BU_: ECU
BO_ 256 Plain: 8 ECU
 SG_ Percent : 0|8@1+ (1,0) [0|100] "%" ECU
 SG_ Flag : 8|1@1+ (50,10) [10|60] "x" ECU
 SG_ Bit : 9|1@1+ (1,0) [0|1] "" ECU
 SG_ Gear : 10|3@1+ (1,0) [0|3] "" ECU
 SG_ Tiny : 13|3@1- (1,0) [0|0] "" ECU
 SG_ Volt : 16|16@1+ (0.025,0) [0|1638.375] "V" ECU
 SG_ Temp : 39|16@0- (0.1,-40) [-40|215] "C" ECU
 SG_ Rest : 48|16@1+ (1,0) [0|0] "" ECU
BO_ 2147483904 Wide: 8 ECU
 SG_ U64 : 0|64@1+ (1,0) [0|0] "" ECU
BO_ 257 WideSigned: 8 ECU
 SG_ I64 : 7|64@0- (1,0) [0|0] "" ECU
BO_ 258 Floats: 8 ECU
 SG_ F32 : 0|32@1- (1,0) [-10|10] "" ECU
 SG_ I31 : 32|31@1- (-2,5) [0|0] "" ECU
BO_ 259 Double: 8 ECU
 SG_ F64 : 7|64@0- (2,1) [0|0] "" ECU
BO_ 260 Steps: 8 ECU
 SG_ Coarse : 0|8@1+ (5,0) [0|98] "" ECU
 SG_ Odd : 8|16@1+ (1.0001,-2) [0|65535] "" ECU
 SG_ Overlap : 4|8@1+ (1,0) [0|0] "" ECU
VAL_ 256 Gear 0 "P" 1 "R" 2 "N" 3 "D" 6 "No Request" 7 "SNA" ;
VAL_ 256 Percent 254 "moving" 255 "Signal not available" ;
SIG_VALTYPE_ 258 F32 : 1;
SIG_VALTYPE_ 259 F64 : 2;
`

func codecMessage(t testing.TB, name string) *Message {
	t.Helper()
	db, err := Parse("codec.dbc", []byte(codecDBC), Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	m, ok := db.Message(name)
	if !ok || m.Unusable != "" {
		t.Fatalf("no message %s", name)
	}
	return m
}

func decodeOne(t *testing.T, m *Message, f canbus.Frame, name string) Value {
	t.Helper()
	vs, err := m.Decode(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range vs {
		if v.Signal.Name == name {
			return v
		}
	}
	t.Fatalf("no value of %s in %v", name, vs)
	return Value{}
}

func signalOf(t *testing.T, m *Message, name string) *Signal {
	t.Helper()
	s, ok := m.Signal(name)
	if !ok {
		t.Fatalf("no signal %s", name)
	}
	return s
}
