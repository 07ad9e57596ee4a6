// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"fmt"
	"slices"

	"github.com/carguardd/carguardd/canbus/dbc"
	"github.com/carguardd/carguardd/canbus/e2e"
)

// protections reads how messages of a bus are protected.
func (l *loader) protections(b *fields, bus *Bus) {
	n := b.get("protected")
	if n == nil {
		return
	}
	f := l.fields(n, b.what+": protected")
	for _, m := range f.n.Members {
		p := l.fields(m.Value, b.what+": protected "+m.Name)
		if bus.DB == nil {
			continue // the bus has a problem of its own
		}
		msg, ok := bus.DB.Message(m.Name)
		switch {
		case !ok:
			l.problemf(m.Pos, suggest(m.Name, messageNames(bus.DB)), "%s: %s has no such message", p.what, bus.DB.Name)
			continue
		case msg.Unusable != "":
			l.problemf(m.Pos, "see the message in "+bus.DB.Name, "%s: the message cannot be used: %s", p.what, msg.Unusable)
			continue
		case slices.Contains(l.unchecked, bus.Name+" "+m.Name):
			l.problemf(m.Pos, "keep one of the two", "%s: the message is in unchecked too", p.what)
		}
		bus.Protected = append(bus.Protected, l.protection(p, msg, m.Pos))
	}
}

func (l *loader) protection(f *fields, m *dbc.Message, at Pos) *Protection {
	p := &Protection{Message: m, Name: f.text("algorithm"), Pos: at}
	c := e2e.Config{Key: m.Key, Length: m.Length, IDMode: f.text("id_mode")}
	before := len(l.problems)
	for _, key := range []string{"data_id", "data_ids"} {
		for _, n := range f.list(key) {
			if v, ok := l.whole(n, f.what+": "+key, 0, 0xFFFF); ok {
				c.DataIDs = append(c.DataIDs, uint16(v))
			}
		}
	}
	if f.has("data_id") && f.has("data_ids") {
		l.problemf(f.pos("data_ids"), "keep one of the two", "%s: data_id and data_ids", f.what)
	}
	if o := l.optional(f, "offset", 63); o != nil {
		c.Offset = *o
	}
	c.CounterOffset, c.NibbleOffset = l.optional(f, "counter_offset", 63), l.optional(f, "nibble_offset", 63)
	c.Counter, c.Check = l.place(f, m, "counter"), l.place(f, m, "checksum")
	for key, to := range map[string]*int{"max_delta": &p.Limits.MaxDelta, "recover": &p.Limits.Recover, "max_errors": &p.Limits.MaxErrors} {
		if v := l.optional(f, key, 255); v != nil {
			*to = *v
		}
	}
	f.end()
	if p.Name == "" {
		l.problemf(f.n.Pos, "algorithm: e2e-11", "%s: algorithm is missing", f.what)
		return p
	}
	if _, known := l.algorithms[p.Name]; !known {
		l.problemf(f.pos("algorithm"), suggest(p.Name, l.algorithms.Names()), "%s: unknown algorithm %s", f.what, p.Name)
		return p
	}
	if len(l.problems) > before {
		return p
	}
	var err error
	if p.Algorithm, err = l.algorithms.New(p.Name, c); err != nil {
		l.problemf(f.n.Pos, "docs/profile.md says what each algorithm needs", "%s: %v", f.what, err)
	} else if n := p.Algorithm.Counters(); n > 1 && p.Limits.MaxDelta >= n {
		l.problemf(f.pos("max_delta"), "max_delta: 2", "%s: max_delta %d: the counter has only %d values", f.what, p.Limits.MaxDelta, n)
	}
	return p
}

// place is where a signal of the message is.
func (l *loader) place(f *fields, m *dbc.Message, key string) e2e.Field {
	name := f.text(key)
	if name == "" {
		return e2e.Field{}
	}
	s, ok := m.Signal(name)
	switch {
	case !ok:
		l.problemf(f.pos(key), suggest(name, signalNames(m)), "%s: %s: message %s has no signal %s", f.what, key, m.Name, name)
		return e2e.Field{}
	case s.Unusable != "" || s.MuxedBy != nil:
		l.problemf(f.pos(key), "name a signal that is in every frame", "%s: %s: %s is not in every frame of %s", f.what, key, name, m.Name)
		return e2e.Field{}
	}
	return e2e.Field{Start: s.Start, Length: s.Length, BigEndian: s.BigEndian}
}

// optional reads a whole number from 0, or nil when there is none.
func (l *loader) optional(f *fields, key string, most int) *int {
	n := f.get(key)
	if n == nil {
		return nil
	}
	v, ok := l.whole(n, f.what+": "+key, 0, most)
	if !ok {
		return nil
	}
	return &v
}

// whole reads a whole number from least to most.
func (l *loader) whole(n *Node, what string, least, most int) (int, bool) {
	v, ok := n.Scalar.Float()
	if ok && v == float64(int(v)) && int(v) >= least && int(v) <= most {
		return int(v), true
	}
	l.problem(n.Pos, fmt.Sprintf("%s: want a whole number from %d to %d, have %s", what, least, most, describe(n)), "")
	return 0, false
}
