// SPDX-License-Identifier: Apache-2.0

package words

import (
	"fmt"
	"slices"
)

// Chain is a task that takes several calls, each fed by what the driver said
// or by an earlier result: look a place up, ask for the routes, start one.
//
//   - name: navigate
//     names: [navigate to, drive to]   # the text behind it is the place
//     ask: "Where to?"                  # when nothing stands behind it
//     steps:
//   - call: find_place
//     args: {name: "{said}"}
//   - call: get_routes
//     args: {from: "{context.here.id}", to: "{find_place.id}"}
//   - choose: {of: get_routes.routes, key: route_id, say: "via {via}, {km} kilometres", ask: "Which route: {0:or}?", names: aliases}
//   - call: start
//     args: {routes: ["{choice}"]}
//
// In an argument, {said} is what the driver said, {first} and {last} its first
// word and the rest, {context.NAME} a value of the surroundings such as
// here.id, {choice} the chosen element's key, and {TOOL.PATH} what the tool's result has there. An
// argument whose place is empty is left out when the tool does not require
// it.
type Chain struct {
	Name  string      `yaml:"name"`
	Names []string    `yaml:"names"`
	Ask   string      `yaml:"ask"`
	Until []string    `yaml:"until"` // words that end what was said: ruf Anna an
	Steps []ChainStep `yaml:"steps"`

	ps *patterns
}

// ChainStep is one step: a call, or a choice among what a result lists.
type ChainStep struct {
	Call   string         `yaml:"call"`
	Args   map[string]any `yaml:"args"`
	Choose *Choose        `yaml:"choose"`
}

// Choose lets the driver pick one of the elements of a list in a result. One
// element is taken without asking.
type Choose struct {
	Only   string              `yaml:"only"`   // TOOL.PATH of the one there is; nothing there: choose
	Of     string              `yaml:"of"`     // TOOL.PATH of a list, or of an object whose members are the elements
	Key    string              `yaml:"key"`    // member that is the choice; of an object: its member names when empty
	Say    string              `yaml:"say"`    // how an element is said: {member}, or {value} for all of it
	Ask    string              `yaml:"ask"`    // {0} the sayings, {1} how many were left out
	Tags   string              `yaml:"tags"`   // member with the words that choose an element: fastest
	Words  map[string][]string `yaml:"words"`  // other words for tags
	Tell   []string            `yaml:"tell"`   // tags of the elements to be told; the others are counted
	Failed string              `yaml:"failed"` // when there is none
}

func (b *lexiconBuilder) buildChains() error {
	for _, f := range b.files {
		for i, c := range f.Chains {
			if !b.usable(&c) {
				continue
			}
			ps, err := b.compile(c.Names)
			if err != nil {
				return fmt.Errorf("chains[%d]: %w", i, err)
			}
			c.ps = ps
			b.x.Chains = append(b.x.Chains, c)
		}
	}
	return nil
}

// usable reports whether every tool of the chain is offered.
func (b *lexiconBuilder) usable(c *Chain) bool {
	return !slices.ContainsFunc(c.Steps, func(s ChainStep) bool { return s.Call != "" && b.x.Catalog.Tool(s.Call) == nil })
}

// ChainIn finds the chain that the tokens begin or name, and the position
// behind its name.
func (x *Lexicon) ChainIn(toks []Token) (c *Chain, end int) {
	s := x.stemmed(toks)
	for i := range x.Chains {
		for k := range toks {
			if e, ok := x.Chains[i].ps.ends(s, k); ok && e > k && (c == nil || e > end) {
				c, end = &x.Chains[i], e
			}
		}
	}
	return c, end
}

func (c *lexiconCheck) chains() {
	for i, ch := range c.f.Chains {
		at := fmt.Sprintf("chain %d (%s)", i+1, ch.Name)
		if len(ch.Names) == 0 || len(ch.Steps) == 0 {
			c.add(at+" needs names and steps", "", "chains")
		}
		for _, s := range ch.Steps {
			if (s.Call == "") == (s.Choose == nil) {
				c.add(at+": a step is either a call or a choice", "", "chains")
				continue
			}
			if s.Call == "" {
				continue
			}
			t := c.p.Tool(s.Call)
			if t == nil {
				c.add(at+": the profile has no tool "+s.Call, "", "chains")
				continue
			}
			for name := range s.Args {
				if t.Input.Property(name) == nil {
					c.add(at+": "+s.Call+" has no argument "+name, "", "chains")
				}
			}
		}
	}
}
