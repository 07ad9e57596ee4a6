// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// The schemas bind what servers can bind: the keys of a rule, and the names of
// tools that it waits for or demands. A test is bound to be an object and no
// more: one with all left sides and comparisons as members that may be missing
// makes a grammar that stops the Ollama server dead, and with the names of all
// signals it would be most of what a small model can read. The schemas are
// wider than the language; Load is the judge.

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
	tools := oneOf(toolNames(cat))
	test := vehicle.ObjectOf(field("type", vehicle.TextOf("object")))
	tests := listOf(test)
	call := object(field("call", tools), field("args", test), field("place", oneOf([]string{"before", "with"})))
	on := object(field("call", tools), field("when", tests), field("by", oneOf([]string{"driver", "any"})),
		field("result", tools), field("reply", oneOf([]string{"any", "claim", "refusal", "question"})))
	paths := listOf(textSchema())
	rule := []vehicle.Field{field("on", listOf(on)), field("if", tests), field("unless", tests)}
	effect := map[rules.Type][]vehicle.Field{
		rules.AutoAction:   {field("owe", listOf(call)), field("default", boolSchema())},
		rules.Precondition: {field("need", tests), field("owe", listOf(call))},
		rules.Confirmation: {field("ask", object(field("naming", anyValue()), field("warn", paths)))},
		rules.Prohibition:  {field("forbid", object(field("instead", paths)))},
		rules.Constraint:   {field("must", tests), field("at_most", vehicle.ObjectOf(field("type", vehicle.TextOf("integer"))))},
		rules.Selection:    {field("choose", object(field("arg", textSchema()), field("peers", paths), field("where", tests)))},
		rules.Disclosure: {field("tell", listOf(object(field("word", textSchema()), field("value", test)))),
			field("withhold", tests), field("by", oneOf([]string{"reply", "commit"}))},
	}
	var say []vehicle.Field
	for _, lang := range set.Manifest.Languages {
		say = append(say, field(lang, textSchema()))
	}
	rule = append(append(rule, effect[t]...), field("unknown", oneOf([]string{"ask", "refuse", "allow"})), field("say", object(say...)))
	word := object(field("name", textSchema()), field("language", oneOf(set.Manifest.Languages)), field("phrases", paths))
	return object(field("rule", object(rule...).With("required", texts([]string{"on"}))), field("words", listOf(word)), field("cannot", textSchema()))
}

func field(name string, v vehicle.Value) vehicle.Field { return vehicle.Field{Name: name, Value: v} }

// object is the schema of an object with some of these members and no other.
func object(members ...vehicle.Field) vehicle.Value {
	return vehicle.ObjectOf(field("type", vehicle.TextOf("object")), field("properties", vehicle.ObjectOf(members...)),
		field("additionalProperties", vehicle.BoolOf(false)))
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
