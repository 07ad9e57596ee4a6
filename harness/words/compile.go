// SPDX-License-Identifier: Apache-2.0

package words

import (
	"fmt"
	"strings"
)

// compiler reads patterns of one language.
type compiler struct {
	lang  *Language
	lists map[string][]string
	stem  bool                 // compare stems
	made  map[string]*patterns // the lists that were referred to; nil: one that is being made
}

func (c *compiler) all(list []string) ([]pattern, error) {
	out := make([]pattern, 0, len(list))
	for _, s := range list {
		p, err := c.one(s)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func (c *compiler) one(src string) (pattern, error) {
	p := pattern{src: src}
	for _, f := range strings.Fields(src) {
		if rest, ok := strings.CutPrefix(f, "^"); ok {
			p.nodes, f = append(p.nodes, node{kind: nodeStart}), rest
		}
		end := len(f) > 1 && strings.HasSuffix(f, "$")
		f = strings.TrimSuffix(f, "$")
		ns, err := c.field(f)
		if err != nil {
			return p, fmt.Errorf("pattern %q: %w", src, err)
		}
		p.nodes = append(p.nodes, ns...)
		if end {
			p.nodes = append(p.nodes, node{kind: nodeEnd})
		}
	}
	if len(p.nodes) == 0 {
		return p, fmt.Errorf("pattern %q has no words", src)
	}
	return p, nil
}

func (c *compiler) field(f string) ([]node, error) {
	switch {
	case f == "*":
		return []node{{kind: nodeGap}}, nil
	case strings.HasPrefix(f, "<"):
		name, ok := strings.CutSuffix(f[1:], ">")
		if !ok {
			return nil, fmt.Errorf("%q is no list: write <name>", f)
		}
		ps, err := c.list(name)
		return []node{{kind: nodeList, list: ps}}, err
	}
	opt := len(f) > 1 && strings.HasSuffix(f, "?")
	f = strings.TrimSuffix(f, "?")
	f, exact := strings.CutPrefix(f, "=")
	form := c.form
	if exact {
		form = func(w string) string { return w }
	}
	n := node{kind: nodeWord, optional: opt, exact: exact}
	var out []node
	alts := strings.Split(f, "|")
	for _, a := range alts {
		toks := spoken(c.lang.Tokens(a))
		if len(toks) != 1 && len(alts) > 1 || len(toks) == 0 {
			return nil, fmt.Errorf("%q is not one word", a)
		}
		for _, t := range toks[:len(toks)-1] { // a hyphenated word is several
			out = append(out, node{kind: nodeWord, exact: exact, words: []string{form(t.Word)}})
		}
		n.words = append(n.words, form(toks[len(toks)-1].Word))
	}
	return append(out, n), nil
}

// list is a list that patterns refer to, the same for all of them.
func (c *compiler) list(name string) (*patterns, error) {
	if ps, ok := c.made[name]; ok {
		if ps == nil {
			return nil, fmt.Errorf("list %q refers to itself", name)
		}
		return ps, nil
	}
	src, ok := c.lists[name]
	if !ok {
		return nil, fmt.Errorf("no list is called %q", name)
	}
	c.made[name] = nil
	all, err := c.all(src)
	if err != nil {
		return nil, err
	}
	c.made[name] = &patterns{all: all}
	return c.made[name], nil
}

func (c *compiler) form(w string) string {
	if c.stem {
		return c.lang.stem(w)
	}
	return w
}
