// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/carguardd/carguardd/vehicle"
)

// bind checks that the arguments fit the tool's parameters by name and type.
// The recorded car is written in Python, so its complaints are worded the way
// that language words them.
func bind(t *vehicle.Tool, args vehicle.Value) error {
	if args.Kind() != vehicle.Object && args.Kind() != vehicle.Unknown {
		return fmt.Errorf("%s.invoke() argument after ** must be a mapping, not %s", className(t.Name), args.Kind())
	}
	if t.Input == nil {
		return nil
	}
	for i := range args.Len() {
		if n := args.NameAt(i); t.Input.Property(n) == nil {
			return fmt.Errorf("%s.invoke() got an unexpected keyword argument '%s'", className(t.Name), n)
		}
	}
	var missing []string
	for _, n := range t.Input.Required {
		if _, ok := args.Member(n); !ok {
			missing = append(missing, "'"+n+"'")
		}
	}
	if n := len(missing); n > 0 {
		return fmt.Errorf("%s.invoke() missing %d required positional argument%s: %s",
			className(t.Name), n, plural(n), enumerate(missing))
	}
	for i := range args.Len() {
		n, v := args.NameAt(i), args.At(i)
		if v.Kind() == vehicle.Unknown && !t.Input.Requires(n) {
			continue
		}
		if want := t.Input.Property(n).Type; !fits(v, want) {
			return fmt.Errorf("argument '%s' must be %s, not %s", n, want, v.Kind())
		}
	}
	return nil
}

func fits(v vehicle.Value, typ string) bool {
	switch typ {
	case "number", "integer":
		return v.Kind() == vehicle.Number
	case "string":
		return v.Kind() == vehicle.String
	case "boolean":
		return v.Kind() == vehicle.Bool
	case "array":
		return v.Kind() == vehicle.List
	case "object":
		return v.Kind() == vehicle.Object
	}
	return true
}

// enumerate joins as Python does: a, b, and c.
func enumerate(l []string) string {
	switch len(l) {
	case 1:
		return l[0]
	case 2:
		return l[0] + " and " + l[1]
	}
	return strings.Join(l[:len(l)-1], ", ") + ", and " + l[len(l)-1]
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// className is set_fan_speed as SetFanSpeed.
func className(tool string) string {
	if tool == "calculate_datetime" {
		return "CalculateDateTime"
	}
	var b strings.Builder
	up := true
	for _, r := range tool {
		switch {
		case r == '_':
			up = true
		case up:
			b.WriteRune(unicode.ToUpper(r))
			up = false
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
