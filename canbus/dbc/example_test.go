// SPDX-License-Identifier: Apache-2.0

package dbc_test

import (
	"fmt"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/dbc"
)

const windows = `BO_ 256 WindowStatus: 2 Body
 SG_ Driver : 0|8@1+ (0.5,0) [0|100] "percent" Head
 SG_ Moving : 8|2@1+ (1,0) [0|3] "" Head
VAL_ 256 Moving 0 "stopped" 1 "opening" 2 "closing" 3 "SNA" ;
FILTER 0;
`

func ExampleParse() {
	db, err := dbc.Parse("windows.dbc", []byte(windows), dbc.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range db.Messages {
		fmt.Println(m.Name, m.Key, len(m.Signals))
	}
	for _, d := range db.Diagnostics {
		fmt.Println(d)
	}
	// Output:
	// WindowStatus 100 2
	// windows.dbc:5:1: note: FILTER is not used (in: FILTER 0)
}

func ExampleMessage_Decode() {
	db, _ := dbc.Parse("windows.dbc", []byte(windows), dbc.Options{})
	m, _ := db.Message("WindowStatus")
	f, _ := canbus.ParseFrame("100#3201")
	values, err := m.Decode(f, nil)
	fmt.Println(values, err)
	// Output: [Driver=25 percent Moving=1 "opening"] <nil>
}

func ExampleMessage_Encode() {
	db, _ := dbc.Parse("windows.dbc", []byte(windows), dbc.Options{})
	m, _ := db.Message("WindowStatus")
	f, err := m.Encode(m.Blank(), dbc.Set("Driver", 50), dbc.SetText("Moving", "closing"))
	fmt.Println(f, err)
	_, err = m.Encode(m.Blank(), dbc.Set("Driver", 101))
	fmt.Println(err)
	// Output:
	// 100#6402 <nil>
	// message WindowStatus: signal Driver: cannot encode: 101 is out of range [0, 100] percent
}

func ExampleDecoder() {
	db, _ := dbc.Parse("windows.dbc", []byte(windows), dbc.Options{})
	var d dbc.Decoder
	_ = d.Add("body", db)
	f, _ := canbus.ParseFrame("100#C803")
	m, values, err := d.Decode("body", f, nil)
	fmt.Println(m.Name, values, err)
	_, _, err = d.Decode("body", canbus.Frame{ID: 1}, nil)
	fmt.Println(err)
	// Output:
	// WindowStatus [Driver=100 percent Moving=3 "SNA" (invalid)] <nil>
	// no message with this identifier
}
