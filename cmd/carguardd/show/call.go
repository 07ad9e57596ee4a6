// SPDX-License-Identifier: Apache-2.0

package show

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/carguardd/carguardd/vehicle"
)

// longest is how many bytes of one value are shown.
const longest = 120

// callText is a call as people write it: set_fan_speed(level=1).
func callText(c *vehicle.Call) string {
	if c.Raw != "" {
		return c.Tool + "(" + cut(c.Raw) + ")"
	}
	args := make([]string, c.Args.Len())
	for i := range args {
		args[i] = c.Args.NameAt(i) + "=" + argText(c.Args.At(i))
	}
	return c.Tool + "(" + strings.Join(args, ", ") + ")"
}

// argText quotes a text that is more than one word.
func argText(v vehicle.Value) string {
	if s, ok := v.Text(); ok && (s == "" || strings.ContainsAny(s, " ,()=\"\n\t")) {
		return cut(strconv.Quote(s))
	}
	return short(v)
}

func short(v vehicle.Value) string { return cut(v.String()) }

func cut(s string) string {
	if len(s) <= longest {
		return s
	}
	end := longest
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// valueText is the value of a result: the members of an object by name.
func (p *page) valueText(v vehicle.Value) string {
	if v.Kind() != vehicle.Object {
		return argText(v)
	}
	var parts []string
	for i := range v.Len() {
		if name := v.NameAt(i); p.signal(name) != nil || v.At(i).Kind() != vehicle.String {
			parts = append(parts, name+" = "+p.withUnit(name, v.At(i)))
			continue
		}
		parts = append(parts, v.NameAt(i)+" = "+argText(v.At(i)))
	}
	if len(parts) == 0 {
		return "done"
	}
	return strings.Join(parts, ", ")
}

func (p *page) signal(name string) *vehicle.Signal {
	if p.Profile == nil {
		return nil
	}
	return p.Profile.Signal(name)
}

// withUnit is a value with the unit of its signal.
func (p *page) withUnit(name string, v vehicle.Value) string {
	s := short(v)
	if sig := p.signal(name); sig != nil && v.Kind() == vehicle.Number {
		s += sig.Unit.Suffix()
	}
	return s
}

// traffic says what a frame means. How long its effect took is told when a
// person could have noticed.
func (p *page) traffic(tr, since vehicle.Trace) string {
	if tr.Dir == sentDir {
		return tr.Signal + " := " + p.withUnit(tr.Signal, tr.Value)
	}
	s := tr.Signal + " = " + p.withUnit(tr.Signal, tr.Value)
	if took := tr.At.Sub(since.At).Seconds(); !since.At.IsZero() && took >= 0.05 {
		s += ", after " + strconv.FormatFloat(took, 'f', 1, 64) + " s"
	}
	return s
}

func itoa(n int) string { return strconv.Itoa(n) }
