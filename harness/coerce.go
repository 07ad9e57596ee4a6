// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// coerce returns v brought to its schema where that loses nothing, and what
// was changed, or an empty text. A number may come as text, with a percent
// sign where the argument sets a signal in percent; a boolean as "true",
// "false", "on" or "off"; a member of an enumeration in another case.
func coerce(t *vehicle.Tool, at vehicle.Path, s *vehicle.Schema, v vehicle.Value) (vehicle.Value, string) {
	if s == nil {
		return v, ""
	}
	switch v.Kind() {
	case vehicle.Object:
		var said []string
		for i := range v.Len() {
			n := v.NameAt(i)
			m, what := coerce(t, append(at[:len(at):len(at)], vehicle.Step{Name: n}), s.Property(n), v.At(i))
			if what != "" {
				v, said = v.With(n, m), append(said, what)
			}
		}
		return v, strings.Join(said, ", ")
	case vehicle.List:
		items := make([]vehicle.Value, v.Len())
		var said []string
		for i := range items {
			var what string
			if items[i], what = coerce(t, append(at[:len(at):len(at)], vehicle.Step{Index: i}), s.Items, v.At(i)); what != "" {
				said = append(said, what)
			}
		}
		if len(said) == 0 {
			return v, ""
		}
		return vehicle.ListOf(items...), strings.Join(said, ", ")
	case vehicle.String:
		return coerceText(t, at, s, v)
	}
	return v, ""
}

func coerceText(t *vehicle.Tool, at vehicle.Path, s *vehicle.Schema, v vehicle.Value) (vehicle.Value, string) {
	text, _ := v.Text()
	said := func(to vehicle.Value) (vehicle.Value, string) {
		return to, fmt.Sprintf("%s %q to %v", at, text, to)
	}
	if len(s.Enum) > 0 {
		var found []vehicle.Value
		for _, m := range s.Enum {
			if mt, ok := m.Text(); ok && strings.EqualFold(mt, strings.TrimSpace(text)) {
				found = append(found, m)
			}
		}
		if len(found) == 1 && !found[0].Equal(v) {
			return said(found[0])
		}
		return v, ""
	}
	switch s.Type {
	case "number", "integer":
		trimmed := strings.TrimSpace(text)
		if rest, ok := strings.CutSuffix(trimmed, "%"); ok && unitOf(t, at) == "percent" {
			trimmed = strings.TrimSpace(rest)
		}
		if strings.Trim(trimmed, "+-.0123456789") != "" {
			return v, ""
		}
		if f, err := strconv.ParseFloat(trimmed, 64); err == nil {
			return said(vehicle.NumberOf(f))
		}
	case "boolean":
		switch strings.ToLower(strings.TrimSpace(text)) {
		case "true", "on":
			return said(vehicle.BoolOf(true))
		case "false", "off":
			return said(vehicle.BoolOf(false))
		}
	}
	return v, ""
}

// unitOf is the unit of the signal that an argument sets, if it sets one.
func unitOf(t *vehicle.Tool, at vehicle.Path) vehicle.Unit {
	for _, e := range t.Sets {
		if e.To.Arg != nil && e.To.Arg.String() == at.String() {
			return e.Unit
		}
	}
	return ""
}
