// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"
	"strings"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// missingWanted is what missing-capability holds against a draft because of
// what the driver asked for.
func (v *View) missingWanted() []Finding {
	out := v.missingArguments()
	if v.listens() == nil || !v.lacksAny() {
		return out
	}
	out = append(out, v.missingReads()...)
	gone := v.missingTools()
	if len(gone) == 0 {
		return out
	}
	if v.speaks() {
		return append(out, v.missingUntold(gone)...)
	}
	return append(out, v.workarounds(gone)...)
}

// lacksAny reports whether a tool of the profile is not offered.
func (v *View) lacksAny() bool {
	return once(&v.heard.lacks, func() bool {
		return slices.ContainsFunc(v.cat.Profile.Tools, func(t *vehicle.Tool) bool { return v.cat.Tool(t.Name) == nil })
	})
}

// missingTools returns the writes that a command of the driver names and that
// are not offered, where that command names no offered one, and no other
// command names an offered one of the same signals.
func (v *View) missingTools() []*vehicle.Tool {
	if !v.heard.missed {
		v.heard.missing, v.heard.missed = v.findMissing(), true
	}
	return v.heard.missing
}

func (v *View) findMissing() []*vehicle.Tool {
	var out, offered []*vehicle.Tool
	for _, text := range v.driverTexts() {
		if text == v.asked {
			continue // the assistant's words
		}
		for _, w := range v.wishes(text) {
			direct := v.topic(w.Text).direct
			here := v.offered(direct)
			offered = append(offered, here...)
			if w.Later || w.Denied || len(here) > 0 { // what else it names is what the offered one is to do it with
				continue
			}
			for _, t := range direct {
				if !v.meansAnother(w.Text, t) {
					out = add(out, t)
				}
			}
		}
	}
	return slices.DeleteFunc(out, func(t *vehicle.Tool) bool {
		return slices.ContainsFunc(offered, func(o *vehicle.Tool) bool { return sameSignals(o, t) })
	})
}

// meansAnother reports whether the words name an offered tool too that has
// nothing to do with what the missing one sets: "find a charging station" is
// not about starting to charge.
func (v *View) meansAnother(text string, missing *vehicle.Tool) bool {
	for _, o := range v.cat.Tools {
		if o.Access != vehicle.Noop && v.lang.MentionsTool(text, o.Name) && !sameSignals(o, missing) && !tellsOf(o, missing) {
			return true
		}
	}
	return false
}

// tellsOf reports whether a read returns a signal that the write sets.
func tellsOf(read, write *vehicle.Tool) bool {
	return slices.ContainsFunc(write.Touches(nil), func(a vehicle.Assignment) bool {
		return slices.ContainsFunc(read.Returns, func(r vehicle.Return) bool { return r.Signal == a.Signal })
	})
}

// sameSignals reports whether two tools may change one signal.
func sameSignals(a, b *vehicle.Tool) bool {
	theirs := b.Touches(nil)
	return slices.ContainsFunc(a.Touches(nil), func(x vehicle.Assignment) bool {
		return slices.ContainsFunc(theirs, func(y vehicle.Assignment) bool { return x.Signal == y.Signal })
	})
}

// missingUntold adds to a reply that something asked for is not offered.
func (v *View) missingUntold(gone []*vehicle.Tool) []Finding {
	text := v.Draft.Text
	if text == "" || v.Draft.Report || v.admitsAny(text) || v.admitted(v.turn) {
		return nil
	}
	var things []string
	for _, t := range gone {
		things = append(things, v.lang.ToolName(t.Name))
	}
	said := words.Sentence(v.lang.Phrase(words.WhyNotOffered, v.lang.List(things)))
	return []Finding{{Action: Repair, Remedy: Remedy{Text: strings.TrimSpace(text + " " + said)}, Driver: said,
		Note: "the driver asked for " + strings.Join(things, ", ") + ", which is not offered: say so, and what else can be done" + v.neighbours(gone[0])}}
}

// admitsAny reports whether a text refuses or admits a limit.
func (v *View) admitsAny(text string) bool {
	return v.says(text, words.Limit) || v.lang.ReplyIs(text, "refusal")
}

// workarounds blocks writes that change what a missing one would change, and
// that the driver did not name.
func (v *View) workarounds(gone []*vehicle.Tool) []Finding {
	var out []Finding
	for i := range v.Draft.Calls {
		c, t := &v.Draft.Calls[i], v.p.tools[i]
		if t == nil || t.Access != vehicle.Write || c.Origin != vehicle.ByStudent || v.topicNames(t.Name) {
			continue
		}
		for _, g := range gone {
			if sameSignals(t, g) {
				out = append(out, Finding{Action: Block, Subjects: []string{c.ID},
					Note:   g.Name + " is not offered, and " + c.Tool + " does something else: tell the driver what cannot be done and offer the nearest that can",
					Driver: words.Sentence(v.lang.Phrase(words.WhyNotOffered, v.lang.ToolName(g.Name)))})
				break
			}
		}
	}
	return out
}

// missingArguments blocks writes of which a needed argument was taken away:
// nobody can say what such a call does.
func (v *View) missingArguments() []Finding {
	var out []Finding
	for i := range v.Draft.Calls {
		c, t := &v.Draft.Calls[i], v.p.tools[i]
		if t == nil || t.Access != vehicle.Write {
			continue
		}
		full := v.cat.Profile.Tool(t.Name)
		if full == nil || full == t || full.Input == nil || t.Input == nil {
			continue
		}
		for _, name := range full.Input.Required {
			if t.Input.Property(name) != nil {
				continue
			}
			out = append(out, Finding{Action: Block, Subjects: []string{c.ID},
				Note:   c.Tool + " is offered without its argument " + name + ": tell the driver that it cannot be chosen here",
				Driver: words.Sentence(v.lang.Phrase(words.WhyNotOffered, v.lang.ToolName(t.Name)+" ("+words.Humanize(name)+")"))})
			break
		}
	}
	return out
}
