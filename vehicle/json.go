// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// maxDepth bounds the nesting of a document; no tool of a car needs more.
const maxDepth = 64

// ParseJSON reads one JSON document. Member order is kept, integers beyond
// 2^53 keep their digits, lone surrogates become U+FFFD. It refuses duplicate
// names, numbers that float64 cannot hold, nesting deeper than 64 and
// anything after the document.
func ParseJSON(data []byte) (Value, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	v, err := decodeValue(dec, 0)
	if err != nil {
		return Value{}, fmt.Errorf("parse json at byte %d: %w", dec.InputOffset(), err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return Value{}, fmt.Errorf("parse json at byte %d: text after the document", dec.InputOffset())
	}
	return v, nil
}

// MustJSON is ParseJSON for documents written in code; it panics on an error.
func MustJSON(s string) Value {
	v, err := ParseJSON([]byte(s))
	if err != nil {
		panic(err)
	}
	return v
}

func decodeValue(dec *json.Decoder, depth int) (Value, error) {
	tok, err := dec.Token()
	if err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return Value{}, err
	}
	if depth > maxDepth {
		return Value{}, fmt.Errorf("nested deeper than %d", maxDepth)
	}
	switch t := tok.(type) {
	case nil:
		return Value{}, nil
	case bool:
		return BoolOf(t), nil
	case string:
		return TextOf(t), nil
	case json.Number:
		return parseNumber(t.String())
	case json.Delim:
		if t == '[' {
			return decodeList(dec, depth)
		}
		return decodeObject(dec, depth)
	}
	return Value{}, fmt.Errorf("unexpected token %v", tok)
}

func decodeList(dec *json.Decoder, depth int) (Value, error) {
	c := &compound{}
	for dec.More() {
		v, err := decodeValue(dec, depth+1)
		if err != nil {
			return Value{}, err
		}
		c.items = append(c.items, v)
	}
	_, err := dec.Token()
	return Value{kind: List, comp: c}, err
}

func decodeObject(dec *json.Decoder, depth int) (Value, error) {
	c := &compound{}
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return Value{}, err
		}
		name := tok.(string)
		if slices.Contains(c.names, name) {
			return Value{}, fmt.Errorf("member %q occurs twice", name)
		}
		v, err := decodeValue(dec, depth+1)
		if err != nil {
			return Value{}, err
		}
		c.names, c.items = append(c.names, name), append(c.items, v)
	}
	_, err := dec.Token()
	return Value{kind: Object, comp: c}, err
}

var errRange = errors.New("number out of range")

func parseNumber(lit string) (Value, error) {
	// A huge exponent costs a schema validator seconds; nothing real has one.
	if i := strings.IndexAny(lit, "eE"); i >= 0 && len(strings.TrimLeft(lit[i+1:], "+-0")) > 3 {
		return Value{}, fmt.Errorf("%w: %.20s", errRange, lit)
	}
	f, err := strconv.ParseFloat(lit, 64)
	if err != nil || math.IsInf(f, 0) {
		return Value{}, fmt.Errorf("%w: %.20s", errRange, lit)
	}
	v := Value{kind: Number, num: f}
	if math.Abs(f) >= 1<<53 && !strings.ContainsAny(lit, ".eE") {
		v.str = lit
	}
	return v, nil
}

// AppendJSON appends the value as compact JSON, members in their own order.
func (v Value) AppendJSON(b []byte) []byte { return v.appendJSON(b, false) }

// Canonical returns the value as compact JSON with sorted member names and
// numbers in their shortest form: equal values have equal canonical texts.
func (v Value) Canonical() string { return string(v.appendJSON(nil, true)) }

func (v Value) appendJSON(b []byte, sorted bool) []byte {
	switch v.kind {
	case Bool:
		return strconv.AppendBool(b, v.num != 0)
	case Number:
		return append(b, v.literal()...)
	case String:
		return appendString(b, v.str)
	case List:
		b = append(b, '[')
		for i, it := range v.comp.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = it.appendJSON(b, sorted)
		}
		return append(b, ']')
	case Object:
		order := make([]int, len(v.comp.names))
		for i := range order {
			order[i] = i
		}
		if sorted {
			slices.SortFunc(order, func(x, y int) int { return strings.Compare(v.comp.names[x], v.comp.names[y]) })
		}
		b = append(b, '{')
		for n, i := range order {
			if n > 0 {
				b = append(b, ',')
			}
			b = appendString(b, v.comp.names[i])
			b = append(b, ':')
			b = v.comp.items[i].appendJSON(b, sorted)
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

// plain reports whether a string needs no escape.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x80 {
			return false
		}
	}
	return true
}

func appendString(b []byte, s string) []byte {
	if plain(s) {
		return append(append(append(b, '"'), s...), '"')
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return append(b, `""`...)
	}
	return append(b, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...)
}

// MarshalJSON writes the value as JSON; unknown is null.
func (v Value) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil), nil }

// UnmarshalJSON reads the value with [ParseJSON].
func (v *Value) UnmarshalJSON(data []byte) error {
	p, err := ParseJSON(data)
	if err != nil {
		return err
	}
	*v = p
	return nil
}

// Any returns the value as the types of encoding/json with UseNumber, for
// libraries that want them.
func (v Value) Any() any {
	switch v.kind {
	case Bool:
		return v.num != 0
	case Number:
		return json.Number(v.literal())
	case String:
		return v.str
	case List:
		l := make([]any, v.Len())
		for i := range l {
			l[i] = v.At(i).Any()
		}
		return l
	case Object:
		m := make(map[string]any, v.Len())
		for i, n := range v.comp.names {
			m[n] = v.At(i).Any()
		}
		return m
	}
	return nil
}
