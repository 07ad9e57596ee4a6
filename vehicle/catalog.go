// SPDX-License-Identifier: Apache-2.0

package vehicle

import "slices"

// Catalog is the set of tools offered in one conversation. It may lack tools
// or arguments that the profile has, and may hold tools that the profile
// does not know. It does not change after it was made.
type Catalog struct {
	Profile *Profile
	Tools   []*Tool

	byName  map[string]*Tool
	readers [][]*Tool // by signal: the reads that return it, cheapest first
	writers [][]*Tool // by signal: the writes that set it
}

// NewCatalog offers the tools. With none given it offers all of the profile.
func NewCatalog(p *Profile, tools ...*Tool) *Catalog {
	if len(tools) == 0 {
		tools = p.Tools
	}
	c := &Catalog{Profile: p, Tools: tools, byName: make(map[string]*Tool, len(tools)),
		readers: make([][]*Tool, len(p.Signals)), writers: make([][]*Tool, len(p.Signals))}
	for _, t := range tools {
		c.byName[t.Name] = t
		for _, r := range t.Returns {
			if t.Access == Read && !slices.Contains(c.readers[r.Signal], t) {
				c.readers[r.Signal] = append(c.readers[r.Signal], t)
			}
		}
		for _, a := range t.Touches(nil) {
			if !slices.Contains(c.writers[a.Signal], t) {
				c.writers[a.Signal] = append(c.writers[a.Signal], t)
			}
		}
	}
	for _, l := range c.readers {
		slices.SortStableFunc(l, func(a, b *Tool) int {
			if d := required(a) - required(b); d != 0 {
				return d
			}
			return len(a.Returns) - len(b.Returns)
		})
	}
	return c
}

func required(t *Tool) int {
	if t.Input == nil {
		return 0
	}
	return len(t.Input.Required)
}

// Tool returns the offered tool of that name, or nil.
func (c *Catalog) Tool(name string) *Tool { return c.byName[name] }

// Readers returns the offered reads whose result carries the signal, those
// that need fewest arguments first.
func (c *Catalog) Readers(s SignalID) []*Tool { return c.readers[s] }

// Writers returns the offered writes that set the signal.
func (c *Catalog) Writers(s SignalID) []*Tool { return c.writers[s] }

// Tagged returns the offered tools that carry the tag.
func (c *Catalog) Tagged(tag string) []*Tool {
	var l []*Tool
	for _, t := range c.Tools {
		if t.HasTag(tag) {
			l = append(l, t)
		}
	}
	return l
}
