// SPDX-License-Identifier: Apache-2.0

package format

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// node is a value with the lines that it stands on.
type node struct {
	kind  kind
	text  string // of a scalar: as YAML writes it, unless quoted
	plain bool   // a number, truth or null: never quoted
	items []*node
	keys  []string // of a mapping, beside items

	start, end int // lines
	starts     []int
	column     int // of the first element
	flow       bool
}

type kind uint8

const (
	scalar kind = iota
	list
	mapping
)

// comment is one comment; own when nothing else stands on its line.
type comment struct {
	text         string
	line, column int
	own          bool
}

// parse reads a document that vehicle.ParseYAML has accepted.
func parse(name string, data []byte) (root *node, cs []comment, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: is no YAML that can be read", name)
		}
	}()
	f, err := parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, d := range f.Docs {
		if d.Body != nil {
			root = build(d.Body)
		}
	}
	return root, comments(string(data)), nil
}

func comments(src string) []comment {
	var out []comment
	last := 0 // line of the last token that is no comment
	for _, t := range lexer.Tokenize(src) {
		if t.Type != token.CommentType {
			last = t.Position.Line
			continue
		}
		out = append(out, comment{text: "#" + strings.TrimRight(t.Value, " \t\r"), line: t.Position.Line, column: t.Position.Column, own: t.Position.Line != last})
	}
	return out
}

func build(n ast.Node) *node {
	at := n.GetToken().Position
	out := &node{start: at.Line, end: at.Line, column: at.Column}
	switch x := n.(type) {
	case *ast.MappingNode:
		out.kind, out.flow = mapping, x.IsFlowStyle
		for _, m := range x.Values {
			out.member(m)
		}
		out.close(x.End)
	case *ast.MappingValueNode:
		out.kind = mapping
		out.member(x)
	case *ast.SequenceNode:
		out.kind, out.flow = list, x.IsFlowStyle
		for i, v := range x.Values {
			start := v.GetToken().Position.Line
			if !x.IsFlowStyle && i < len(x.Entries) && x.Entries[i].Start != nil {
				start = x.Entries[i].Start.Position.Line
			}
			out.add("", start, build(v))
		}
		out.close(x.End)
	case *ast.StringNode:
		out.text = x.Value
		out.end += strings.Count(strings.TrimSpace(n.GetToken().Origin), "\n")
	case *ast.LiteralNode:
		out.text = x.Value.Value
		out.end += 1 + strings.Count(x.Value.Value, "\n")
	case *ast.NullNode:
		out.text, out.plain = "null", true
	default:
		out.text, out.plain = n.GetToken().Value, true
	}
	return out
}

func (n *node) member(m *ast.MappingValueNode) {
	at := m.Key.GetToken().Position
	if len(n.items) == 0 {
		if n.column = at.Column; !n.flow {
			n.start = at.Line
		}
	}
	key := m.Key.GetToken().Value
	if s, ok := m.Key.(*ast.StringNode); ok {
		key = s.Value
	}
	n.add(key, at.Line, build(m.Value))
}

func (n *node) add(key string, start int, v *node) {
	n.keys, n.items, n.starts = append(n.keys, key), append(n.items, v), append(n.starts, start)
	n.end = max(n.end, start, v.end)
}

func (n *node) close(end *token.Token) {
	if n.flow && end != nil {
		n.end = max(n.end, end.Position.Line)
	}
}
