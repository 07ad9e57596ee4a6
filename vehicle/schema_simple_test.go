// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"testing"

	"pgregory.net/rapid"
)

// TestSimpleSchemasCompile: what simple lets through without compiling it
// does compile, so that no schema fails only once it is used.
func TestSimpleSchemasCompile(t *testing.T) {
	scalar := []Value{{}, BoolOf(true), NumberOf(-1), NumberOf(0), NumberOf(2.5), NumberOf(3), TextOf(""), TextOf("string"),
		TextOf("object"), ListOf(), ListOf(TextOf("a")), ListOf(TextOf("number"), TextOf("null")), ListOf(TextOf("a"), TextOf("a")), ObjectOf()}
	names := []string{"type", "enum", "const", "default", "examples", "title", "description", "minimum", "maximum", "multipleOf",
		"minLength", "maxLength", "minItems", "maxItems", "required", "items", "additionalProperties", "properties", "pattern", "$ref", "x"}
	var draw func(t *rapid.T, depth int) Value
	draw = func(t *rapid.T, depth int) Value {
		out := ObjectOf()
		for range rapid.IntRange(0, 4).Draw(t, "keywords") {
			name := rapid.SampledFrom(names).Draw(t, "keyword")
			v := rapid.SampledFrom(scalar).Draw(t, "value")
			switch {
			case depth < 3 && (name == "items" || name == "additionalProperties") && rapid.Bool().Draw(t, "nested"):
				v = draw(t, depth+1)
			case depth < 3 && name == "properties":
				v = ObjectOf(Field{"p", draw(t, depth+1)})
			}
			out = out.With(name, v)
		}
		return out
	}
	let := 0
	rapid.Check(t, func(t *rapid.T) {
		doc := draw(t, 0)
		if !simple(doc, 0) {
			return
		}
		let++
		if _, err := compileSchema(doc); err != nil {
			t.Fatalf("%v: %v", doc, err)
		}
	})
	if let == 0 {
		t.Error("no schema was simple")
	}
}
