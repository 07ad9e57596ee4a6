// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// FieldLeft is the value of a signal, or of the signals that fit a pattern.
type FieldLeft struct {
	leftBase
	Pattern string
	At      At
	AtSet   bool // the rule says when; else its type's own moment

	matched  []vehicle.Matched  // what the * may stand for
	signals  []vehicle.SignalID // by item, or the one, or all when gathered
	items    []string           // what the wildcard ranges over …
	labels   []string           // … and the names of the signals then
	byItem   bool
	gathered bool
}

func (r *reader) field(n, in *vehicle.Node) *FieldLeft {
	l := &FieldLeft{leftBase: leftBase{n.Pos}, Pattern: r.text(n, "field")}
	if strings.Count(l.Pattern, "*")+strings.Count(l.Pattern, itemMark) > 1 {
		r.bad(n.Pos, "one * or {item} a pattern", "%s has two wildcards", l.Pattern)
	}
	if at := in.Member("at"); at != nil {
		l.AtSet = true
		switch r.word(at, "seen", "before", "after") {
		case "before":
			l.At = Before
		case "after":
			l.At = After
		}
	}
	return l
}

// Label implements [Left].
func (l *FieldLeft) Label(item string) string {
	if item == "" || l.gathered || !l.byItem {
		return l.Pattern
	}
	for i, it := range l.items {
		if it == item {
			return l.labels[i]
		}
	}
	return strings.Replace(strings.Replace(l.Pattern, itemMark, item, 1), "*", item, 1)
}

func (l *FieldLeft) check(c *checker) typ {
	if !l.AtSet {
		l.At = c.rule.Type.moment()
	}
	p := c.cat.Profile
	if strings.Contains(l.Pattern, itemMark) {
		c.useItem(l.pos)
		c.scope.fields = append(c.scope.fields, l)
		return c.itemField(l)
	}
	l.matched = p.Match(l.Pattern)
	if len(l.matched) == 0 {
		c.bad(l.pos, c.nearestSignal(l.Pattern), "no signal fits %s", l.Pattern)
		return typ{}
	}
	t := c.signalTypes(l.matched, l.pos)
	switch {
	case !strings.Contains(l.Pattern, "*"):
		l.signals = []vehicle.SignalID{l.matched[0].Signal}
	case c.gather:
		l.gathered = true
		for _, m := range l.matched {
			l.signals = append(l.signals, m.Signal)
		}
		return typ{kind: vehicle.List, elem: &t}
	default:
		c.star(l)
	}
	return t
}

// signal is the one that the binding chooses, or NoSignal.
func (l *FieldLeft) signal(b binding) vehicle.SignalID {
	i := 0
	if l.byItem {
		i = b.item - 1
	}
	if i < 0 || i >= len(l.signals) {
		return vehicle.NoSignal
	}
	return l.signals[i]
}

func (l *FieldLeft) value(e *eval) Fact {
	if l.gathered {
		all := make([]vehicle.Value, len(l.signals))
		for i, s := range l.signals {
			all[i] = e.env.Field(s, l.At).Value
		}
		return Fact{Value: vehicle.ListOf(all...), Why: Observed}
	}
	s := l.signal(e.bind)
	if s == vehicle.NoSignal {
		return Fact{}
	}
	return e.env.Field(s, l.At)
}

func (l *FieldLeft) wants(e *eval) {
	if !l.gathered {
		if s := l.signal(e.bind); s != vehicle.NoSignal {
			e.wantSignal(s, e.env.Field(s, l.At))
		}
		return
	}
	for _, s := range l.signals {
		if f := e.env.Field(s, l.At); !f.Known() {
			e.wantSignal(s, f)
		}
	}
}
