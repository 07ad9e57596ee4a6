// SPDX-License-Identifier: Apache-2.0

package words

import (
	"slices"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// IsStop is [Language.IsStop], and knows what moves: "stop the window" ends a
// movement too, while "stop charging" is a command.
func (x *Lexicon) IsStop(text string) bool {
	if x.Lang.IsStop(text) {
		return true
	}
	for _, s := range x.Lang.sentences(text) {
		for _, raw := range x.Lang.clauses(s.toks) {
			if !s.quoted && x.stopsMoving(spoken(raw.toks)) {
				return true
			}
		}
	}
	return false
}

// stopsMoving reports whether the tokens are a stop word and things that
// move, and nothing else.
func (x *Lexicon) stopsMoving(toks []Token) bool {
	end, ok := x.Lang.list("stop").starts(&speech{toks: toks})
	if !ok || end >= len(toks) {
		return false
	}
	rest := toks[end:]
	used := make([]bool, len(rest))
	hits := x.Names(rest)
	for _, h := range hits {
		writes := slices.DeleteFunc(slices.Clone(h.Tools), func(t *vehicle.Tool) bool { return t.Access != vehicle.Write })
		if len(writes) == 0 {
			return false
		}
		for _, t := range writes {
			if !x.moves(t) {
				return false
			}
			for _, c := range x.Cues(x.tools[t.Name], rest) {
				if c.Arg.Item {
					for _, i := range c.Used {
						used[i] = true
					}
				}
			}
		}
		for _, i := range h.Used {
			used[i] = true
		}
	}
	for i, t := range rest {
		if !used[i] && !x.Lang.small[t.Word] {
			return false
		}
	}
	return len(hits) > 0
}

// moves reports whether all that a tool sets are movements.
func (x *Lexicon) moves(t *vehicle.Tool) bool {
	touched := t.Touches(nil)
	return len(touched) > 0 && !slices.ContainsFunc(touched, func(a vehicle.Assignment) bool {
		return x.Catalog.Profile == nil || x.Catalog.Profile.Signals[a.Signal].Motion == nil
	})
}

// Commands returns the clauses of an utterance that ask for something to be
// done, now or under a condition: those the language knows for commands, and
// those without a verb that name something which can be changed.
func (x *Lexicon) Commands(u Utterance) []*Clause {
	var out []*Clause
	for i := range u.Clauses {
		c := &u.Clauses[i]
		if c.Negated || c.Deferred || c.Reported || c.Retracted || c.Bare {
			continue
		}
		named := c.Kind == Statement && c.Elliptical && slices.ContainsFunc(x.Names(c.Tokens), func(h Hit) bool {
			return slices.ContainsFunc(h.Tools, func(t *vehicle.Tool) bool { return t.Access == vehicle.Write })
		})
		if c.Kind == Command || named {
			out = append(out, c)
		}
	}
	return out
}

// MentionsValue reports whether the text says the value of a tool's argument:
// as a number in digits or words, by a word that gives the value, or as it is
// spoken.
func (x *Lexicon) MentionsValue(text, tool string, at vehicle.Path, v vehicle.Value) bool {
	r := x.Lang.read(text)
	if f, ok := v.Float(); ok {
		for _, q := range r.numbers() {
			if q.Value == f || q.Part && q.Value*100 == f {
				return true
			}
		}
	}
	if t := x.tools[tool]; t != nil && len(at) == 1 {
		for _, c := range x.cuesIn(r, t) {
			if c.Arg.Name != at[0].Name {
				continue
			}
			if (c.Kind == CueValue || c.Kind == CueWeak) && (c.Value.Equal(v) || c.Arg.Item && x.sameItem(t.Tool, c.Value, v)) {
				return true
			}
		}
		if said := x.argument(t, at[0].Name, v); v.Kind() == vehicle.String && x.Lang.Contains(text, said) {
			return true
		}
	}
	s, ok := v.Text()
	return ok && (x.Lang.Contains(text, s) || strings.Contains(r.text, s) && len(s) > 3)
}

func (x *Lexicon) sameItem(t *vehicle.Tool, a, b vehicle.Value) bool {
	p, ok1 := t.Items.Item(a.String())
	q, ok2 := t.Items.Item(b.String())
	return ok1 && ok2 && p == q
}
