// SPDX-License-Identifier: Apache-2.0

package dbc

// valueTable reads VAL_TABLE_ name value "text" ….
func (l *loader) valueTable(st statement, c *cursor) {
	t := &ValueTable{Name: c.word("a table name")}
	l.readTexts(t, c)
	if c.err != nil {
		l.bad(st, c, Warning)
	}
	if _, twice := l.db.ValueTables[t.Name]; twice {
		l.report(st.start, Warning, l.text[st.start:st.end], "value table %s is there twice, the first counts", t.Name)
		return
	}
	l.db.ValueTables[t.Name] = t
}

// values reads VAL_ id signal value "text" …, or VAL_ id signal table. What was
// read before a defect is kept.
func (l *loader) values(st statement, c *cursor) {
	if b := c.peek(); b < '0' || b > '9' { // VAL_ variable …: not on the bus
		l.report(st.start, Note, l.text[st.start:st.end], "values of an environment variable are not used")
		return
	}
	signals := l.signalRef(st, c)
	t := &ValueTable{}
	if b := c.peek(); b != 0 && numberLength(l.text[c.i:c.end]) == 0 && b != '"' {
		name := c.word("a table name")
		named, ok := l.db.ValueTables[name]
		if !ok && c.err == nil {
			l.report(st.start, Warning, l.text[st.start:st.end], "VAL_: no value table %s", name)
			return
		}
		t = named
	} else {
		l.readTexts(t, c)
	}
	if c.err != nil {
		l.bad(st, c, Warning)
	}
	for i, s := range signals {
		if s.Values != nil && i == 0 {
			l.report(st.start, Warning, l.text[st.start:st.end], "signal %s has values twice, the first count", s.Name)
		}
		if s.Values == nil && t != nil && len(t.Entries) > 0 {
			s.Values = t
		}
	}
}

func (l *loader) readTexts(t *ValueTable, c *cursor) {
	t.text, t.invalid = map[int64]string{}, map[int64]bool{}
	for c.peek() != 0 && c.err == nil {
		c.skip()
		at := c.i
		raw := c.integer("value")
		text := c.str()
		if c.err != nil {
			return
		}
		t.Entries = append(t.Entries, ValueText{raw, text, l.pos(at)})
		if _, twice := t.text[raw]; !twice {
			t.text[raw] = text
			if meansInvalid(text) {
				t.invalid[raw] = true
			}
		}
	}
}

// comment reads CM_ [object] "text".
func (l *loader) comment(st statement, c *cursor) {
	var targets []*string
	switch object := c.object(); object {
	case "":
		targets = append(targets, &l.db.Comment)
	case "BU_":
		if n := l.node(c.word("a node")); n != nil {
			targets = append(targets, &n.Comment)
		}
	case "BO_":
		if m := l.messageRef(st, c); m != nil {
			targets = append(targets, &m.Comment)
		}
	case "SG_":
		for _, s := range l.signalRef(st, c) {
			targets = append(targets, &s.Comment)
		}
	default:
		return
	}
	text := c.str()
	if c.err != nil {
		l.bad(st, c, Warning)
		return
	}
	for _, t := range targets {
		*t = text
	}
}
