// SPDX-License-Identifier: Apache-2.0

package words

import (
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

// Scored is a tool with how surely a text is about it: 1 when one of its
// names was said, less when only some of the words of its name were.
type Scored struct {
	Tool     *vehicle.Tool
	Score    float64
	From, To int // positions of the name in the tokens; both 0 below a score of 1
}

// Hit is one name found in tokens.
type Hit struct {
	Tools    []*vehicle.Tool    // it speaks about
	Signals  []vehicle.SignalID // it speaks about
	From, To int                // first and last position, words between included
	Used     []int              // the positions of the name's own words
}

// Names finds the names in tokens, the longest where several overlap, so that
// "rear window defrost" is not a window. Hits are in the order of the text.
func (x *Lexicon) Names(toks []Token) []Hit {
	return x.namesIn(x.stemmed(toks))
}

func (x *Lexicon) namesIn(s *speech) []Hit {
	toks := s.toks
	type found struct {
		used []int
		src  string
	}
	var all []found
	for i := range toks {
		for _, p := range x.all.beginning(s, i) {
			if _, used, ok := p.match(s, i); ok && len(used) > 0 {
				all = append(all, found{used, p.src})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return len(b.used) - len(a.used) })
	taken := make([]string, len(toks)) // by which words
	var hits []Hit
	for _, f := range all {
		key := x.key(s, f.used)
		if slices.ContainsFunc(f.used, func(i int) bool { return taken[i] != "" && taken[i] != key }) {
			continue
		}
		first := taken[f.used[0]] == ""
		for _, i := range f.used {
			taken[i] = key
		}
		if first {
			hits = append(hits, Hit{From: f.used[0], To: f.used[len(f.used)-1] + 1, Used: f.used})
		}
		for h := range hits {
			if slices.Equal(hits[h].Used, f.used) {
				x.own(&hits[h], f.src)
			}
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return a.From - b.From })
	return hits
}

// key identifies a set of positions.
func (x *Lexicon) key(s *speech, used []int) string {
	b := make([]byte, 0, len(used)*2)
	for _, i := range used {
		b = append(b, byte(i), byte(i>>8))
	}
	return string(b)
}

func (x *Lexicon) own(h *Hit, src string) {
	for _, n := range x.owners[src] {
		for _, t := range n.tools {
			if !slices.Contains(h.Tools, t) {
				h.Tools = append(h.Tools, t)
			}
		}
		for _, id := range n.signals {
			if !slices.Contains(h.Signals, id) {
				h.Signals = append(h.Signals, id)
			}
		}
	}
}

// Tools returns the offered tools a text is about, the surest first: reads
// and writes alike.
func (x *Lexicon) Tools(text string) []Scored {
	r := x.Lang.read(text)
	var out []Scored
	for _, h := range x.named(r) {
		for _, t := range h.Tools {
			if !slices.ContainsFunc(out, func(s Scored) bool { return s.Tool == t }) {
				out = append(out, Scored{t, 1, h.From, h.To})
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, t := range x.Catalog.Tools {
		if score := x.partial(t, r); score >= 0.5 {
			out = append(out, Scored{Tool: t, Score: score * 0.9})
		}
	}
	slices.SortStableFunc(out, func(a, b Scored) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	return out
}

// Hints reports whether the text says half of the words that the tool's name is
// made of, or more.
func (x *Lexicon) Hints(text, tool string) bool {
	t := x.Catalog.Tool(tool)
	return t != nil && x.partial(t, x.Lang.read(text)) >= 0.5
}

// partial is the share of the words of a tool's name that the text says.
func (x *Lexicon) partial(t *vehicle.Tool, r *reading) float64 {
	parts := x.tools[t.Name].parts
	if len(parts) == 0 {
		return 0
	}
	in, n := r.stemmed(), 0
	for _, forms := range parts {
		if slices.ContainsFunc(forms, func(f []string) bool { return indexOf(in, f) >= 0 }) {
			n++
		}
	}
	return float64(n) / float64(len(parts))
}

// Mentions reports whether a name of the tool stands in the text, as words.
func (x *Lexicon) Mentions(text, tool string) bool {
	for _, h := range x.named(x.Lang.read(text)) {
		if slices.ContainsFunc(h.Tools, func(t *vehicle.Tool) bool { return t.Name == tool }) {
			return true
		}
	}
	return false
}

// MentionsItem reports whether the text speaks about the tool and the item:
// by the item's own words, by those of a group it is in, by a word for all,
// or by naming no item at all.
func (x *Lexicon) MentionsItem(text, tool, item string) bool {
	if !x.Mentions(text, tool) {
		return false
	}
	tw := x.tools[tool]
	if tw == nil || tw.Tool.Items == nil {
		return true
	}
	named := false
	cues := slices.DeleteFunc(slices.Clone(x.cuesIn(x.Lang.read(text), tw)), func(c Cue) bool { return !c.Arg.Item || c.Kind == CueWeak })
	for _, c := range cues {
		switch c.Kind {
		case CueValue:
			it, _ := tw.Tool.Items.Item(c.Value.String())
			if it == item || it == "*" || item == "*" {
				return true
			}
			named = true
		case CueItems:
			if slices.Contains(c.Items, item) || item == "*" {
				return true
			}
			named = true
		}
	}
	return !named
}

// MentionsSignal reports whether the text speaks about the signal, and about
// its item if it names any.
func (x *Lexicon) MentionsSignal(text string, s vehicle.SignalID) bool {
	r := x.Lang.read(text)
	for _, h := range x.named(r) {
		if slices.Contains(h.Signals, s) {
			return x.itemFits(x.heard(r), s)
		}
	}
	return false
}

// itemFits reports whether the tokens name the signal's item, or none.
func (x *Lexicon) itemFits(sp *speech, s vehicle.SignalID) bool {
	item := x.signals[s].item
	if item == "" || x.items[item] == nil {
		return true
	}
	type hit struct {
		span
		items []string
	}
	var hits []hit
	for _, it := range x.items {
		for _, f := range it.ps.find(sp) {
			hits = append(hits, hit{f, it.items})
		}
	}
	for _, g := range x.groups {
		for _, f := range g.ps.find(sp) {
			hits = append(hits, hit{f, g.items})
		}
	}
	named := false
	for _, h := range hits {
		inner := slices.ContainsFunc(hits, func(o hit) bool { return o.to-o.from > h.to-h.from && o.from <= h.from && h.to <= o.to })
		if inner {
			continue
		}
		if slices.Contains(h.items, item) {
			return true
		}
		named = true
	}
	return !named
}

// NamedIn returns the tools of which a name stands in a text, each once.
func (x *Lexicon) NamedIn(text string) []*vehicle.Tool {
	var out []*vehicle.Tool
	for _, h := range x.named(x.Lang.read(text)) {
		for _, t := range h.Tools {
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out
}

// NamesIn finds the names in a text.
func (x *Lexicon) NamesIn(text string) []Hit { return x.named(x.Lang.read(text)) }
