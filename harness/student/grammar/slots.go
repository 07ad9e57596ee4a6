// SPDX-License-Identifier: Apache-2.0

package grammar

import (
	"slices"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// slots fills the arguments of one tool.
type slots struct {
	p          *parser
	tw         *words.ToolWords
	cues       []words.Cue
	quantities []quantity
	used       []bool

	args     vehicle.Value
	items    []string
	missing  *words.ArgWords
	relative *relative
	said     bool // at least one cue or number was for the tool
	taken    int  // quantities that found an argument
}

// all fills every argument. It is false when something disagrees.
func (f *slots) all(brought vehicle.Value) bool {
	for _, a := range f.tw.Args {
		if a.Item {
			if !f.item(a, brought) {
				return false
			}
			continue
		}
		if !f.plain(a) {
			return false
		}
	}
	if f.taken < len(f.quantities) {
		return false // a number without a place
	}
	f.args = f.tw.Fill(f.args)
	for _, a := range f.tw.Args {
		if _, ok := f.args.Member(a.Name); ok || a.Item && len(f.items) > 0 || f.relative != nil && f.relative.arg == a {
			continue
		}
		if a.Default.Known() && a.Required {
			f.args = f.args.With(a.Name, a.Default)
			continue
		}
		if a.Required && f.missing == nil {
			f.missing = a
		}
	}
	return true
}

// of returns the cues of a kind for an argument.
func (f *slots) of(a *words.ArgWords, k words.CueKind) []words.Cue {
	var out []words.Cue
	for _, c := range f.cues {
		if c.Arg == a && c.Kind == k {
			out = append(out, c)
		}
	}
	return out
}

// plain fills an argument that names no item.
func (f *slots) plain(a *words.ArgWords) bool {
	var values []vehicle.Value
	for _, c := range f.of(a, words.CueValue) {
		if !slices.ContainsFunc(values, c.Value.Equal) {
			values = append(values, c.Value)
		}
	}
	rise, more, less := len(f.of(a, words.CueRise)) > 0, len(f.of(a, words.CueMore)) > 0, len(f.of(a, words.CueLess)) > 0
	f.said = f.said || len(values) > 0 || rise || more || less
	if len(values) > 1 {
		return false
	}
	if isNumber(a) {
		if q, n := f.quantity(a); n > 1 {
			return false
		} else if n == 1 {
			f.said = true
			f.taken++
			return f.number(a, q, values, rise, more, less)
		}
	}
	switch {
	case len(values) == 1:
		return f.value(a, values[0], rise, more, less)
	case more && less:
		return false
	case more || less:
		if a.Step == 0 || !isNumber(a) {
			f.need(a)
			return isNumber(a)
		}
		return f.change(a, a.Step, less)
	case rise:
		f.need(a)
		return true
	}
	if weak := f.of(a, words.CueWeak); len(weak) > 0 {
		f.said = true
		f.args = f.args.With(a.Name, weak[0].Value)
	}
	return true
}

// need asks for an argument that the schema does not require.
func (f *slots) need(a *words.ArgWords) {
	if !a.Required {
		f.missing = a
	}
}

// value takes a value that a word gives. A word for rising must not go with
// the least value.
func (f *slots) value(a *words.ArgWords, v vehicle.Value, rise, more, less bool) bool {
	n, ok := v.Float()
	if least := least(a); ok && rise && n <= least {
		return false // open … to nothing
	}
	if ok && (more && n <= least(a) || less && a.Schema.Max != nil && n >= *a.Schema.Max) {
		return false
	}
	f.args = f.args.With(a.Name, v)
	return true
}

// number takes a number that was said: as the value, or as the size of a
// change.
func (f *slots) number(a *words.ArgWords, q quantity, values []vehicle.Value, rise, more, less bool) bool {
	n, ok := convert(a, q.Quantity)
	if !ok {
		return false
	}
	if (more || less) && !q.absolute || q.by {
		d, ok := amount(a, q.Quantity)
		return ok && more != less && f.change(a, d, less)
	}
	if len(values) == 1 {
		if v, _ := values[0].Float(); v != n {
			return false // close it to fifty
		}
	}
	return f.value(a, vehicle.NumberOf(n), rise, false, false)
}

func (f *slots) change(a *words.ArgWords, d float64, less bool) bool {
	if less {
		d = -d
	}
	f.relative = &relative{a, d}
	return d != 0
}

// quantity finds the number for an argument, and how many there are for it.
func (f *slots) quantity(a *words.ArgWords) (q quantity, n int) {
	for _, c := range f.quantities {
		if _, ok := convert(a, c.Quantity); ok && f.fitsBest(a, c) {
			if n == 0 || c.Value != q.Value {
				q, n = c, n+1
			} else {
				f.taken++ // said twice
			}
		}
	}
	return q, n
}

// fitsBest reports whether no other argument of the tool would take the
// number rather: one whose unit was said.
func (f *slots) fitsBest(a *words.ArgWords, q quantity) bool {
	for _, o := range f.tw.Args {
		if o == a || !isNumber(o) {
			continue
		}
		if _, ok := convert(o, q.Quantity); ok && (q.Unit != "" && o.Unit == q.Unit && a.Unit != q.Unit || q.Unit == "" && o.Required && !a.Required) {
			return false
		}
	}
	return true
}
