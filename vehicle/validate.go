// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// validator compiles a schema once, when it is first needed.
type validator = func() (*jsonschema.Schema, error)

// Violation is one way in which a value breaks its schema.
type Violation struct {
	Path    Path
	Keyword string // the JSON Schema keyword that is broken: enum, required, …
	Text    string // what is wrong, for people
	Missing []string
	Extra   []string
}

// ParseSchema reads a JSON Schema (draft 2020-12). Remote references are
// refused.
func ParseSchema(doc Value) (*Schema, error) {
	s := viewSchema(doc, 0)
	s.validate = sync.OnceValues(func() (*jsonschema.Schema, error) { return compileSchema(doc) })
	if simple(doc, 0) {
		s.quick = newAcceptor(doc)
		return s, nil
	}
	if _, err := s.validate(); err != nil {
		return nil, err
	}
	return s, nil
}

func compileSchema(doc Value) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	if err := c.AddResource("mem:///schema", doc.Any()); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	compiled, err := c.Compile("mem:///schema")
	if err != nil {
		return nil, fmt.Errorf("compile schema: %w", err)
	}
	return compiled, nil
}

type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s: references to other documents are not followed", url)
}

// Validate returns every way in which v breaks the schema, outermost first and
// always in the same order.
func (s *Schema) Validate(v Value) (out []Violation) {
	if s == nil || s.validate == nil {
		return nil
	}
	if s.quick.accepts(v) {
		return nil
	}
	// The library panics on some numbers (refs: nil *big.Rat); ParseJSON
	// bounds exponents, this guards what it does not see.
	defer func() {
		if r := recover(); r != nil {
			out = []Violation{{Keyword: "number", Text: fmt.Sprintf("cannot be checked: %v", r)}}
		}
	}()
	compiled, err := s.validate()
	if err == nil {
		err = compiled.Validate(v.Any())
	}
	if err == nil {
		return nil
	}
	var ve *jsonschema.ValidationError
	if !errors.As(err, &ve) {
		return []Violation{{Keyword: "schema", Text: err.Error()}}
	}
	out = flatten(ve, nil)
	for i := range out { // the library follows the order of maps
		slices.Sort(out[i].Extra)
	}
	slices.SortStableFunc(out, func(a, b Violation) int { return strings.Compare(a.Path.String(), b.Path.String()) })
	return out
}

var printer = message.NewPrinter(language.English)

func flatten(e *jsonschema.ValidationError, out []Violation) []Violation {
	if len(e.Causes) > 0 {
		for _, c := range e.Causes {
			out = flatten(c, out)
		}
		return out
	}
	v := Violation{Path: locate(e.InstanceLocation), Text: e.ErrorKind.LocalizedString(printer)}
	if kp := e.ErrorKind.KeywordPath(); len(kp) > 0 {
		v.Keyword = kp[len(kp)-1]
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		v.Keyword, v.Missing = "required", k.Missing
	case *kind.AdditionalProperties:
		v.Keyword, v.Extra = "additionalProperties", k.Properties
	}
	return append(out, v)
}

func locate(loc []string) Path {
	var p Path
	for _, l := range loc {
		if i, err := parseIndex(l); err == nil {
			p = append(p, Step{Index: i})
		} else {
			p = append(p, Step{Name: l})
		}
	}
	return p
}

func parseIndex(s string) (int, error) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, errors.New("no index")
	}
	var n int
	err := json.NewDecoder(bytes.NewReader([]byte(s))).Decode(&n)
	return n, err
}

// onlyType is the one type in a list of types beside null; else empty.
func onlyType(types Value) string {
	only := ""
	for _, it := range types.Items() {
		switch t := it.String(); {
		case t == "null":
		case only != "":
			return ""
		default:
			only = t
		}
	}
	return only
}

// viewSchema reads the keywords that [Schema] shows.
func viewSchema(doc Value, depth int) *Schema {
	s := &Schema{Raw: doc}
	text := func(name string) string { m, _ := doc.Member(name); t, _ := m.Text(); return t }
	num := func(name string) *float64 {
		m, _ := doc.Member(name)
		if f, ok := m.Float(); ok {
			return &f
		}
		return nil
	}
	s.Type, s.Description, s.Format = text("type"), text("description"), text("format")
	if t, ok := doc.Member("type"); ok && t.Kind() == List {
		s.Type = onlyType(t)
	}
	if e, ok := doc.Member("enum"); ok {
		s.Enum = slices.DeleteFunc(slices.Clone(e.Items()), func(v Value) bool { return v.Kind() == Unknown })
	}
	s.Const, _ = doc.Member("const")
	s.Default, _ = doc.Member("default")
	s.Min, s.Max = num("minimum"), num("maximum")
	if m := num("multipleOf"); m != nil {
		s.MultipleOf = *m
	}
	if r, ok := doc.Member("required"); ok {
		for _, n := range r.Items() {
			s.Required = append(s.Required, n.String())
		}
	}
	if a, ok := doc.Member("additionalProperties"); ok {
		b, isBool := a.Truth()
		s.Closed = isBool && !b
	}
	if depth > maxDepth {
		return s
	}
	if ps, ok := doc.Member("properties"); ok && ps.Kind() == Object {
		for i := range ps.Len() {
			if ps.At(i).Kind() != Object {
				continue // misplaced keywords are no properties
			}
			s.Properties = append(s.Properties, Property{ps.NameAt(i), viewSchema(ps.At(i), depth+1)})
		}
	}
	if it, ok := doc.Member("items"); ok && it.Kind() == Object {
		s.Items = viewSchema(it, depth+1)
	}
	return s
}
