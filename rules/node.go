// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/carguardd/carguardd/vehicle"
)

// Bounds on a file of a bundle. A rule file of 256 KiB holds a thousand rules.
const (
	maxFileSize  = 256 << 10
	maxNodeDepth = 24
)

// node is one piece of a YAML file with its place. Aliases, anchors, tags and
// merge keys do not occur: what a file says is what is written there.
type node struct {
	pos    vehicle.Pos
	kind   nodeKind
	text   string        // a scalar as written, quotes taken off
	val    vehicle.Value // a scalar's value
	items  []*node       // of a list
	fields []field       // of a map, in order
}

type field struct {
	name string
	pos  vehicle.Pos
	node *node
}

type nodeKind uint8

const (
	nodeNull nodeKind = iota
	nodeScalar
	nodeList
	nodeMap
)

func (k nodeKind) String() string {
	return [...]string{"nothing", "a single value", "a list", "a mapping"}[k]
}

func (n *node) get(name string) *node {
	if n == nil {
		return nil
	}
	for _, f := range n.fields {
		if f.name == name {
			return f.node
		}
	}
	return nil
}

func (n *node) names() []string {
	var l []string
	for _, f := range n.fields {
		l = append(l, f.name)
	}
	return l
}

// parseYAML reads one document. An empty file is a null node.
func parseYAML(name string, data []byte) (n *node, err error) {
	at := vehicle.Pos{File: name, Line: 1, Col: 1}
	if len(data) > maxFileSize {
		return nil, vehicle.Problem{Pos: at, Text: fmt.Sprintf("file is larger than %d KiB", maxFileSize>>10), Hint: "split it, one topic a file"}
	}
	if p := tooDeep(name, data); p != nil {
		return nil, *p
	}
	defer func() {
		if r := recover(); r != nil {
			err = vehicle.Problem{Pos: at, Text: fmt.Sprintf("no readable YAML: %v", r)}
		}
	}()
	f, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, syntaxProblem(name, err)
	}
	b := builder{file: name}
	switch len(f.Docs) {
	case 0:
		return &node{pos: at}, nil
	case 1:
		n, err = b.build(f.Docs[0].Body, 0)
		if err == nil && n.pos.Line == 0 {
			n.pos = at
		}
		return n, err
	}
	return nil, vehicle.Problem{Pos: b.pos(f.Docs[1].GetToken()), Text: "a second document in one file", Hint: "one topic a file, without ---"}
}

// tooDeep looks for flow nesting that would cost the parser its stack.
func tooDeep(name string, data []byte) *vehicle.Problem {
	depth, line, col := 0, 1, 0
	for _, c := range data {
		col++
		switch c {
		case '\n':
			line, col = line+1, 0
		case '[', '{':
			if depth++; depth > 8*maxNodeDepth {
				return &vehicle.Problem{Pos: vehicle.Pos{File: name, Line: line, Col: col}, Text: "nested too deeply"}
			}
		case ']', '}':
			depth--
		}
	}
	return nil
}

func syntaxProblem(name string, err error) error {
	var ye yaml.Error
	if errors.As(err, &ye) {
		b := builder{file: name}
		return vehicle.Problem{Pos: b.pos(ye.GetToken()), Text: "no valid YAML: " + strings.ToLower(oneLine(ye.GetMessage()))}
	}
	return vehicle.Problem{Pos: vehicle.Pos{File: name, Line: 1, Col: 1}, Text: "no valid YAML: " + oneLine(err.Error())}
}

func oneLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}

type builder struct{ file string }

func (b builder) pos(t *token.Token) vehicle.Pos {
	p := vehicle.Pos{File: b.file, Line: 1, Col: 1}
	if t != nil && t.Position != nil {
		p.Line, p.Col = t.Position.Line, t.Position.Column
	}
	return p
}

func (b builder) problem(t *token.Token, hint, format string, args ...any) error {
	return vehicle.Problem{Pos: b.pos(t), Text: fmt.Sprintf(format, args...), Hint: hint}
}

func (b builder) build(in ast.Node, depth int) (*node, error) {
	if in == nil {
		return &node{}, nil
	}
	tk := in.GetToken()
	n := &node{pos: b.pos(tk), kind: nodeScalar}
	if depth > maxNodeDepth {
		return nil, b.problem(tk, "", "nested too deeply")
	}
	switch x := in.(type) {
	case *ast.NullNode:
		n.kind, n.text = nodeNull, x.Token.Value
	case *ast.BoolNode:
		n.val, n.text = vehicle.BoolOf(x.Value), x.Token.Value
	case *ast.StringNode:
		n.val, n.text = vehicle.TextOf(x.Value), x.Value
	case *ast.LiteralNode:
		n.val, n.text = vehicle.TextOf(x.Value.Value), x.Value.Value
	case *ast.IntegerNode, *ast.FloatNode:
		n.text = tk.Value
		v, err := vehicle.ParseJSON([]byte(tk.Value))
		if err != nil || v.Kind() != vehicle.Number {
			return nil, b.problem(tk, "write it in plain decimal, or quote it if it is a name", "%s is no plain number", tk.Value)
		}
		n.val = v
	case *ast.SequenceNode:
		n.kind = nodeList
		for _, it := range x.Values {
			m, err := b.build(it, depth+1)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, m)
		}
	case *ast.MappingNode:
		return b.mapping(n, x.Values, depth)
	case *ast.MappingValueNode:
		return b.mapping(n, []*ast.MappingValueNode{x}, depth)
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode, *ast.TagNode:
		return nil, b.problem(tk, "write the value out", "anchors, aliases, merge keys and tags are not used here")
	default:
		return nil, b.problem(tk, "", "%s is no value of a rule file", in.Type())
	}
	return n, nil
}

func (b builder) mapping(n *node, values []*ast.MappingValueNode, depth int) (*node, error) {
	n.kind = nodeMap
	for i, mv := range values {
		tk := mv.Key.GetToken()
		key, ok := mv.Key.(ast.ScalarNode)
		if _, merge := mv.Key.(*ast.MergeKeyNode); !ok || merge {
			return nil, b.problem(tk, "write the keys out", "this is no plain key")
		}
		name := tk.Value
		if s, ok := key.(*ast.StringNode); ok {
			name = s.Value
		}
		if i == 0 && n.pos.Col != 0 && !isFlow(n, b.pos(tk)) {
			n.pos = b.pos(tk)
		}
		for _, f := range n.fields {
			if f.name == name {
				return nil, b.problem(tk, "", "key %q is written twice, first at line %d", name, f.pos.Line)
			}
		}
		v, err := b.build(mv.Value, depth+1)
		if err != nil {
			return nil, err
		}
		if v.kind == nodeNull {
			v.pos = b.pos(tk)
		}
		n.fields = append(n.fields, field{name, b.pos(tk), v})
	}
	return n, nil
}

// isFlow reports whether the mapping's own token stands before its first key:
// the brace of {…}. A block mapping's token is its first colon.
func isFlow(n *node, key vehicle.Pos) bool {
	return n.pos.Line < key.Line || n.pos.Line == key.Line && n.pos.Col < key.Col
}
