// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"fmt"
	"os"

	"github.com/carguardd/carguardd/canbus"
)

// Options of loading. The zero value is tolerant.
type Options struct {
	// Strict makes every diagnostic from [Warning] on an error.
	Strict bool
}

// Load reads a DBC file, see [Parse].
func Load(path string, o Options) (*Database, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("load dbc: %w", err)
	}
	return Parse(path, data, o)
}

// Parse reads the text of a DBC file; name is used in positions. What a file
// does wrong is repaired or set aside and listed in Diagnostics, in order; no
// message or signal is dropped: one that cannot be used says why. An error is
// returned only for what is no DBC file at all, and in strict mode, as
// [Problems].
func Parse(name string, data []byte, o Options) (*Database, error) {
	src, err := newSource(name, data)
	if err != nil {
		return nil, err
	}
	l := &loader{source: src, byID: map[uint32]*Message{}, db: &Database{
		Name: name, ValueTables: map[string]*ValueTable{}, Attributes: Attributes{},
		definitions: map[string]*AttributeDefinition{},
		byKey:       map[canbus.Key]*Message{}, byName: map[string]*Message{},
	}}
	statements := split(src)
	if len(statements) == 0 {
		return nil, fmt.Errorf("%s: not a DBC file: no statement found", name)
	}
	l.load(statements)
	sortDiagnostics(src.diags)
	l.db.Diagnostics = src.diags
	if o.Strict {
		var bad Problems
		for _, d := range src.diags {
			if d.Severity >= Warning {
				bad = append(bad, d)
			}
		}
		if len(bad) > 0 {
			return nil, bad
		}
	}
	return l.db, nil
}

// loader builds a Database from statements.
type loader struct {
	*source
	db      *Database
	current *Message            // of the last BO_
	byID    map[uint32]*Message // by identifier as in the file
}

// passes are done in this order, whatever the order in the file: an attribute
// value may stand before its definition, a value table after its use.
var passes = []map[string]func(*loader, statement, *cursor){
	{
		"VERSION": (*loader).version, "BU_": (*loader).nodes, "BO_": (*loader).message, "SG_": (*loader).signal,
		"BA_DEF_": (*loader).attributeDefinition, "VAL_TABLE_": (*loader).valueTable,
	},
	{
		"BA_DEF_DEF_": (*loader).attributeDefault, "SIG_VALTYPE_": (*loader).valueType, "SG_MUL_VAL_": (*loader).muxValues,
		"BO_TX_BU_": (*loader).transmitters,
	},
	{"BA_": (*loader).attribute, "VAL_": (*loader).values, "CM_": (*loader).comment},
}

// unread are statements that no signal depends on; they are noted, once each.
func (l *loader) unread(st statement, noted map[string]bool) {
	if noted[st.keyword] || st.keyword == "BS_" {
		return
	}
	noted[st.keyword] = true
	l.report(st.start, Note, l.text[st.start:st.end], "%s is not used", st.keyword)
}

func (l *loader) load(statements []statement) {
	read := map[string]bool{}
	for _, pass := range passes {
		for _, st := range statements {
			handle, ok := pass[st.keyword]
			if !ok {
				continue
			}
			read[st.keyword] = true
			c := l.cursor(st)
			handle(l, st, c)
			if c.unclosed && keywords[st.keyword] {
				l.report(st.start, Warning, l.text[st.start:st.end], "string is not closed; it ends with the line")
			}
		}
	}
	noted := map[string]bool{}
	for _, st := range statements {
		if !read[st.keyword] {
			l.unread(st, noted)
		}
	}
	l.finish()
}

// bad reports the failure of a cursor; the statement is lost.
func (l *loader) bad(st statement, c *cursor, sev Severity) {
	l.report(c.errAt, sev, l.text[st.start:st.end], "%s: %v", st.keyword, c.err)
}

func (l *loader) version(_ statement, c *cursor) {
	if c.peek() == '"' {
		l.db.Version = c.str()
	}
}

func (l *loader) nodes(st statement, c *cursor) {
	c.have(':')
	for c.peek() != 0 {
		if c.have(',') {
			continue
		}
		c.skip()
		at := c.i
		name := c.word("a node name")
		if c.err != nil {
			l.bad(st, c, Warning)
			return
		}
		l.db.Nodes = append(l.db.Nodes, &Node{Name: name, Attributes: Attributes{}, Pos: l.pos(at)})
	}
}

func (l *loader) node(name string) *Node {
	for _, n := range l.db.Nodes {
		if n.Name == name {
			return n
		}
	}
	return nil
}
