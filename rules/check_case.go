// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"slices"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// testCase checks that a test only names what there is.
func (c *checker) testCase(set *Set, cs *Case) {
	p := c.cat.Profile
	for name, v := range cs.State {
		s := p.Signal(name)
		if s == nil {
			c.bad(cs.Pos, c.nearestSignal(name), "test %q: there is no signal %s", cs.Name, name)
		} else if v.Known() {
			if err := s.Check(v); err != nil {
				c.bad(cs.Pos, "", "test %q: %v", cs.Name, err)
			}
		}
	}
	for name := range cs.Context {
		if !slices.Contains(ContextNames(), name) {
			c.bad(cs.Pos, didYouMean(name, ContextNames()), "test %q: there is no context %s", cs.Name, name)
		}
	}
	for _, w := range cs.Without {
		tool, arg, _ := strings.Cut(w, ".")
		if t := c.tool(tool, cs.Pos); t != nil && arg != "" {
			if path, err := vehicle.ParsePath(arg); err == nil {
				c.argument(t, path, cs.Pos)
			}
		}
	}
	for _, w := range cs.Prefers {
		c.word(w, cs.Pos)
	}
	c.caseCalls(cs.History)
	c.caseCalls(cs.Answers)
	for _, t := range cs.Turns {
		c.caseTurn(set, t)
	}
}

func (c *checker) caseTurn(set *Set, t *CaseTurn) {
	c.caseCalls(t.Draft)
	c.caseCalls(t.Want.Calls)
	c.caseCalls(t.Want.Reads)
	for _, w := range t.Wants {
		c.word(w, t.Pos)
	}
	for _, f := range t.Fails {
		c.tool(f, t.Pos)
	}
	ids := slices.Concat(t.Want.Fires, t.Want.Silent)
	for _, v := range slices.Concat(t.Want.Held, t.Want.Asked, t.Want.Told) {
		ids = append(ids, v.By)
		for _, w := range v.Warn {
			c.word(w, v.Pos)
		}
		if v.Word != "" {
			c.word(v.Word, v.Pos)
		}
		if v.Call != "" {
			c.tool(v.Call, v.Pos)
		}
	}
	for _, id := range ids {
		if id != "" && set.byID[id] == nil {
			var all []string
			for _, r := range set.Rules {
				all = append(all, r.ID)
			}
			c.bad(t.Want.Pos, didYouMean(id, all), "there is no rule %q", id)
		}
	}
}

func (c *checker) caseCalls(calls []CaseCall) {
	for _, cc := range calls {
		t := c.tool(cc.Call, cc.Pos)
		if t == nil {
			continue
		}
		for _, v := range t.Input.Validate(cc.Args) {
			c.bad(cc.Pos, "", "call of %s: %s %s", cc.Call, v.Path, v.Text)
		}
	}
}
