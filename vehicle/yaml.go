// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// maxYAML bounds a file in bytes. A large profile has a tenth of it.
const maxYAML = 1 << 20

// Node is one node of a YAML file with its place. A list has Items, an object
// Members; everything else is a scalar.
type Node struct {
	Pos     Pos
	Kind    Kind // Unknown is null or nothing
	Scalar  Value
	Items   []*Node
	Members []Member
}

// Member is one key of an object with its value.
type Member struct {
	Name  string
	Pos   Pos // of the key
	Value *Node
}

// Member returns the named member's value, or nil.
func (n *Node) Member(name string) *Node {
	if n == nil {
		return nil
	}
	for i := range n.Members {
		if n.Members[i].Name == name {
			return n.Members[i].Value
		}
	}
	return nil
}

// Value returns the node without its places.
func (n *Node) Value() Value {
	if n == nil {
		return Value{}
	}
	switch n.Kind {
	case List:
		items := make([]Value, len(n.Items))
		for i, it := range n.Items {
			items[i] = it.Value()
		}
		return ListOf(items...)
	case Object:
		fields := make([]Field, len(n.Members))
		for i, m := range n.Members {
			fields[i] = Field{m.Name, m.Value.Value()}
		}
		return ObjectOf(fields...)
	}
	return n.Scalar
}

// ParseYAML reads one YAML 1.2 document. Duplicate keys, anchors, aliases,
// tags and a second document are problems; file is only used to name places.
// The node is nil when nothing could be read.
func ParseYAML(file string, data []byte) (n *Node, ps Problems) {
	t := &yamlTree{file: file}
	if len(data) > maxYAML {
		return nil, Problems{{Pos{File: file}, fmt.Sprintf("file has %d bytes, more than %d", len(data), maxYAML), "split it"}}
	}
	if pos, deep := tooDeep(data); deep {
		pos.File = file
		return nil, Problems{{pos, fmt.Sprintf("nested deeper than %d", maxDepth), "flatten it"}}
	}
	// The parser panics on some malformed input.
	defer func() {
		if r := recover(); r != nil {
			n, ps = nil, append(t.problems, Problem{Pos{File: file}, "is no YAML that can be read", "look for a broken quote, bracket or indentation"})
		}
	}()
	f, err := parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, Problems{t.syntax(err)}
	}
	var docs []*ast.DocumentNode
	for _, d := range f.Docs {
		if d.Body != nil {
			docs = append(docs, d)
		}
	}
	switch len(docs) {
	case 0:
		return nil, Problems{{Pos{File: file}, "file is empty", ""}}
	case 1:
	default:
		t.problems = append(t.problems, Problem{t.node(docs[1].Body, 0).Pos, "a second document", "one file holds one document"})
	}
	n = t.node(docs[0].Body, 0)
	return n, t.problems
}

type yamlTree struct {
	file     string
	problems Problems
}

func (t *yamlTree) pos(tk *token.Token) Pos {
	p := Pos{File: t.file}
	if tk != nil && tk.Position != nil {
		p.Line, p.Col = tk.Position.Line, tk.Position.Column
	}
	return p
}

func (t *yamlTree) problem(n ast.Node, text, hint string) {
	t.problems = append(t.problems, Problem{t.pos(n.GetToken()), text, hint})
}

func (t *yamlTree) syntax(err error) Problem {
	p := Problem{Pos: Pos{File: t.file}, Text: err.Error(), Hint: "the file is not valid YAML"}
	var ye yaml.Error
	if errors.As(err, &ye) {
		p.Pos, p.Text = t.pos(ye.GetToken()), strings.ToLower(ye.GetMessage())
	}
	return p
}

func (t *yamlTree) node(n ast.Node, depth int) *Node {
	out := &Node{Pos: t.pos(n.GetToken())}
	if depth > maxDepth {
		t.problem(n, fmt.Sprintf("nested deeper than %d", maxDepth), "flatten it")
		return out
	}
	scalar := func(v Value) { out.Scalar, out.Kind = v, v.Kind() }
	switch x := n.(type) {
	case *ast.NullNode:
	case *ast.BoolNode:
		scalar(BoolOf(x.Value))
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		v, err := yamlNumber(n)
		if err != nil {
			t.problem(n, err.Error(), "write a decimal number")
		}
		scalar(v)
	case *ast.StringNode:
		scalar(TextOf(x.Value))
	case *ast.LiteralNode:
		scalar(TextOf(x.Value.Value))
	case *ast.SequenceNode:
		out.Kind = List
		for _, it := range x.Values {
			out.Items = append(out.Items, t.node(it, depth+1))
		}
	case *ast.MappingNode:
		out.Kind = Object
		for i, m := range x.Values {
			t.member(out, m, depth)
			if i == 0 && !x.IsFlowStyle && len(out.Members) > 0 {
				out.Pos = out.Members[0].Pos
			}
		}
	case *ast.MappingValueNode:
		out.Kind = Object
		t.member(out, x, depth)
		if len(out.Members) > 0 {
			out.Pos = out.Members[0].Pos
		}
	default:
		t.problem(n, "anchors, aliases, tags and merge keys are not used here", "write the value out")
	}
	return out
}

func (t *yamlTree) member(out *Node, m *ast.MappingValueNode, depth int) {
	name := ""
	switch k := m.Key.(type) {
	case *ast.StringNode:
		name = k.Value
	case *ast.LiteralNode:
		name = k.Value.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode:
		name = k.GetToken().Value
	default:
		t.problem(m.Key, "this key is no plain text", "write a word before the colon")
		return
	}
	pos := t.pos(m.Key.GetToken())
	for i := range out.Members {
		if out.Members[i].Name == name {
			t.problem(m.Key, fmt.Sprintf("%s is already defined at line %d", name, out.Members[i].Pos.Line), "remove or rename one of the two")
			return
		}
	}
	out.Members = append(out.Members, Member{name, pos, t.node(m.Value, depth+1)})
}

func yamlNumber(n ast.Node) (Value, error) {
	text := n.GetToken().Value
	switch x := n.(type) {
	case *ast.FloatNode:
		if v := NumberOf(x.Value); v.Known() {
			return v, nil
		}
	case *ast.IntegerNode:
		switch i := x.Value.(type) {
		case int64:
			if i > -1<<53 && i < 1<<53 {
				return NumberOf(float64(i)), nil
			}
			return parseNumber(fmt.Sprint(i))
		case uint64:
			return parseNumber(fmt.Sprint(i))
		}
	}
	return Value{}, fmt.Errorf("%.20s is no finite number", text)
}

// tooDeep looks for nesting that would exhaust the parser's stack: brackets,
// and indicators repeated at the start of a line. Brackets inside quotes are
// counted too; no real file comes near the bound with them.
func tooDeep(data []byte) (Pos, bool) {
	const bound = 16 * maxDepth
	line, col, brackets, marks := 1, 0, 0, 0
	start := true // only indicators so far on this line
	for _, c := range data {
		col++
		switch c {
		case '\n':
			line, col, marks, start = line+1, 0, 0, true
		case '[', '{':
			brackets++
			start = false
		case ']', '}':
			brackets = max(0, brackets-1)
		case '-', '?', ':', '!', '&':
			if start {
				marks++
			}
		case ' ', '\t':
		default:
			if marks == 0 {
				start = false
			}
		}
		if brackets > bound || marks > bound {
			return Pos{Line: line, Col: col}, true
		}
	}
	return Pos{}, false
}
