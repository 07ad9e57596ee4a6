// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"regexp"
	"slices"
	"strings"
)

// input reads the arguments: short, as a map of arguments to their JSON
// Schema keywords, or whole under schema. In the short form every argument is
// required unless it is optional or has a default, and there are no others.
func (l *loader) input(f *fields) *Schema {
	whole, short := f.get("schema"), f.get("input")
	switch {
	case whole != nil && short != nil:
		l.problemf(f.pos("schema"), "keep one of the two", "%s: has input and schema", f.what)
	case whole != nil:
		return l.schemaKey(f, "schema")
	}
	before := len(l.problems)
	doc := ObjectOf(Field{"type", TextOf("object")})
	var props, required []Value
	var names []string
	for _, m := range l.membersOf(f, short, "input") {
		prop, optional := l.property(f, m)
		names, props = append(names, m.Name), append(props, prop)
		if !optional {
			required = append(required, TextOf(m.Name))
		}
	}
	fields := make([]Field, len(names))
	for i, name := range names {
		fields[i] = Field{name, props[i]}
	}
	doc = doc.With("properties", ObjectOf(fields...))
	if len(required) > 0 {
		doc = doc.With("required", ListOf(required...))
	}
	return l.compile(f, f.pos("input"), "input", doc.With("additionalProperties", BoolOf(false)), before)
}

func (l *loader) membersOf(f *fields, n *Node, key string) []Member {
	if n == nil || n.Kind == Unknown {
		return nil
	}
	return l.fields(n, f.what+": "+key).n.Members
}

// property reads one argument of the short form.
func (l *loader) property(f *fields, m Member) (prop Value, optional bool) {
	what := f.what + ": argument " + m.Name
	n := m.Value
	if n.Kind != Object {
		l.problemf(n.Pos, "{type: number, minimum: 0, maximum: 100}", "%s: want JSON Schema keywords, have %s", what, describe(n))
		return ObjectOf(), false
	}
	l.checkKeywords(n, what, true)
	prop = n.Value()
	if o, ok := prop.Member("optional"); ok {
		b, isBool := o.Truth()
		if !isBool {
			l.problemf(n.Member("optional").Pos, "", "%s: optional: want true or false, have %s", what, describe(n.Member("optional")))
		}
		prop, optional = prop.Without("optional"), b
	}
	if _, ok := prop.Member("default"); ok {
		optional = true
	}
	if _, ok := prop.Member("type"); !ok {
		if t := typeOfEnum(prop); t != "" {
			prop = ObjectOf(Field{"type", TextOf(t)}).join(prop)
		} else {
			l.problemf(n.Pos, "type: number, integer, string, boolean, array or object", "%s: has no type", what)
		}
	}
	return prop, optional
}

// join returns the object with the members of o added.
func (v Value) join(o Value) Value {
	for i := range o.Len() {
		v = v.With(o.NameAt(i), o.At(i))
	}
	return v
}

// typeOfEnum is the JSON type of the members of an enum, if they have one.
func typeOfEnum(prop Value) string {
	e, ok := prop.Member("enum")
	if !ok || e.Len() == 0 {
		return ""
	}
	kind := e.At(0).Kind()
	for _, v := range e.Items() {
		if v.Kind() != kind {
			return ""
		}
	}
	switch kind {
	case String:
		return "string"
	case Number:
		return "number"
	}
	return ""
}

// keywords are those of JSON Schema 2020-12; a misspelt one would be ignored
// by every validator.
var keywords = strings.Fields(`type enum const description title default examples deprecated readOnly writeOnly
	minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format
	items prefixItems contains minContains maxContains minItems maxItems uniqueItems
	properties required additionalProperties patternProperties propertyNames minProperties maxProperties
	dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties
	allOf anyOf oneOf not if then else $ref $defs $comment $schema $id $anchor $vocabulary $dynamicRef $dynamicAnchor
	contentEncoding contentMediaType contentSchema`)

// schemaMaps have named schemas below them, not keywords.
var schemaMaps = []string{"properties", "patternProperties", "$defs", "dependentSchemas"}

// schemaLists have lists of schemas below them.
var schemaLists = []string{"allOf", "anyOf", "oneOf", "prefixItems"}

// data are keywords whose content is no schema.
var schemaData = []string{"enum", "const", "default", "examples", "required", "type", "dependentRequired", "$vocabulary"}

