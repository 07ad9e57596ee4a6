// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// rawOf converts and checks one setting.
func (s *Signal) rawOf(a Setting) (uint64, error) {
	switch a.form {
	case formText:
		return s.rawOfText(a.text)
	case formRaw:
		return a.raw, s.fits(a.raw)
	}
	return s.rawOfNumber(a.number)
}

// fits checks that the bits of a raw value are enough for it.
func (s *Signal) fits(raw uint64) error {
	ok := raw&^s.bits.mask == 0
	if s.Kind == Signed {
		sign := uint64(1) << (s.Length - 1)
		ok = int64(raw) >= -int64(sign) && int64(raw) <= int64(sign-1) || s.Length == 64
	}
	if !ok {
		return refuse("raw value %d does not fit %d bits (%v)", int64(raw), s.Length, s.Kind)
	}
	return nil
}

func (s *Signal) rawOfNumber(x float64) (uint64, error) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, refuse("%v is not a finite number", x)
	}
	if !s.inRange(x) && !s.labelled(x) {
		return 0, s.outOfRange(x)
	}
	scaled := (x - s.Offset) / s.Factor
	switch s.Kind {
	case Float32:
		if math.Abs(scaled) > math.MaxFloat32 {
			return 0, refuse("%v does not fit a float32", x)
		}
		return uint64(math.Float32bits(float32(scaled))), nil
	case Float64:
		if math.IsInf(scaled, 0) {
			return 0, refuse("%v does not fit a float64", x)
		}
		return math.Float64bits(scaled), nil
	}
	raw, ok := s.whole(math.Round(scaled))
	if !ok {
		lo, hi := s.Limits()
		return 0, refuse("%v does not fit %d bits (from %v to %v)", x, s.Length, lo, hi)
	}
	// Rounding may cross a limit that is not on a step.
	if y := s.physical(raw); !s.inRange(y) && !s.labelled(y) {
		return 0, s.outOfRange(x)
	}
	return raw, nil
}

func (s *Signal) outOfRange(x float64) error {
	return refuse("%v is out of range [%v, %v] %s", x, s.Min, s.Max, s.Unit)
}

// labelled reports whether a number is the raw value of an enumeration that has
// a text: then it needs no range.
func (s *Signal) labelled(x float64) bool {
	if s.Type() != Enum || x != math.Trunc(x) || math.Abs(x) >= 1<<63 {
		return false
	}
	_, ok := s.Values.Text(int64(x))
	return ok
}

// whole converts a rounded number to the raw value, if the bits are enough. The
// comparisons are with powers of two, which are exact.
func (s *Signal) whole(x float64) (uint64, bool) {
	if s.Kind == Signed {
		limit := math.Ldexp(1, s.Length-1)
		if x < -limit || x >= limit {
			return 0, false
		}
		return uint64(int64(x)), true
	}
	if x < 0 || x >= math.Ldexp(1, s.Length) {
		return 0, false
	}
	return uint64(x), true
}

// Limits returns the smallest and the largest physical value that the bits of
// an integer signal can carry.
func (s *Signal) Limits() (lo, hi float64) {
	switch s.Kind {
	case Float32:
		return -math.MaxFloat32, math.MaxFloat32
	case Float64:
		return -math.MaxFloat64, math.MaxFloat64
	case Signed:
		lo, hi = -math.Ldexp(1, s.Length-1), math.Ldexp(1, s.Length-1)-1
	default:
		lo, hi = 0, math.Ldexp(1, s.Length)-1
	}
	lo, hi = lo*s.Factor+s.Offset, hi*s.Factor+s.Offset
	return min(lo, hi), max(lo, hi)
}

// rawOfText finds the raw value of a text, compared without case.
func (s *Signal) rawOfText(text string) (uint64, error) {
	if s.Values == nil {
		return 0, refuse("it has no texts, %q is not possible", text)
	}
	var found []int64
	for _, e := range s.Values.Entries {
		if strings.EqualFold(e.Text, text) && (len(found) == 0 || found[0] != e.Raw) {
			found = append(found, e.Raw)
		}
	}
	switch len(found) {
	case 0:
		return 0, refuse("it has no text %q (it has %s)", text, s.texts())
	case 1:
		return uint64(found[0]), s.fits(uint64(found[0]))
	}
	return 0, refuse("text %q stands for several raw values: %v", text, found)
}

func (s *Signal) texts() string {
	var parts []string
	for i, e := range s.Values.Entries {
		if i == 12 {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, strconv.Quote(e.Text))
	}
	return strings.Join(parts, ", ")
}

// ParseSetting reads SIGNAL=VALUE as a user writes it: a number, true or false
// for a signal of one bit, or the text of an enumeration.
func (m *Message) ParseSetting(assignment string) (Setting, error) {
	name, value, ok := strings.Cut(assignment, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || name == "" || value == "" {
		return Setting{}, fmt.Errorf("%q: want SIGNAL=VALUE", assignment)
	}
	s, ok := m.Signal(name)
	if !ok {
		return Setting{}, fmt.Errorf("message %s has no signal %q", m.Name, name)
	}
	if x, err := strconv.ParseFloat(value, 64); err == nil {
		return Set(name, x), nil
	}
	if s.Type() == Bool && (strings.EqualFold(value, "true") || strings.EqualFold(value, "on")) {
		return Set(name, 1), nil
	}
	if s.Type() == Bool && (strings.EqualFold(value, "false") || strings.EqualFold(value, "off")) {
		return Set(name, 0), nil
	}
	if s.Values == nil {
		return Setting{}, fmt.Errorf("signal %s: %q is not a number", name, value)
	}
	return SetText(name, strings.Trim(value, `"`)), nil
}
