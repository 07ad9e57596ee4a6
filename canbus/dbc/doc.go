// SPDX-License-Identifier: Apache-2.0

// Package dbc gives CAN frames a meaning: it loads DBC files and converts between
// frames and physical values.
//
// # Loading
//
// Real DBC files are full of defects. [Parse] cuts a file into statements first
// and reads each on its own, so that one defect costs one statement. Nothing is
// lost in silence: what is repaired, ignored or refused is in
// [Database].Diagnostics with file:line:col, and every BO_ and SG_ of the file
// has its [Message] and [Signal]. One that cannot be used says why in Unusable
// and is neither decoded nor encoded. Strict loading makes an error of all but
// notes.
//
//	db, err := dbc.Load("body.dbc", dbc.Options{})
//	m, ok := db.Message("WindowStatus")
//	values, err := m.Decode(frame, values[:0])
//
// # Decoding
//
// A [Value] has the raw bits, the physical value, the text of the value table,
// and a [Quality]. A value outside of its range is marked and never moved into
// it; "signal not available" is [Invalid], and so is a signal that a short
// frame does not reach. Of multiplexed signals those appear that the switches
// in the frame select, with extended multiplexing to any depth. Message.Decode
// does not allocate when given a slice with room. [Decoder] does the same for
// several buses.
//
// # Encoding
//
// [Message.Encode] sets signals in a base frame and keeps all other bits:
//
//	f, err := m.Encode(last, dbc.Set("DriverTarget", 52.8), dbc.SetText("Request", "Move"))
//
// A physical value is rounded, then checked against the range of the file with
// half a step of tolerance. It refuses what does not fit; it never clamps.
//
// # What it does not do
//
// It does not compute or check counters and checksums (that is package e2e),
// knows no CAN FD and no transport protocols, does not write DBC files, and
// keeps nothing of environment variables, signal groups and node relations. It
// does not know how old a value is.
package dbc
