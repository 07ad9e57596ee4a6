// SPDX-License-Identifier: Apache-2.0

package reply

import (
	"regexp"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// inText reads the calls of machine text: JSON documents one after another,
// or calls as a program writes them.
func (k known) inText(body string) []vehicle.Call {
	var out []vehicle.Call
	for rest := body; ; {
		i := strings.IndexAny(rest, "{[")
		if i < 0 {
			break
		}
		rest = rest[i:]
		n := documentEnd(rest)
		if n < 0 {
			break
		}
		out = append(out, k.inDocument([]byte(rest[:n]), 0)...)
		rest = rest[n:]
	}
	if len(out) > 0 {
		return out
	}
	for _, m := range sources.FindAllStringSubmatchIndex(body, MaxCalls+1) {
		name, inner := toolOf(body[m[2]:m[3]]), body[m[1]:]
		if !k(name) {
			continue
		}
		c := vehicle.Call{Tool: name}
		n := closing(inner, ')')
		if n >= 0 {
			inner = inner[:n]
		}
		if args, ok := keywords(inner); ok {
			c.Args = args
		} else {
			c.Args, c.Raw = Arguments([]byte(inner))
		}
		if out = append(out, c); n < 0 {
			break // all the rest is in it
		}
	}
	return out
}

// toolOf is the name of a tool in a program: without the object it belongs to.
func toolOf(name string) string { return Name(name[strings.LastIndexByte(name, '.')+1:]) }

var (
	sources = regexp.MustCompile(`([A-Za-z_][\w.]{0,100})\(`)
	source  = regexp.MustCompile(`^[\d.]*([A-Za-z_][\w.]{0,100})\(`)
	// separator is what stands between calls in one line.
	separator = regexp.MustCompile(`^[ \t]*[,;.]?[ \t]*`)
)

// words speaks up to position i, where a parenthesis opens, unless that is
// the call of a tool as a program writes it. Such a call counts when it has
// its line for itself; in a sentence it is only talked about ("I will not do
// set_fan(on=True)") and is left out.
func (s *splitter) words(i int) {
	if i < 0 {
		s.speak(len(s.rest))
		return
	}
	start := i
	for start > 0 && isWord(s.rest[start-1]) {
		start--
	}
	m := source.FindStringSubmatch(s.rest[start:])
	if m == nil || !s.known(toolOf(m[1])) {
		s.speak(i + 1)
		return
	}
	s.speak(start)
	inner, end := s.rest[len(m[0]):], len(s.rest)
	if n := closing(inner, ')'); n >= 0 {
		inner, end = inner[:n], len(m[0])+n+1
	}
	text := s.rest[:end]
	s.take(end)
	s.take(len(separator.FindString(s.rest)))
	if !s.alone() {
		s.data(text)
		return
	}
	c := vehicle.Call{Tool: toolOf(m[1])}
	if args, ok := keywords(inner); ok {
		c.Args = args
	} else {
		c.Args, c.Raw = Arguments([]byte(inner))
	}
	s.parts.Calls = append(s.parts.Calls, c)
}

// alone reports whether what was just taken has its line for itself, or
// shares it with others of its kind or a heading with a colon.
func (s *splitter) alone() bool {
	if strings.IndexByte("\x00:-*", s.before) < 0 {
		return false
	}
	if s.rest == "" || s.rest[0] == '\n' || s.rest[0] == '\r' {
		return true
	}
	m := source.FindStringSubmatch(s.rest)
	return m != nil && s.known(toolOf(m[1]))
}

func isWord(c byte) bool {
	return c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// documentEnd returns the length of the JSON document that s begins with,
// going by brackets and quotes alone, or -1 when it does not end.
func documentEnd(s string) int {
	depth, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted:
			if c == '\\' {
				i++
			} else if c == '"' {
				quoted = false
			}
		case c == '"':
			quoted = true
		case c == '{', c == '[':
			depth++
		case c == '}', c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// closing returns where the bracket closes whose inside s begins with, or -1.
func closing(s string, with byte) int {
	depth := 0
	var quote byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"', c == '\'':
			quote = c
		case depth == 0 && c == with:
			return i
		case c == '(', c == '[', c == '{':
			depth++
		case c == ')', c == ']', c == '}':
			depth--
		}
	}
	return -1
}

var keyword = regexp.MustCompile(`^\s*([A-Za-z_]\w{0,100})\s*=\s*`)

// keywords reads the arguments of a call as a program writes them: on=True,
// window='ALL'. It reports false when they are not of that form.
func keywords(s string) (vehicle.Value, bool) {
	args := vehicle.ObjectOf()
	for strings.TrimSpace(s) != "" {
		m := keyword.FindStringSubmatch(s)
		if m == nil {
			return args, false
		}
		s = s[len(m[0]):]
		part := s
		if n := closing(s, ','); n >= 0 {
			part, s = s[:n], s[n+1:]
		} else {
			s = ""
		}
		v, ok := literal(strings.TrimSpace(part))
		if _, twice := args.Member(m[1]); twice || !ok {
			return args, false
		}
		args = args.With(m[1], v)
	}
	return args, true
}

// literal reads a value as JSON or as Python writes it.
func literal(s string) (vehicle.Value, bool) {
	switch s {
	case "True":
		return vehicle.BoolOf(true), true
	case "False":
		return vehicle.BoolOf(false), true
	case "None":
		return vehicle.Value{}, true
	}
	if n := len(s); n >= 2 && s[0] == '\'' && s[n-1] == '\'' && !strings.ContainsAny(s[1:n-1], `'\`) {
		return vehicle.TextOf(s[1 : n-1]), true
	}
	v, err := vehicle.ParseJSON([]byte(s))
	return v, err == nil
}
