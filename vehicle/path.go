// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"fmt"
	"strconv"
	"strings"
)

// Path names a place in a nested value: member names and list positions.
// `current_slot.condition`, `route_ids[0]`, `pois[*].name`.
type Path []Step

// Step is one step of a [Path].
type Step struct {
	Name  string // member name; "*" is any member
	Index int    // list position, used when Name is empty; Each is all
}

// Each as the Index of a step means every element.
const Each = -1

// ParsePath reads a path. The empty text is the empty path: the value itself.
func ParsePath(s string) (Path, error) {
	var p Path
	rest := s
	for rest != "" {
		switch {
		case rest[0] == '[':
			end := strings.IndexByte(rest, ']')
			if end < 0 {
				return nil, fmt.Errorf("path %q: missing ]", s)
			}
			if in := rest[1:end]; in == "*" {
				p = append(p, Step{Index: Each})
			} else if n, err := strconv.Atoi(in); err == nil && n >= 0 {
				p = append(p, Step{Index: n})
			} else {
				return nil, fmt.Errorf("path %q: %q is no list position", s, in)
			}
			rest = rest[end+1:]
			if rest != "" && rest[0] == '.' {
				rest = rest[1:]
			}
		default:
			end := strings.IndexAny(rest, ".[")
			name := rest
			if end >= 0 {
				name = rest[:end]
			}
			if name == "" {
				return nil, fmt.Errorf("path %q: empty name", s)
			}
			p = append(p, Step{Name: name})
			rest = rest[len(name):]
			if rest != "" && rest[0] == '.' {
				if rest = rest[1:]; rest == "" {
					return nil, fmt.Errorf("path %q ends with a dot", s)
				}
			}
		}
	}
	return p, nil
}

// MustPath is ParsePath for paths written in code; it panics on an error.
func MustPath(s string) Path {
	p, err := ParsePath(s)
	if err != nil {
		panic(err)
	}
	return p
}

func (p Path) String() string {
	var b strings.Builder
	for _, s := range p {
		switch {
		case s.Name != "":
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s.Name)
		case s.Index == Each:
			b.WriteString("[*]")
		default:
			fmt.Fprintf(&b, "[%d]", s.Index)
		}
	}
	return b.String()
}

// Get follows the path and returns what is there, and whether anything is.
// At a step that means every element or member it gathers into one list.
func (v Value) Get(p Path) (Value, bool) {
	for i, s := range p {
		if (s.Name == "*" && v.kind == Object) || (s.Name == "" && s.Index == Each && v.kind == List) {
			var all []Value
			for _, it := range v.comp.items {
				if m, ok := it.Get(p[i+1:]); ok {
					all = append(all, m)
				}
			}
			return ListOf(all...), true
		}
		var ok bool
		if v, ok = v.step(s); !ok {
			return Value{}, false
		}
	}
	return v, true
}

func (v Value) step(s Step) (Value, bool) {
	if s.Name != "" {
		return v.Member(s.Name)
	}
	if v.kind == List && s.Index >= 0 && s.Index < len(v.comp.items) {
		return v.comp.items[s.Index], true
	}
	return Value{}, false
}

// Walk calls f for every string, number and boolean inside v with the path it
// stands at. The path is only valid during the call.
func (v Value) Walk(f func(p Path, leaf Value)) { v.walk(nil, f) }

func (v Value) walk(p Path, f func(Path, Value)) {
	switch v.kind {
	case List:
		for i, it := range v.comp.items {
			it.walk(append(p, Step{Index: i}), f)
		}
	case Object:
		for i, it := range v.comp.items {
			it.walk(append(p, Step{Name: v.comp.names[i]}), f)
		}
	default:
		f(p, v)
	}
}
