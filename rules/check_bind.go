// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"slices"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// useItem notes that {item} is written.
func (c *checker) useItem(pos vehicle.Pos) {
	if c.scope.inner {
		c.bad(pos, "use the count's own wildcard", "{item} has no meaning inside count")
		return
	}
	c.scope.used = append(c.scope.used, pos)
}

// star registers a pattern with * as one that binds {item}.
func (c *checker) star(l *FieldLeft) {
	if c.scope.elems != nil {
		c.bad(l.pos, "write two rules, or gather one with each, some or count", "a second wildcard: %s", l.Pattern)
		return
	}
	l.byItem = true
	c.scope.stars = append(c.scope.stars, l)
}

// element registers a [*] as one that binds {item}.
func (c *checker) element(p *elementPath, base string, pos vehicle.Pos, src elementSource) {
	p.bound = p.star && !c.gather
	if !p.bound {
		return
	}
	key := base + " " + p.list.String()
	switch {
	case c.scope.elems == nil && c.scope.stars == nil:
		c.scope.elems, c.scope.elemKey = src, key
	case c.scope.elemKey != key:
		c.bad(pos, "write two rules, or gather one with each, some or count", "a second wildcard: %s", p.full)
	}
}

// itemField types a pattern with {item}: the signals it may reach are those
// that the same pattern with * fits.
func (c *checker) itemField(l *FieldLeft) typ {
	l.byItem = true
	l.matched = c.cat.Profile.Match(strings.Replace(l.Pattern, itemMark, "*", 1))
	if len(l.matched) == 0 {
		c.bad(l.pos, c.nearestSignal(l.Pattern), "no signal fits %s", l.Pattern)
		return typ{}
	}
	return c.signalTypes(l.matched, l.pos)
}

// bind decides what {item} of the rule stands for, and gives each pattern its
// signals in the order of the items.
func (c *checker) bind(r *Rule) {
	s := c.scope
	switch {
	case s.elems != nil:
		r.bind, r.elems = bindElement, s.elems
		if len(s.fields) > 0 {
			c.bad(s.fields[0].pos, "", "{item} is an element of a list here, %s is no signal", s.fields[0].Pattern)
		}
		return
	case s.stars != nil:
		r.bind = bindStar
	case s.used != nil:
		r.bind = bindTrigger
		if r.items = c.triggerItems(r); r.items == nil {
			c.bad(s.used[0], "write * in a field, or wait for a call with a mapped argument", "nothing says what {item} is")
			return
		}
	default:
		return
	}
	if items := c.close(s); items != nil {
		r.items = items
	}
	c.align(s.fields, r.items)
	c.translated(r.items)
	for _, o := range r.Owe {
		o.writeItems(r.items)
	}
}

// close finds the items that all patterns of a scope have in common.
func (c *checker) close(s *scope) []string {
	if s.stars == nil {
		return nil
	}
	var items []string
	for i, l := range s.stars {
		var own []string
		for _, m := range l.matched {
			own = append(own, m.Item)
		}
		if i == 0 {
			items = own
			continue
		}
		items = slices.DeleteFunc(items, func(it string) bool { return !slices.Contains(own, it) })
	}
	if len(items) == 0 {
		c.bad(s.stars[0].pos, "", "the patterns of this rule have no element in common")
	}
	c.align(s.stars, items)
	return items
}

func (c *checker) align(fields []*FieldLeft, items []string) {
	for _, l := range fields {
		l.signals, l.labels, l.items = nil, nil, nil
		for _, it := range items {
			i := slices.IndexFunc(l.matched, func(m vehicle.Matched) bool { return m.Item == it })
			if i < 0 {
				c.bad(l.pos, "", "there is no signal %s", l.Label(it))
				return
			}
			l.signals = append(l.signals, l.matched[i].Signal)
			l.labels = append(l.labels, c.cat.Profile.Signals[l.matched[i].Signal].Name)
		}
		l.items = items
	}
}

// triggerItems is what the triggers' mapped arguments may name, or nil when a
// trigger has none.
func (c *checker) triggerItems(r *Rule) []string {
	var items []string
	for _, t := range c.argTools {
		if t.Items == nil {
			return nil
		}
		items = appendNew(items, t.Items.List()...)
	}
	return items
}

// translated checks that every item has a spelling where it is an argument.
func (c *checker) translated(items []string) {
	for _, tr := range c.translate {
		if tr.tool.Items == nil || len(tr.tool.Items.Arg) != 1 || tr.tool.Items.Arg[0].Name != tr.arg {
			for _, it := range items {
				if v := tr.tool.Input.Validate(vehicle.ObjectOf(vehicle.Field{Name: tr.arg, Value: vehicle.TextOf(it)})); slices.ContainsFunc(v, func(x vehicle.Violation) bool { return len(x.Path) > 0 }) {
					c.bad(tr.pos, "declare the argument's item map in the profile", "%s of %s cannot name %s", tr.arg, tr.tool.Name, it)
					break
				}
			}
			continue
		}
		for _, it := range items {
			if _, ok := tr.tool.Items.Value(it); !ok {
				c.bad(tr.pos, "add it to the item map in the profile", "%s of %s has no spelling for %s", tr.arg, tr.tool.Name, it)
			}
		}
	}
}
