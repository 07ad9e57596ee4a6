// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"

	"github.com/carguardd/carguardd/vehicle"
)

// completionGate compares what a reply claims to have done with what was
// observed. A sentence that claims an effect must be about a write of this
// conversation that was done, and not about one that failed after that. Of on and
// off, and of several items, it must not name only another than the call had. A
// sentence that reports a state that a read showed is no claim of an effect.
// Text beside calls is checked the same way.
func completionGate(v *View) []Finding {
	if v.Draft.Text == "" || v.Draft.Report {
		return nil
	}
	var out []Finding
	for _, c := range v.lang.Claims(v.Draft.Text) {
		if why := v.unsupported(c); why != "" {
			out = append(out, Finding{Action: Say, Note: fmt.Sprintf("%q claims what was not observed: %s", c.Sentence, why)})
		}
	}
	return out
}

// unsupported says why nothing observed bears a claim out, or nothing.
func (v *View) unsupported(c Claim) string {
	good, failed, ran := 0, 0, 0
	other := ""
	for i := range v.facts.done {
		d := &v.facts.done[i]
		if !d.write {
			continue
		}
		if d.result.OK() {
			ran++
		}
		if !v.bears(d.call.Tool, c) {
			continue
		}
		if d.result.OK() && v.saysOther(&d.call, c.Sentence) {
			other = d.key
			continue
		}
		if failed++; d.result.OK() {
			good, failed = good+1, 0
		}
	}
	switch {
	case good > 0 && failed == 0:
		return ""
	case failed > 0:
		return "the call for it did not succeed"
	case c.StateReport && (ran > 0 || v.readAnything()):
		return "" // it may tell what was read, or what something else brought about
	case other != "":
		return "what was carried out is " + other
	case len(c.Tools) == 0 && ran > 0:
		return "" // "all done" after something was done
	case len(c.Tools) == 0:
		return "nothing was carried out"
	}
	for _, name := range c.Tools {
		if t := v.cat.Tool(name); t != nil && t.Access == vehicle.Write {
			return "no call of " + name + " was carried out"
		}
	}
	return ""
}

// saysOther reports whether a sentence names the opposite of a boolean that the
// call set, or another item than the call was for, and not the call's own.
// Numbers and other words are said in too many ways.
func (v *View) saysOther(c *vehicle.Call, sentence string) bool {
	t := v.cat.Tool(c.Tool)
	if t == nil {
		return false
	}
	other := false
	c.Args.Walk(func(at vehicle.Path, val vehicle.Value) {
		if v.lang.MentionsValue(sentence, c.Tool, at, val) {
			return
		}
		if on, ok := val.Truth(); ok {
			other = other || v.lang.MentionsValue(sentence, c.Tool, at, vehicle.BoolOf(!on))
			return
		}
		if t.Items == nil || t.Items.Arg.String() != at.String() {
			return
		}
		s, _ := val.Text()
		if own, ok := t.Items.Item(s); !ok || own == "*" {
			return
		}
		for _, n := range t.Items.Names {
			other = other || n.Item != "*" && n.Value != s && v.lang.MentionsValue(sentence, c.Tool, at, vehicle.TextOf(n.Value))
		}
	})
	return other
}

// bears reports whether a call of the tool can bear a claim out: the sentence
// names what the tool is about, or names another tool that sets the same.
func (v *View) bears(tool string, c Claim) bool {
	if v.lang.MentionsTool(c.Sentence, tool) {
		return true
	}
	t := v.cat.Tool(tool)
	if t == nil {
		return false
	}
	for _, a := range t.Touches(nil) {
		for _, w := range v.cat.Writers(a.Signal) {
			if contains(c.Tools, w.Name) {
				return true
			}
		}
	}
	return false
}

// readAnything reports whether a read of this conversation gave a result.
func (v *View) readAnything() bool {
	for i := range v.facts.done {
		if d := &v.facts.done[i]; !d.write && d.result.OK() {
			return true
		}
	}
	return false
}
