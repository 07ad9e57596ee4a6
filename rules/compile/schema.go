// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// The schemas bind what a server can bind: keys, and the names of tools that a
// rule waits for or demands. Other names are listed in the instructions once:
// repeated in every test they would be most of what a small model can read. The
// schemas are wider than the language; Load is the judge.

func splitSchema(cat *vehicle.Catalog, sentences int) vehicle.Value {
	demand := object(
		field("sentence", vehicle.ObjectOf(field("type", vehicle.TextOf("integer")), field("minimum", vehicle.NumberOf(1)),
			field("maximum", vehicle.NumberOf(float64(sentences))))),
		field("type", oneOf(append(typeNames(), noRule))),
		field("says", textSchema()), field("tools", listOf(oneOf(toolNames(cat)))), field("why", textSchema()))
	demand = demand.With("required", texts([]string{"sentence", "type", "says"}))
	return object(field("demands", listOf(demand))).With("required", texts([]string{"demands"}))
}

// ruleSchema is the schema of a rule of the type.
func ruleSchema(cat *vehicle.Catalog, set *rules.Set, t rules.Type) vehicle.Value {
	tools, values := oneOf(toolNames(cat)), anyValue()
	args := vehicle.ObjectOf(field("type", vehicle.TextOf("object")))
	left := leftMembers(args)
	test := object(left...)
	for _, op := range rules.Comparisons() {
		if op == "each" || op == "some" {
			continue
		}
		test = withMember(test, op, values)
	}
	leaf := withMember(test, "unit", textSchema())
	tests, plain := listOf(withMember(leaf, "any", listOf(leaf))), listOf(leaf)
	call := object(field("call", tools), field("args", args), field("place", oneOf([]string{"before", "with"})))
	on := object(field("call", tools), field("when", plain), field("by", oneOf([]string{"driver", "any"})),
		field("result", tools), field("reply", oneOf([]string{"any", "claim", "refusal", "question"})))
	paths := listOf(textSchema())
	rule := []vehicle.Field{field("on", listOf(on)), field("if", tests), field("unless", plain)}
	effect := map[rules.Type][]vehicle.Field{
		rules.AutoAction:   {field("owe", listOf(call)), field("default", boolSchema())},
		rules.Precondition: {field("need", tests), field("owe", listOf(call))},
		rules.Confirmation: {field("ask", object(field("naming", anyValue()), field("warn", paths)))},
		rules.Prohibition:  {field("forbid", object(field("instead", paths)))},
		rules.Constraint:   {field("must", tests), field("at_most", vehicle.ObjectOf(field("type", vehicle.TextOf("integer"))))},
		rules.Selection:    {field("choose", object(field("arg", textSchema()), field("peers", paths), field("where", listOf(withMember(leaf, "candidate", textSchema())))))},
		rules.Disclosure: {field("tell", listOf(object(field("word", textSchema()), field("value", object(left...))))),
			field("withhold", listOf(object(left...))), field("by", oneOf([]string{"reply", "commit"}))},
	}
	var say []vehicle.Field
	for _, lang := range set.Manifest.Languages {
		say = append(say, field(lang, textSchema()))
	}
	rule = append(append(rule, effect[t]...), field("unknown", oneOf([]string{"ask", "refuse", "allow"})), field("say", object(say...)))
	word := object(field("name", textSchema()), field("language", oneOf(set.Manifest.Languages)), field("phrases", paths))
	return object(field("rule", object(rule...).With("required", texts([]string{"on"}))), field("words", listOf(word)), field("cannot", textSchema()))
}

func leftMembers(args vehicle.Value) []vehicle.Field {
	text := textSchema()
	inner := vehicle.ObjectOf(field("type", vehicle.TextOf("object")))
	return []vehicle.Field{field("field", text), field("at", text), field("arg", text), field("result", text), field("of", text), field("with", args),
		field("context", text), field("called", text), field("count", inner), field("diff", listOf(inner))}
}

func field(name string, v vehicle.Value) vehicle.Field { return vehicle.Field{Name: name, Value: v} }

// object is the schema of an object with some of these members and no other.
func object(members ...vehicle.Field) vehicle.Value {
	return vehicle.ObjectOf(field("type", vehicle.TextOf("object")), field("properties", vehicle.ObjectOf(members...)),
		field("additionalProperties", vehicle.BoolOf(false)))
}

func withMember(schema vehicle.Value, name string, v vehicle.Value) vehicle.Value {
	props, _ := schema.Member("properties")
	return schema.With("properties", props.With(name, v))
}

func listOf(items vehicle.Value) vehicle.Value {
	return vehicle.ObjectOf(field("type", vehicle.TextOf("array")), field("items", items))
}

func oneOf(names []string) vehicle.Value {
	return vehicle.ObjectOf(field("type", vehicle.TextOf("string")), field("enum", texts(names)))
}

func texts(names []string) vehicle.Value {
	l := make([]vehicle.Value, len(names))
	for i, n := range names {
		l[i] = vehicle.TextOf(n)
	}
	return vehicle.ListOf(l...)
}

func textSchema() vehicle.Value { return vehicle.ObjectOf(field("type", vehicle.TextOf("string"))) }
func boolSchema() vehicle.Value { return vehicle.ObjectOf(field("type", vehicle.TextOf("boolean"))) }

// anyValue names all kinds: servers read a schema without a type as an object.
func anyValue() vehicle.Value {
	return vehicle.ObjectOf(field("type", texts([]string{"string", "number", "boolean", "array", "object"})))
}