// checkKeywords reports keywords that JSON Schema does not have.
func (l *loader) checkKeywords(n *Node, what string, short bool) {
	for _, m := range n.Members {
		if !slices.Contains(keywords, m.Name) && (!short || m.Name != "optional") {
			l.problemf(m.Pos, suggest(m.Name, keywords), "%s: %s is no keyword of JSON Schema", what, m.Name)
			continue
		}
		l.checkKeyword(m, what)
		switch {
		case slices.Contains(schemaData, m.Name):
		case slices.Contains(schemaMaps, m.Name):
			for _, p := range m.Value.Members {
				if p.Value.Kind != Object && p.Value.Kind != Bool {
					l.problemf(p.Pos, "a keyword beside properties, not below them?", "%s: property %s is no schema", what, p.Name)
					continue
				}
				l.checkKeywords(p.Value, what, false)
			}
		case slices.Contains(schemaLists, m.Name):
			for _, it := range m.Value.Items {
				l.checkKeywords(it, what, false)
			}
		default:
			l.checkKeywords(m.Value, what, false)
		}
	}
}

// checkKeyword reports a keyword whose value is of the wrong kind.
func (l *loader) checkKeyword(m Member, what string) {
	v, bad, hint := m.Value.Value(), false, ""
	switch m.Name {
	case "type":
		bad, hint = !simpleType(v), "one of "+strings.Join(jsonTypes, ", ")
	case "pattern":
		s, ok := v.Text()
		_, err := regexp.Compile(s)
		bad, hint = !ok || err != nil, "a regular expression in the syntax of RE2"
	case "enum", "title", "description", "minimum", "maximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems", "required":
		bad, hint = !simpleKeyword(m.Name, v, 0), "see json-schema.org"
	}
	if bad {
		l.problemf(m.Value.Pos, hint, "%s: %s cannot be %s", what, m.Name, describe(m.Value))
	}
}

// schemaKey reads a whole JSON Schema.
func (l *loader) schemaKey(f *fields, key string) *Schema {
	n := f.get(key)
	if n == nil {
		return nil
	}
	what, before := f.what+": "+key, len(l.problems)
	if n.Kind != Object {
		l.problemf(n.Pos, "{type: object, properties: {…}}", "%s: want a JSON Schema, have %s", what, describe(n))
		return nil
	}
	l.checkKeywords(n, what, false)
	return l.compile(f, n.Pos, key, n.Value(), before)
}

// compile makes the schema. What is wrong with it is only said when nothing
// has been said since before, with a better place.
func (l *loader) compile(f *fields, p Pos, key string, doc Value, before int) *Schema {
	s, err := ParseSchema(doc)
	if err != nil {
		if len(l.problems) == before {
			l.problemf(p, "see json-schema.org, draft 2020-12", "%s: %s: %s", f.what, key, oneLine(err))
		}
		return viewSchema(doc, 0)
	}
	if s.Type != "object" {
		l.problemf(p, "type: object", "%s: %s: arguments and results are objects", f.what, key)
	}
	return s
}

// oneLine puts a message of several lines into one.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// outputOf is the schema of a result that is assembled from signals.
func (l *loader) outputOf(t *Tool) *Schema {
	doc := ObjectOf(Field{"type", TextOf("object")})
	for _, r := range t.Returns {
		doc = place(doc, r.Path, signalSchema(l.p.Signals[r.Signal], &r))
	}
	for _, x := range t.Fixed {
		s := ObjectOf()
		switch {
		case x.Arg == nil:
			s = s.With("const", x.Value)
		case t.Input.At(x.Arg) != nil:
			s = t.Input.At(x.Arg).Raw
		}
		doc = place(doc, x.Path, s)
	}
	s, err := ParseSchema(doc)
	if err != nil {
		return nil // the parts have been checked; this cannot be
	}
	return s
}

// place puts a schema where the path leads below an object schema.
func place(doc Value, p Path, s Value) Value {
	if len(p) == 0 {
		return s
	}
	props, _ := doc.Member("properties")
	inner, ok := props.Member(p[0].Name)
	if !ok {
		inner = ObjectOf()
		if len(p) > 1 {
			inner = ObjectOf(Field{"type", TextOf("object")})
		}
		req, _ := doc.Member("required")
		doc = doc.With("required", ListOf(append(slices.Clip(req.Items()), TextOf(p[0].Name))...))
	}
	if props.Kind() != Object {
		props = ObjectOf()
	}
	return doc.With("properties", props.With(p[0].Name, place(inner, p[1:], s)))
}

// signalSchema says what a result carries for a signal: its value, or null
// while it is unknown.
func signalSchema(s *Signal, r *Return) Value {
	typ := map[SignalType]string{TypeNumber: "number", TypeInteger: "integer", TypeBool: "boolean",
		TypeEnum: "string", TypeText: "string", TypeList: "array"}[s.Type]
	if r.Text != nil {
		typ = "string"
	} else if typ == "integer" && r.Unit != s.Unit {
		typ = "number"
	}
	doc := ObjectOf(Field{"type", ListOf(TextOf(typ), TextOf("null"))})
	if s.Description != "" {
		doc = doc.With("description", TextOf(s.Description))
	}
	if s.Type == TypeEnum {
		var all []Value
		for _, a := range s.Allowed {
			all = append(all, TextOf(a))
		}
		doc = doc.With("enum", ListOf(append(all, Value{})...))
	}
	return doc
}
