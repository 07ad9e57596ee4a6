// SPDX-License-Identifier: Apache-2.0

package format

// shape is the layout of one kind of mapping.
type shape struct {
	order []string          // of the keys; others follow in the author's order
	sub   map[string]string // key → shape of the mappings in its value
	other string            // shape of the mappings under any other key
	block bool              // never on one line
	apart bool              // an empty line between the elements of a list of these
}

// shapes lists every kind of mapping of a bundle. The order of keys is that
// of docs/rules.md.
var shapes = map[string]shape{
	"manifest": {order: []string{"name", "revision", "version", "description", "languages", "min_daemon", "max_daemon", "hardware"}, block: true},
	"lexicon":  {sub: map[string]string{"words": "words"}, block: true},
	"words":    {block: true},

	"rules": {order: []string{"rules", "advisory"}, sub: map[string]string{"rules": "rule", "advisory": "advisory"}, block: true},
	"rule": {order: []string{"id", "type", "policy", "origin", "on", "if", "unless", "owe", "default", "need", "ask", "forbid", "must", "at_most",
		"choose", "tell", "withhold", "by", "unknown", "error", "absent", "say"},
		sub: map[string]string{"on": "on", "if": "test", "unless": "test", "need": "test", "must": "test", "owe": "call", "choose": "choose",
			"tell": "tell", "withhold": "test", "ask": "ask", "say": "say"}, block: true, apart: true},
	"say":      {block: true},
	"advisory": {order: []string{"policy", "why"}, block: true},
	"on":       {order: []string{"call", "reply", "result", "when", "by"}, sub: map[string]string{"when": "test"}},
	"test": {order: []string{"any", "arg", "field", "result", "ref", "context", "called", "consented", "batch", "told", "wants", "offered", "count", "diff",
		"candidate", "at", "of", "with", "get", "when", "since", "within", "where", "each", "some",
		"is", "not", "in", "not_in", "gt", "ge", "lt", "le", "has", "lacks", "known", "unit"},
		sub: map[string]string{"with": "args", "consented": "call"}, other: "test"},
	"args":   {other: "test"},
	"ask":    {order: []string{"naming", "warn"}},
	"choose": {order: []string{"arg", "peers", "where"}, sub: map[string]string{"where": "test"}},
	"tell":   {order: []string{"value", "word"}, sub: map[string]string{"value": "test"}},

	"tests": {order: []string{"context", "state", "prefers", "answers", "tests"}, sub: map[string]string{"answers": "call", "tests": "case"}, block: true},
	"case": {order: []string{"name", "context", "state", "prefers", "without", "history", "answers", "turns"},
		sub: map[string]string{"history": "call", "answers": "call", "turns": "turn"}, block: true},
	"turn": {order: []string{"user", "answer", "wants", "draft", "fails", "reply", "reply_is", "want"},
		sub: map[string]string{"draft": "call", "want": "want"}, block: true},
	"want": {order: []string{"fires", "silent", "reads", "held", "asked", "told", "calls"},
		sub: map[string]string{"reads": "call", "calls": "call", "held": "verdict", "asked": "verdict", "told": "verdict"}},
	"call":    {order: []string{"call", "args", "place", "result", "failed"}, sub: map[string]string{"args": "args"}},
	"verdict": {order: []string{"by", "call", "naming", "warn", "word", "value"}},
}

// of is the shape of the mappings in the value of a key.
func (s shape) of(key string) string {
	if name, ok := s.sub[key]; ok {
		return name
	}
	return s.other
}

// rank is the place of a key in the order.
func (s shape) rank(key string) int {
	for i, k := range s.order {
		if k == key {
			return i
		}
	}
	return len(s.order)
}
