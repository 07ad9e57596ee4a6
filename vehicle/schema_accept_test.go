// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"testing"

	"pgregory.net/rapid"
)

// drawSchema is a schema of the keywords that simple knows.
func drawSchema(t *rapid.T, depth int) Value {
	names := rapid.SampledFrom([]string{"a", "b", "c"})
	out := ObjectOf()
	for range rapid.IntRange(0, 4).Draw(t, "keywords") {
		switch k := rapid.SampledFrom([]string{"type", "enum", "const", "minimum", "maximum", "multipleOf", "minLength", "maxLength",
			"minItems", "maxItems", "required", "items", "additionalProperties", "properties"}).Draw(t, "keyword"); k {
		case "type":
			out = out.With(k, TextOf(rapid.SampledFrom(jsonTypes).Draw(t, "type")))
			if rapid.Bool().Draw(t, "several") {
				out = out.With(k, ListOf(TextOf("integer"), TextOf("number")))
			}
		case "enum":
			out = out.With(k, ListOf(drawValue(t, 2), drawValue(t, 2)))
		case "const":
			out = out.With(k, drawValue(t, 2))
		case "multipleOf":
			out = out.With(k, NumberOf(rapid.SampledFrom([]float64{0.1, 0.5, 1, 2, 10}).Draw(t, "of")))
		case "required":
			out = out.With(k, ListOf(TextOf(names.Draw(t, "needed"))))
		case "items", "additionalProperties":
			out = out.With(k, BoolOf(rapid.Bool().Draw(t, "yes")))
			if depth < 2 {
				out = out.With(k, drawSchema(t, depth+1))
			}
		case "properties":
			if depth < 2 {
				out = out.With(k, ObjectOf(Field{"a", drawSchema(t, depth+1)}, Field{"b", BoolOf(true)}))
			}
		default:
			out = out.With(k, NumberOf(float64(rapid.IntRange(0, 3).Draw(t, "bound"))))
		}
	}
	return out
}

func drawValue(t *rapid.T, depth int) Value {
	switch rapid.IntRange(0, 6).Draw(t, "kind") {
	case 0:
		return BoolOf(rapid.Bool().Draw(t, "bool"))
	case 1, 2:
		return NumberOf(rapid.SampledFrom([]float64{-1, 0, 0.3, 1, 1.5, 2, 3, 1e300}).Draw(t, "number"))
	case 3:
		return TextOf(rapid.SampledFrom([]string{"", "a", "ä", "abcd", "true"}).Draw(t, "text"))
	case 4:
		return Value{}
	case 5:
		if depth < 3 {
			return ListOf(drawValue(t, depth+1), drawValue(t, depth+1))
		}
	case 6:
		if depth < 3 {
			return ObjectOf(Field{"a", drawValue(t, depth+1)}, Field{rapid.SampledFrom([]string{"b", "c"}).Draw(t, "name"), drawValue(t, depth+1)})
		}
	}
	return ListOf()
}

// TestQuickAcceptanceIsRight: what is accepted without the library, the
// library accepts.
func TestQuickAcceptanceIsRight(t *testing.T) {
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		doc := drawSchema(t, 0)
		if !simple(doc, 0) {
			return
		}
		s, err := ParseSchema(doc)
		if err != nil {
			t.Fatal(err)
		}
		v := drawValue(t, 0)
		if !s.quick.accepts(v) {
			return
		}
		accepted++
		s.quick = nil
		if bad := s.Validate(v); len(bad) > 0 {
			t.Fatalf("%v was accepted by %v: %v", v, doc, bad)
		}
	})
	if accepted == 0 {
		t.Error("nothing was accepted")
	}
}

// The schemas of ordinary tools need no library for valid arguments.
func TestQuickAcceptanceServes(t *testing.T) {
	s, err := ParseSchema(MustJSON(`{"type":"object","properties":{"window":{"type":"string","enum":["ALL","DRIVER"]},
		"percentage":{"type":"number","minimum":0,"maximum":100,"multipleOf":10},"on":{"type":"boolean"},"ids":{"type":"array","items":{"type":"string"}}},
		"required":["window"],"additionalProperties":false}`))
	if err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]bool{
		`{"window":"ALL","percentage":50,"on":true,"ids":["a"]}`: true,
		`{"window":"DRIVER"}`:                     true,
		`{"window":"driver"}`:                     false,
		`{"percentage":50}`:                       false,
		`{"window":"ALL","percentage":55}`:        false,
		`{"window":"ALL","percentage":110}`:       false,
		`{"window":"ALL","ids":[1]}`:              false,
		`{"window":"ALL","door":1}`:               false,
		`{"window":"ALL","percentage":"50"}`:      false,
		`{"window":"ALL","percentage":null}`:      false,
		`{"window":"ALL","percentage":1e400}`:     false,
		`{"window":["ALL"]}`:                      false,
		`{"window":"ALL","percentage":50.5}`:      false,
		`{"window":"ALL","percentage":20,"on":1}`: false,
	} {
		v, err := ParseJSON([]byte(args))
		if err != nil {
			continue // no such number
		}
		if got := s.quick.accepts(v); got != want {
			t.Errorf("%s: accepted %v", args, got)
		}
		if got := len(s.Validate(v)) == 0; got != want {
			t.Errorf("%s: valid %v", args, got)
		}
	}
}
