// SPDX-License-Identifier: Apache-2.0

package words

import (
	"math"
	"strconv"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// NumberWords writes a number in words: "twenty-one and a half". Halves of
// numbers below a thousand and up to three decimal places are said as such.
// Beyond a million, or with more places, it gives digits.
func (l *Language) NumberWords(f float64) string {
	s := &l.numbers.say
	if f < 0 {
		return s.Minus + " " + l.NumberWords(-f)
	}
	whole, frac := math.Modf(f)
	if whole >= 1e6 || math.Abs(frac*1000-math.Round(frac*1000)) > 1e-6 {
		return l.Number(f)
	}
	switch milli := int(math.Round(frac * 1000)); {
	case milli == 0:
		return l.integerWords(int(whole), false)
	case milli == 500 && whole > 0 && s.Half != "":
		return strings.ReplaceAll(s.Half, "{n}", l.integerWords(int(whole), true))
	default:
		out := l.integerWords(int(whole), false) + " " + s.Point
		for _, c := range strings.TrimRight(strconv.Itoa(1000 + milli)[1:], "0") {
			out += " " + s.Ones[c-'0']
		}
		return out
	}
}

func (l *Language) integerWords(n int, glued bool) string {
	s := &l.numbers.say
	small := func(n int, glued bool) string {
		if glued && n < len(s.Glued) {
			return s.Glued[n]
		}
		return s.Ones[n]
	}
	switch {
	case n < 20:
		return small(n, glued)
	case n < 100 && n%10 == 0:
		return s.Tens[n/10-2]
	case n < 100:
		return strings.NewReplacer("{ten}", s.Tens[n/10-2], "{one}", small(n%10, true)).Replace(s.TenOne)
	case n < 1000:
		head := strings.ReplaceAll(s.Hundred, "{n}", small(n/100, true))
		if n%100 == 0 {
			return head
		}
		return head + s.Joint + l.integerWords(n%100, glued)
	}
	head := strings.ReplaceAll(s.Thousand, "{n}", l.integerWords(n/1000, true))
	if n%1000 == 0 {
		return head
	}
	return head + s.Joint + l.integerWords(n%1000, glued)
}

// Number writes a number in digits with the language's decimal mark, at most
// three places: 21.5, 21,5.
func (l *Language) Number(f float64) string {
	s := strconv.FormatFloat(math.Round(f*1000)/1000, 'f', -1, 64)
	if l.decimal == ',' {
		s = strings.Replace(s, ".", ",", 1)
	}
	return s
}

// Measure writes a number with its unit in words: "25 percent". Levels have
// the word first: "level 2".
func (l *Language) Measure(f float64, u vehicle.Unit) string {
	for i := range l.units {
		if l.units[i].unit == u {
			if u == "level" {
				return l.units[i].say + " " + l.Number(f)
			}
			return l.Number(f) + " " + l.units[i].say
		}
	}
	return l.Number(f)
}
