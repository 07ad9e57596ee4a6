// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"strings"

	"github.com/carguardd/carguardd/harness/words"
)

// toolExists blocks a call to a tool that is not offered. A name written with
// parentheses, or that differs from one offered tool only in case or in the
// kind of joint, is that tool. The driver is told that the capability is not
// there; no other tool is put in its place. One that does the very same is
// offered.
func toolExists(v *View) []Finding {
	var out []Finding
	for i := range v.Draft.Calls {
		c := &v.Draft.Calls[i]
		if v.p.tools[i] != nil {
			continue
		}
		if name := v.resolveName(c.Tool); name != "" {
			fixed := *c
			fixed.Tool = name
			out = append(out, replaceCall(c.ID, fixed, "the tool is spelled "+name))
			continue
		}
		note := "there is no tool " + c.Tool + "; use only the tools offered, or tell the driver that this cannot be done"
		if near := v.nearest(c); len(near) > 0 {
			out = append(out, v.instead(c, near, note))
			continue
		}
		if full := v.cat.Profile.Tool(c.Tool); full != nil {
			note += v.neighbours(full)
		}
		out = append(out, Finding{Action: Block, Subjects: []string{c.ID}, Note: note,
			Driver: words.Sentence(v.lang.Phrase(words.WhyNotOffered, v.lang.ToolName(c.Tool)))})
	}
	return out
}

// resolveName finds the one offered tool that a misspelt name means.
func (v *View) resolveName(name string) string {
	found, meant := "", foldName(name)
	for _, t := range v.cat.Tools {
		if foldName(t.Name) == meant {
			if found != "" {
				return ""
			}
			found = t.Name
		}
	}
	return found
}

// foldName is a tool's name without what people spell in more than one way.
func foldName(s string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if strings.ContainsRune("_-. ", r) {
			return -1
		}
		return r
	}, strings.TrimSuffix(strings.TrimSpace(s), "()")))
}
