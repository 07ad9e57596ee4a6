// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"slices"
	"strconv"
	"strings"
)

// Attribute is one BA_ value. An enumeration has both its index as Number and
// its member as Text; other texts have no number.
type Attribute struct {
	Number float64
	Text   string
	IsText bool // Text counts
}

// Attributes are the values given to one object, by the name of the attribute.
type Attributes map[string]Attribute

// AttributeDefinition is one BA_DEF_.
type AttributeDefinition struct {
	Name    string   // a free string
	Object  string   // BU_, BO_, SG_, EV_, or empty for the network
	Type    string   // INT, HEX, FLOAT, STRING, ENUM, or what the file says
	Members []string // of an ENUM
	Default *Attribute
	Pos     Position
}

// Definition returns the definition of an attribute.
func (db *Database) Definition(name string) (*AttributeDefinition, bool) {
	d, ok := db.definitions[name]
	return d, ok
}

// Attribute returns the value given to the network, else the default.
func (db *Database) Attribute(name string) (Attribute, bool) { return db.lookup(db.Attributes, name) }

// Attribute returns the value given to the message, else the default.
func (m *Message) Attribute(name string) (Attribute, bool) {
	return m.database.lookup(m.Attributes, name)
}

// Attribute returns the value given to the signal, else the default.
func (s *Signal) Attribute(name string) (Attribute, bool) {
	return s.message.database.lookup(s.Attributes, name)
}

func (db *Database) lookup(own Attributes, name string) (Attribute, bool) {
	if a, ok := own[name]; ok {
		return a, true
	}
	if d, ok := db.definitions[name]; ok && d.Default != nil {
		return *d.Default, true
	}
	return Attribute{}, false
}

// attributeDefinition reads BA_DEF_ [object] "name" type ….
func (l *loader) attributeDefinition(st statement, c *cursor) {
	d := &AttributeDefinition{Pos: l.pos(st.start)}
	if c.peek() != '"' {
		d.Object = c.word("an object type")
	}
	d.Name = c.str()
	d.Type = strings.ToUpper(c.word("a type"))
	for d.Type == "ENUM" && c.peek() != 0 && c.err == nil {
		if !c.have(',') {
			d.Members = append(d.Members, c.str())
		}
	}
	if c.err != nil {
		l.bad(st, c, Warning)
		return
	}
	l.db.definitions[d.Name] = d
}

// attributeDefault reads BA_DEF_DEF_ "name" value.
func (l *loader) attributeDefault(st statement, c *cursor) {
	name := c.str()
	d := l.db.definitions[name]
	a := c.attributeValue(d)
	switch {
	case c.err != nil:
		l.bad(st, c, Warning)
	case d == nil:
		l.report(st.start, Warning, l.text[st.start:st.end], "attribute %q has a default but no definition", name)
		l.db.definitions[name] = &AttributeDefinition{Name: name, Default: &a, Pos: l.pos(st.start)}
	default:
		d.Default = &a
	}
}

func (c *cursor) attributeValue(d *AttributeDefinition) Attribute {
	var a Attribute
	if c.peek() == '"' {
		a.Text, a.IsText = c.str(), true
	} else {
		a.Number, _ = c.number()
	}
	if d == nil || c.err != nil {
		return a
	}
	switch {
	case d.Type == "ENUM" && a.IsText:
		a.Number = float64(slices.Index(d.Members, a.Text))
	case d.Type == "ENUM" && a.Number >= 0 && int(a.Number) < len(d.Members):
		a.Text, a.IsText = d.Members[int(a.Number)], true
	case a.IsText && (d.Type == "INT" || d.Type == "HEX" || d.Type == "FLOAT"):
		if v, err := strconv.ParseFloat(strings.TrimSpace(a.Text), 64); err == nil {
			a.Number = v
		}
	}
	return a
}

// attribute reads BA_ "name" [object] value.
func (l *loader) attribute(st statement, c *cursor) {
	name := c.str()
	var targets []Attributes
	switch object := c.object(); object {
	case "":
		targets = append(targets, l.db.Attributes)
	case "BU_":
		node := c.word("a node")
		if n := l.node(node); n != nil {
			targets = append(targets, n.Attributes)
		} else if c.err == nil {
			l.report(st.start, Warning, l.text[st.start:st.end], "BA_: no node %s", node)
		}
	case "BO_":
		if m := l.messageRef(st, c); m != nil {
			targets = append(targets, m.Attributes)
		}
	case "SG_":
		for _, s := range l.signalRef(st, c) {
			targets = append(targets, s.Attributes)
		}
	default: // EV_: environment variables are not on the bus
		return
	}
	d := l.db.definitions[name]
	a := c.attributeValue(d)
	if c.err != nil {
		l.bad(st, c, Warning)
		return
	}
	if d == nil {
		l.report(st.start, Warning, l.text[st.start:st.end], "attribute %q has no definition, its type was guessed", name)
	}
	for _, t := range targets {
		t[name] = a
	}
}

// object takes an object type if one comes next.
func (c *cursor) object() string {
	c.skip()
	word := leadingWord(c.text[c.i:c.end])
	switch word {
	case "BU_", "BO_", "SG_", "EV_":
		c.i += len(word)
		return word
	}
	return ""
}
