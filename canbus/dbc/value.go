// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Quality says whether a value may be believed. Only OK may; a value is never
// moved into its range to make it so.
type Quality uint8

// The qualities.
const (
	OK         Quality = iota
	Invalid            // "signal not available", no number, or the frame is too short for it
	OutOfRange         // outside of the minimum and maximum of the file
)

func (q Quality) String() string {
	return [...]string{"ok", "invalid", "out-of-range"}[min(q, OutOfRange)]
}

// MarshalText writes the name of the quality.
func (q Quality) MarshalText() ([]byte, error) { return []byte(q.String()), nil }

// Value is one decoded signal.
type Value struct {
	Signal *Signal
	// Raw are the bits of the signal; negative values are extended to 64 bits.
	Raw uint64
	// Physical is Raw × Factor + Offset in the unit of the signal, rounded to the
	// decimals of factor and offset (2112 × 0.025 is 52.8). Integers above 2^53
	// are exact in Raw alone.
	Physical float64
	Text     string // of the value table, if it has this raw value
	Quality  Quality
}

// Type is what a value is for a reader.
type Type uint8

// The types.
const (
	Number Type = iota
	Bool        // one bit, no texts, no unit
	Enum        // has texts and is not scaled
)

func (t Type) String() string { return [...]string{"number", "bool", "enum"}[min(t, Enum)] }

// Type tells how the signal is best shown.
func (s *Signal) Type() Type {
	plain := s.Factor == 1 && s.Offset == 0 && s.Unit == "" && s.Kind <= Signed
	switch {
	case plain && s.Values != nil:
		return Enum
	case plain && s.Length == 1 && s.Kind == Unsigned:
		return Bool
	}
	return Number
}

// Bool returns a value of type [Bool]; ok is false for other types.
func (v Value) Bool() (b, ok bool) { return v.Raw != 0, v.Signal.Type() == Bool }

// Any returns the text of an enumeration, else a bool or a float64.
func (v Value) Any() any {
	switch v.Signal.Type() {
	case Enum:
		if v.Text != "" {
			return v.Text
		}
	case Bool:
		return v.Raw != 0
	}
	return v.Physical
}

// String prints name, value, unit, and the quality unless it is OK, for example
// "WindowDriverPosition=25 percent".
func (v Value) String() string {
	s := v.Signal.Name + "=" + strconv.FormatFloat(v.Physical, 'f', -1, 64)
	if math.Abs(v.Physical) >= 1e15 {
		s = v.Signal.Name + "=" + strconv.FormatFloat(v.Physical, 'g', -1, 64)
	}
	if v.Text != "" {
		s += fmt.Sprintf(" %q", v.Text)
	}
	if v.Signal.Unit != "" {
		s += " " + v.Signal.Unit
	}
	if v.Quality != OK {
		s += " (" + v.Quality.String() + ")"
	}
	return s
}

// physical converts a raw value, without any limit.
func (s *Signal) physical(raw uint64) float64 {
	var x float64
	switch s.Kind {
	case Signed:
		x = float64(int64(raw))
	case Float32:
		x = float64(math.Float32frombits(uint32(raw)))
	case Float64:
		x = math.Float64frombits(raw)
	default:
		x = float64(raw)
	}
	x = x*s.Factor + s.Offset
	// Undo the noise of binary factors; beyond 2^53 rounding would add some.
	if s.decimals > 1 && s.Kind <= Signed {
		if y := x * s.decimals; math.Abs(y) < 1<<53 {
			return math.Round(y) / s.decimals
		}
	}
	return x
}

// value judges a raw value.
func (s *Signal) value(raw uint64) Value {
	v := Value{Signal: s, Raw: raw, Physical: s.physical(raw)}
	if s.Values != nil {
		v.Text, _ = s.Values.Text(int64(raw))
	}
	switch {
	case math.IsNaN(v.Physical) || math.IsInf(v.Physical, 0), v.Text != "" && s.Values.invalid[int64(raw)]:
		v.Quality = Invalid
	case !s.inRange(v.Physical) && (v.Text == "" || s.Type() != Enum):
		v.Quality = OutOfRange
	}
	return v
}

// inRange checks in physical space. Half a step of tolerance: files round their
// limits.
func (s *Signal) inRange(x float64) bool {
	half := math.Abs(s.Factor) / 2
	if s.Kind > Signed {
		half = 0
	}
	return !s.HasRange || (x >= s.Min-half && x <= s.Max+half)
}

// meansInvalid recognises the texts of raw values that stand for "no value".
func meansInvalid(text string) bool {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r == '_' || r == ' ' || r == '-' || r == '.' || r == '/' || r == '(' || r == ')'
	})
	if len(words) == 0 {
		return false
	}
	switch last := words[len(words)-1]; last {
	case "sna", "invalid":
		return true
	}
	switch strings.Join(words, "") {
	case "notavailable", "signalnotavailable", "datanotavailable", "snasignalnotavailable", "invalidvalue",
		"invaliddata", "invalidsignal", "notvalid", "unavailable":
		return true
	}
	return false
}
