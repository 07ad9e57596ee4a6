// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"fmt"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// Setting is one signal with a value.
type Setting struct {
	Signal *vehicle.Signal
	Value  vehicle.Value
}

// ParseState reads k=v,k=v,…: signals of the profile with values that they
// can have. Commas inside brackets and quotes do not separate. Every problem
// is reported, and nothing is returned then.
func ParseState(p *vehicle.Profile, text string) ([]Setting, error) {
	var out []Setting
	var errs []error
	seen := map[string]bool{}
	for _, part := range splitState(text) {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		name, raw, ok := strings.Cut(part, "=")
		name = strings.TrimSpace(name)
		s := p.Signal(name)
		switch {
		case !ok:
			errs = append(errs, fmt.Errorf("state %q: want signal=value", part))
			continue
		case s == nil:
			errs = append(errs, fmt.Errorf("state: %s has no signal %q%s", p.Name, name, nearestSignal(p, name)))
			continue
		case seen[name]:
			errs = append(errs, fmt.Errorf("state: %s is given twice", name))
			continue
		}
		seen[name] = true
		v, err := ParseValue(s, strings.TrimSpace(raw))
		if err != nil {
			errs = append(errs, fmt.Errorf("state: %w", err))
			continue
		}
		out = append(out, Setting{s, v})
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return out, nil
}

func splitState(text string) []string {
	var parts []string
	depth, start := 0, 0
	quoted := false
	for i := range len(text) {
		switch c := text[i]; {
		case quoted:
			quoted = c != '"' || text[i-1] == '\\'
		case c == '"':
			quoted = true
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == ',' && depth <= 0:
			parts = append(parts, text[start:i])
			start = i + 1
		}
	}
	return append(parts, text[start:])
}

// ParseValue reads a value of the signal: a number with or without the
// signal's unit, true or false (on, off, yes, no), a member of an enumeration
// in any case, a text bare or quoted, a list as JSON. The word unknown is a
// value that nobody knows.
func ParseValue(s *vehicle.Signal, text string) (vehicle.Value, error) {
	bare := strings.TrimSpace(text)
	if strings.EqualFold(bare, "unknown") {
		return vehicle.Value{}, nil
	}
	v := vehicle.TextOf(bare)
	switch s.Type {
	case vehicle.TypeNumber, vehicle.TypeInteger:
		unit := strings.TrimSpace(s.Unit.Suffix())
		num := strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(bare, unit), string(s.Unit)))
		if n, err := vehicle.ParseJSON([]byte(num)); err == nil {
			v = n
		}
	case vehicle.TypeBool:
		switch strings.ToLower(bare) {
		case "true", "on", "yes":
			v = vehicle.BoolOf(true)
		case "false", "off", "no":
			v = vehicle.BoolOf(false)
		}
	case vehicle.TypeEnum:
		for _, a := range s.Allowed {
			if strings.EqualFold(a, bare) {
				v = vehicle.TextOf(a)
			}
		}
	case vehicle.TypeText, vehicle.TypeList:
		if j, err := vehicle.ParseJSON([]byte(bare)); err == nil && (s.Type == vehicle.TypeList || j.Kind() == vehicle.String) {
			v = j
		}
	}
	if err := check(s, v); err != nil {
		return vehicle.Value{}, err
	}
	return v, nil
}

// nearestSignal proposes a signal for a name that is none.
func nearestSignal(p *vehicle.Profile, name string) string {
	best, at := len(name)/3+1, ""
	for _, s := range p.Signals {
		if d := distance(name, s.Name, best); d < best {
			best, at = d, s.Name
		}
	}
	if at == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", at)
}
