// SPDX-License-Identifier: Apache-2.0

package region

import (
	"fmt"
	"math"
)

// Span is an interval of numbers; its ends belong to it unless they are open.
type Span struct {
	Low, High         float64
	LowOpen, HighOpen bool
}

// line is every number.
func line() Span { return Span{Low: math.Inf(-1), High: math.Inf(1)} }

// empty reports whether no number is in the span: no whole one, if only those
// count.
func (s Span) empty(integer bool) bool {
	if integer {
		s = s.whole()
	}
	return s.Low > s.High || s.Low == s.High && (s.LowOpen || s.HighOpen)
}

// whole shrinks the span to the whole numbers in it.
func (s Span) whole() Span {
	if !math.IsInf(s.Low, 0) {
		low := math.Ceil(s.Low)
		if low == s.Low && s.LowOpen {
			low++
		}
		s.Low, s.LowOpen = low, false
	}
	if !math.IsInf(s.High, 0) {
		high := math.Floor(s.High)
		if high == s.High && s.HighOpen {
			high--
		}
		s.High, s.HighOpen = high, false
	}
	return s
}

func (s Span) and(o Span) Span {
	if o.Low > s.Low || o.Low == s.Low && o.LowOpen {
		s.Low, s.LowOpen = o.Low, o.LowOpen
	}
	if o.High < s.High || o.High == s.High && o.HighOpen {
		s.High, s.HighOpen = o.High, o.HighOpen
	}
	return s
}

// within reports whether every number of s is in o.
func (s Span) within(o Span) bool {
	low := s.Low > o.Low || s.Low == o.Low && (s.LowOpen || !o.LowOpen)
	high := s.High < o.High || s.High == o.High && (s.HighOpen || !o.HighOpen)
	return low && high
}

// String writes the span in interval notation.
func (s Span) String() string {
	a, b := "[", "]"
	if s.LowOpen || math.IsInf(s.Low, 0) {
		a = "("
	}
	if s.HighOpen || math.IsInf(s.High, 0) {
		b = ")"
	}
	return fmt.Sprintf("%s%g, %g%s", a, s.Low, s.High, b)
}
