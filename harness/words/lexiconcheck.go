// SPDX-License-Identifier: Apache-2.0

package words

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// lexiconCheck compares a lexicon file with a profile.
type lexiconCheck struct {
	f        *LexiconFile
	p        *vehicle.Profile
	problems vehicle.Problems
}

func (c *lexiconCheck) add(text, hint string, path ...string) {
	c.problems = append(c.problems, c.f.problem(text, hint, path...))
}

func (c *lexiconCheck) tools() {
	for _, name := range slices.Sorted(maps.Keys(c.f.Tools)) {
		tf, t := c.f.Tools[name], c.p.Tool(name)
		if t == nil {
			c.add("the profile has no such tool", "correct the name or remove the entry", "tools", name)
			continue
		}
		if tf == nil {
			c.add("is empty", "remove the entry", "tools", name)
			continue
		}
		for _, arg := range slices.Sorted(maps.Keys(tf.Args)) {
			c.arg(t, arg, tf.Args[arg])
		}
		for _, fill := range tf.Fill {
			c.when(t, fill.When, "fill")
			for arg, v := range fill.Set {
				c.value(t, arg, v, "tools", name, "fill")
			}
		}
		for _, say := range tf.Say {
			c.when(t, say.When, "say")
			if say.Do == "" || say.Done == "" {
				c.add("a way to say it needs both do and done", "", "tools", name, "say")
			}
			for _, field := range append(placeholders(say.Do), placeholders(say.Done)...) {
				if t.Input.Property(field) == nil {
					c.add("{"+field+"} is no argument", "", "tools", name, "say")
				}
			}
		}
	}
}

func (c *lexiconCheck) when(t *vehicle.Tool, when map[string]oneOrMore, key string) {
	for arg, vs := range when {
		for _, v := range vs {
			c.value(t, arg, v, "tools", t.Name, key)
		}
	}
}

func (c *lexiconCheck) arg(t *vehicle.Tool, name string, a *argFile) {
	path := []string{"tools", t.Name, "args", name}
	if t.Input.Property(name) == nil {
		c.add("the tool has no such argument", "", path...)
		return
	}
	for _, vs := range []map[string][]string{a.Values, a.Weak} {
		for v := range vs {
			c.value(t, name, v, path...)
		}
	}
	for v := range a.Say {
		c.value(t, name, v, path...)
	}
	if a.Default != "" {
		c.value(t, name, a.Default, append(path, "default")...)
	}
	if a.Step < 0 {
		c.add("step is negative", "", append(path, "step")...)
	}
}

// value checks that a value written as text is one of the argument.
func (c *lexiconCheck) value(t *vehicle.Tool, arg, text string, path ...string) {
	s := t.Input.Property(arg)
	if s == nil {
		c.add(arg+" is no argument of the tool", "", path...)
		return
	}
	v, ok := parseValue(s, text)
	if !ok {
		c.add(strconv.Quote(text)+" is no value of "+arg, "write it as the tool's schema spells it", path...)
		return
	}
	if s.Enum != nil && !slices.ContainsFunc(s.Enum, v.Equal) {
		c.add(strconv.Quote(text)+" is no value of "+arg, "one of "+strings.Join(s.EnumText(), " "), path...)
	}
	if f, ok := v.Float(); ok && (s.Min != nil && f < *s.Min || s.Max != nil && f > *s.Max) {
		c.add(text+" is outside the range of "+arg, "", path...)
	}
}

// parseValue reads a value of the schema's type.
func parseValue(s *vehicle.Schema, text string) (vehicle.Value, bool) {
	switch s.Type {
	case "boolean":
		return vehicle.BoolOf(text == "true"), text == "true" || text == "false"
	case "number", "integer":
		f, err := strconv.ParseFloat(text, 64)
		v := vehicle.NumberOf(f)
		return v, err == nil && v.Known()
	case "string", "":
		return vehicle.TextOf(text), true
	}
	return vehicle.Value{}, false
}

func (c *lexiconCheck) signals() {
	for _, pattern := range slices.Sorted(maps.Keys(c.f.Signals)) {
		if strings.Count(pattern, "*") > 1 || len(c.p.Match(pattern)) == 0 {
			c.add("the profile has no such signal", "a signal's name, or one with a single *", "signals", pattern)
			continue
		}
		sf := c.f.Signals[pattern]
		if sf == nil {
			c.add("is empty", "remove the entry", "signals", pattern)
			continue
		}
		for _, say := range sf.Say {
			for _, field := range placeholders(say.Text) {
				if field != "item" && field != "value" {
					c.add("{"+field+"} is neither item nor value", "", "signals", pattern, "say")
				}
			}
		}
	}
}

func (c *lexiconCheck) items() {
	known := map[string]bool{}
	for _, t := range c.p.Tools {
		for _, it := range t.Items.List() {
			known[it] = true
		}
	}
	for _, it := range slices.Sorted(maps.Keys(c.f.Items)) {
		if !known[it] {
			c.add("no item map of the profile has this item", "one of "+strings.Join(slices.Sorted(maps.Keys(known)), " "), "items", it)
		}
	}
	for _, g := range slices.Sorted(maps.Keys(c.f.Groups)) {
		for _, it := range c.f.Groups[g].Items {
			if !known[it] {
				c.add(it+" is no item of the profile", "", "groups", g)
			}
		}
	}
}

var placeholder = regexp.MustCompile(`\{([A-Za-z0-9_]+)\}`)

func placeholders(s string) []string {
	var out []string
	for _, m := range placeholder.FindAllStringSubmatch(s, -1) {
		out = append(out, m[1])
	}
	return out
}
