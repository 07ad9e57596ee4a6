// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// checker types one rule against a catalog and resolves its names. Names are
// looked up in the whole profile too: what the profile has and the catalog
// does not offer is a [Requirement] that is missing, no error.
type checker struct {
	cat     *vehicle.Catalog
	lexicon *Lexicon
	objects []vehicle.Value // schemas of all objects that some result holds

	rule      *Rule
	argTools  []*vehicle.Tool // whose argument arg is; nil: none
	scope     *scope
	gather    bool // inside each or some: wildcards make lists
	choosing  bool // inside choose.where
	candidate *typ // element of the count around
	translate []translation

	problems vehicle.Problems
}

// scope is what one wildcard reaches: a rule, or a count inside it.
type scope struct {
	inner   bool
	stars   []*FieldLeft // patterns with *
	fields  []*FieldLeft // patterns with {item}
	elems   elementSource
	elemKey string
	used    []vehicle.Pos // where {item} is written
}

// translation is an argument that gets what {item} stands for.
type translation struct {
	tool *vehicle.Tool
	arg  string
	pos  vehicle.Pos
}

func newChecker(cat *vehicle.Catalog, lex *Lexicon) *checker {
	c := &checker{cat: cat, lexicon: lex}
	for _, t := range c.allTools() {
		if t.Output != nil {
			schemaObjects(t.Output.Raw, func(o vehicle.Value) { c.objects = append(c.objects, o) })
		}
	}
	return c
}

func (c *checker) bad(pos vehicle.Pos, hint, format string, args ...any) {
	c.problems = append(c.problems, vehicle.Problem{Pos: pos, Text: fmt.Sprintf(format, args...), Hint: hint})
}

// allTools lists the tools of the profile, then those only the catalog has.
func (c *checker) allTools() []*vehicle.Tool {
	l := slices.Clone(c.cat.Profile.Tools)
	for _, t := range c.cat.Tools {
		if c.cat.Profile.Tool(t.Name) == nil {
			l = append(l, t)
		}
	}
	return l
}

func (c *checker) find(name string) *vehicle.Tool {
	if t := c.cat.Profile.Tool(name); t != nil {
		return t
	}
	return c.cat.Tool(name)
}

func (c *checker) tool(name string, pos vehicle.Pos) *vehicle.Tool {
	t := c.find(name)
	if t == nil && name != "" {
		hint := ""
		if bare, _, cut := strings.Cut(name, "("); cut && c.find(bare) != nil {
			hint = "write " + bare + " without parentheses"
		} else {
			var names []string
			for _, t := range c.allTools() {
				names = append(names, t.Name)
			}
			hint = didYouMean(name, names)
		}
		c.bad(pos, hint, "there is no tool %s", name)
	}
	return t
}

func (c *checker) lookup(names []string) []*vehicle.Tool {
	l := []*vehicle.Tool{}
	for _, n := range names {
		if t := c.find(n); t != nil {
			l = append(l, t)
		}
	}
	return l
}

// tagged lists the tools that carry a tag. Some tags follow from what the
// profile declares anyway.
func (c *checker) tagged(tag string) []string {
	var l []string
	for _, t := range c.allTools() {
		if t.HasTag(tag) || impliedTag(t, tag) {
			l = append(l, t.Name)
		}
	}
	return l
}

// impliedTags are the tags that no profile has to declare.
func impliedTags() []string { return []string{"confirm", "outward", "terminal", "write", "read"} }

func impliedTag(t *vehicle.Tool, tag string) bool {
	switch tag {
	case "confirm":
		return t.Confirm
	case "outward":
		return t.Outward
	case "terminal":
		return t.Terminal
	case "write":
		return t.Access == vehicle.Write
	case "read":
		return t.Access == vehicle.Read
	}
	return false
}

func (c *checker) tagNames() []string {
	var l []string
	for _, t := range impliedTags() {
		l = append(l, "@"+t)
	}
	for _, t := range c.allTools() {
		for _, tag := range t.Tags {
			l = appendNew(l, "@"+tag)
		}
	}
	return l
}

func (c *checker) nearestSignal(pattern string) string {
	names := Patterns(c.cat.Profile)
	if !strings.Contains(pattern, "*") {
		names = names[:len(c.cat.Profile.Signals)]
	}
	return didYouMean(pattern, names)
}

// word looks a lexicon entry up.
func (c *checker) word(name string, pos vehicle.Pos) *Entry {
	e := c.lexicon.entries[name]
	if e == nil {
		c.bad(pos, didYouMean(name, c.lexicon.names()), "no lexicon has the word %q", name)
		return &Entry{}
	}
	for _, lang := range c.lexicon.Languages {
		if len(e.byLang[lang]) == 0 {
			c.bad(pos, "add it to lexicon/"+lang+".yaml", "the word %q is missing in language %s", name, lang)
		}
	}
	return e
}
