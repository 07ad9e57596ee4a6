// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// The schemas bind what a server can bind: keys, and names where there is a
// list of them. They are wider than the language; Load is the judge.

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
	left := leftMembers(cat, args)
	test := object(left...)
	for _, op := range rules.Comparisons() {
		if op == "each" || op == "some" {
			continue
		}
		test = withMember(test, op, values)
	}
	test = withMember(test, "unit", oneOf(vehicle.Units()))
	leaf := test
	test = withMember(test, "any", listOf(leaf))
	tests := listOf(test)
	call := object(field("call", tools), field("args", args), field("place", oneOf([]string{"before", "with"})))
	on := object(field("call", tools), field("when", tests), field("by", oneOf([]string{"driver", "any"})),
		field("result", tools), field("reply", oneOf([]string{"any", "claim", "refusal", "question"})))
	paths := listOf(textSchema())
	rule := []vehicle.Field{field("on", listOf(on)), field("if", tests), field("unless", tests)}
	effect := map[rules.Type][]vehicle.Field{
		rules.AutoAction:   {field("owe", listOf(call)), field("default", boolSchema())},
		rules.Precondition: {field("need", tests), field("owe", listOf(call))},
		rules.Confirmation: {field("ask", object(field("naming", anyValue()), field("warn", paths)))},
		rules.Prohibition:  {field("forbid", object(field("instead", listOf(tools))))},
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

func leftMembers(cat *vehicle.Catalog, args vehicle.Value) []vehicle.Field {
	inner := anyValue()
	return []vehicle.Field{field("field", oneOf(rules.Patterns(cat.Profile))), field("at", oneOf([]string{"seen", "before", "after"})), field("arg", textSchema()),
		field("result", textSchema()), field("of", oneOf(toolNames(cat))), field("with", args), field("context", oneOf(rules.ContextNames())),
		field("called", oneOf(toolNames(cat))), field("count", inner), field("diff", listOf(inner))}
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
